import { expect, it } from 'vitest'
import { systemRandom } from '../../src/platform/random.js'

it('gives as many bytes as asked for, also more than the system gives at once, and never the same', () => {
  for (const count of [0, 1, 32, 65_536, 200_000]) expect(systemRandom.bytes(count).length).toBe(count)
  expect(systemRandom.bytes(32)).not.toEqual(systemRandom.bytes(32))
  expect(
    systemRandom
      .bytes(200_000)
      .subarray(150_000)
      .some((byte) => byte !== 0),
  ).toBe(true)
})

it('gives numbers from 0 up to, not including, 1, in both halves', () => {
  const numbers = Array.from({ length: 1000 }, () => systemRandom.number())
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
  expect(Math.min(...numbers)).toBeLessThan(0.5)
  expect(Math.max(...numbers)).toBeGreaterThan(0.5)
})
