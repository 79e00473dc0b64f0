/**
 * Tags for text in another language, so that editors colour it. The text stays as it stands: a backslash is a backslash.
 * What stands in `js` is checked by the linter and the compiler in `test/sim/report/client.test.ts`. It does without
 * template literals, as it stands in one.
 */
export const js: typeof String.raw = String.raw
export const css: typeof String.raw = String.raw
