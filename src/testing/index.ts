/**
 * Suites that whoever writes a seam of their own runs against it; dibs' own pass them.
 *
 * @module
 */
export { type StoreSuiteOptions, storeSuite } from './store-suite.js'
export type { TestApi } from './test-api.js'
