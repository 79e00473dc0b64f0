import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PACK_ENTRIES } from '../../src/store/constants.js'
import { decodePack, encodePack } from '../../src/store/pack.js'

const entry = fc.uint8Array({ maxLength: 20 })
const entries = fc.array(entry, { minLength: PACK_ENTRIES, maxLength: PACK_ENTRIES })

it('a pack gives back the entries it was made of', () => {
  fc.assert(
    fc.property(entries, (packed) => {
      expect(decodePack(encodePack(packed))).toEqual(packed)
    }),
  )
})

it('bytes that are too few or too many are no pack', () => {
  const pack = encodePack(Array.from({ length: PACK_ENTRIES }, () => Uint8Array.of(1)))
  expect(decodePack(pack.subarray(0, -1))).toBe(null)
  expect(decodePack(Uint8Array.of(...pack, 0))).toBe(null)
  expect(decodePack(new Uint8Array(0))).toBe(null)
})
