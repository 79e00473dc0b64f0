/** What a suite needs of a test runner: vitest's and jest's functions fit as they are. */
export interface TestApi {
  describe(name: string, body: () => void): void
  it(name: string, body: () => Promise<void>, timeoutMs?: number): void
  expect(value: unknown): {
    toBe(expected: unknown): void
    toEqual(expected: unknown): void
  }
}
