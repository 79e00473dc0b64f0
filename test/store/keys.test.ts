import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deviceOfKey } from '../../protocol/index.js'
import { entryKey, logOfPrefix, logPrefix, packKey, positionOf } from '../../src/store/keys.js'

const log = fc.record({
  journal: fc.stringMatching(/^[!-~]{1,64}$/),
  device: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(deviceOfKey),
  incarnation: fc.nat({ max: 2 ** 50 }),
})
const sequence = fc.nat({ max: 2 ** 32 - 1 })

it('a log’s prefix says which log it is', () => {
  fc.assert(
    fc.property(log, (key) => {
      expect(logOfPrefix(logPrefix(key))).toEqual(key)
    }),
  )
})

it('keys of a log sort by sequence, and a pack right before its first entry', () => {
  fc.assert(
    fc.property(log, sequence, sequence, (key, a, b) => {
      const prefix = logPrefix(key)
      const order = Buffer.compare(entryKey(prefix, a), entryKey(prefix, b))
      expect(Math.sign(order)).toBe(Math.sign(a - b))
      expect(Buffer.compare(packKey(prefix, a), entryKey(prefix, a))).toBe(-1)
      expect(positionOf(entryKey(prefix, a))).toEqual({ sequence: a, packed: false })
    }),
  )
})

it('what is no log has no key', () => {
  const good = { journal: 'group', device: deviceOfKey(new Uint8Array(32)), incarnation: 1 }
  for (const bad of [{ journal: '' }, { journal: 'a\0b' }, { device: 'x' }, { incarnation: -1 }]) {
    expect(() => logPrefix({ ...good, ...bad })).toThrow(TypeError)
  }
})
