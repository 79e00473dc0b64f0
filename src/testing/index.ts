/**
 * Suites that whoever writes a seam of their own runs against it; dibs' own pass them. And what tests of groups stand on:
 * a network in memory, and time that passes when the test says so.
 *
 * @module dibs/testing
 */
export type { MemoryTransport } from '../network/memory/transport.js'
export { MemoryNetwork, type MemoryNetworkOptions, type Traffic } from '../network/memory-network.js'
export { systemClock } from '../platform/index.js'
export { type SeededRandom, seededRandom } from './seeded.js'
export { type StoreSuiteOptions, storeSuite } from './store-suite.js'
export type { TestApi } from './test-api.js'
export {
  createTestGroup,
  TestDevice,
  type TestDeviceOptions,
  TestGroup,
  type TestGroupOptions,
} from './test-group.js'
export {
  type TransportMember,
  type TransportSet,
  type TransportSuiteOptions,
  transportSuite,
} from './transport-suite.js'
export type { VirtualDeviceClock } from './virtual-device-clock.js'
export { VIRTUAL_START_MS, VirtualTime } from './virtual-time.js'
