import fc from 'fast-check'
import { base58btc } from 'multiformats/bases/base58'
import { describe, expect, test } from 'vitest'
import {
  deviceKey,
  deviceOfKey,
  groupId,
  IdError,
  idOfBytes,
  idToBytes,
  isDeviceId,
  isHashedId,
  isId,
  keyedRunId,
  MAX_KEY_LENGTH,
  MAX_NAME_LENGTH,
  RecordNamer,
  type RunKey,
  recordId,
  stampOf,
  stampOfId,
  type Writer,
  writerTag,
} from '../../protocol/index.js'
import { devices, ids, LAST_STAMP, stamps, texts } from './arbitraries.js'
import { ana, ben, FOUNDED, GROUP, START } from './story.js'
import { thrown } from './thrown.js'

const CASES = { numRuns: 1000 }
const writers: fc.Arbitrary<Writer> = fc.record({ device: devices, incarnation: stamps })

describe('record ids', () => {
  test('sort by stamp, whoever wrote them', () => {
    fc.assert(
      fc.property(writers, stamps, writers, stamps, (a, earlier, b, later) => {
        fc.pre(earlier < later)
        expect(recordId(a, earlier) < recordId(b, later)).toBe(true)
      }),
      CASES,
    )
  })

  test('tell their stamp', () => {
    fc.assert(
      fc.property(writers, stamps, (writer, stamp) => {
        const id = new RecordNamer(writer).next(stamp)
        expect(stampOfId(id)).toBe(stamp)
        expect(isId(id)).toBe(true)
        expect(isHashedId(id)).toBe(false)
      }),
      CASES,
    )
  })

  test('are known as their writer’s own, and as those of their stamp', () => {
    fc.assert(
      fc.property(writers, writers, stamps, stamps, (a, b, stamp, other) => {
        const namer = new RecordNamer(a)
        const ids = [recordId(a, stamp), recordId(a, other), recordId(b, stamp), `${recordId(a, stamp)}0`, '']
        for (const id of ids) expect(namer.isOwn(id, stamp)).toBe(id === namer.next(stamp))
      }),
      CASES,
    )
  })

  test('are the same only for the same writer and stamp', () => {
    fc.assert(
      fc.property(writers, writers, stamps, (a, b, stamp) => {
        const same = a.device === b.device && a.incarnation === b.incarnation
        expect(recordId(a, stamp) === recordId(b, stamp)).toBe(same)
        expect(recordId(a, stamp)).toBe(recordId({ ...a }, stamp))
      }),
      CASES,
    )
  })

  test('of two incarnations of one device differ, even of incarnations side by side', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 2000; i++) seen.add(recordId({ device: ana, incarnation: FOUNDED + i }, FOUNDED))
    expect(seen.size).toBe(2000)
  })

  test('of two devices differ at the same stamp and incarnation', () => {
    const writer = { device: ana, incarnation: FOUNDED }
    expect(recordId(writer, FOUNDED)).not.toBe(recordId({ ...writer, device: ben }, FOUNDED))
  })

  test('a writer without a stamp for its incarnation has no tag', () => {
    for (const incarnation of [-1, 0.5, Number.NaN, LAST_STAMP + 1]) {
      expect(thrown(IdError, () => writerTag({ device: ana, incarnation })).code).toBe('ID_INVALID')
      expect(thrown(IdError, () => new RecordNamer({ device: ana, incarnation })).code).toBe('ID_INVALID')
    }
  })
})

describe('ids as bytes', () => {
  test('survive the way there and back', () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(idToBytes(id)).toHaveLength(16)
        expect(idOfBytes(idToBytes(id))).toBe(id)
        expect(isId(id)).toBe(true)
      }),
      CASES,
    )
  })

  const id = '0'.repeat(26)
  test.each([
    ['empty', ''],
    ['too short', id.slice(1)],
    ['too long', `${id}0`],
    ['of letters that look like others', `${id.slice(1)}o`],
    ['in upper case', `${id.slice(1)}A`],
    ['with a space', `${id.slice(1)} `],
    ['with a letter beyond ASCII', `${id.slice(1)}é`],
    ['over the bits of a time', `g${id.slice(1)}`],
    ['over the bits of an origin', `${id.slice(0, 11)}4${id.slice(12)}`],
  ])('a text that is %s is no id', (_, text) => {
    expect(isId(text)).toBe(false)
    expect(thrown(IdError, () => idToBytes(text)).code).toBe('ID_INVALID')
    expect(thrown(IdError, () => isHashedId(text)).code).toBe('ID_INVALID')
    expect(thrown(IdError, () => keyedRunId({ group: text, project: '', type: 't', key: 'k' })).code).toBe(
      'ID_INVALID',
    )
  })

  test('any text either is refused with an IdError or is the one text of its bytes', () => {
    const near = fc
      .tuple(ids, fc.nat({ max: 25 }), texts)
      .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1))
    fc.assert(
      fc.property(fc.oneof(texts, near), (text) => {
        if (isId(text)) expect(idOfBytes(idToBytes(text))).toBe(text)
        else expect(thrown(IdError, () => idToBytes(text)).code).toBe('ID_INVALID')
      }),
      CASES,
    )
  })

  test('15 or 17 bytes, or a first byte of 64, are no id', () => {
    expect(isId(idOfBytes(new Uint8Array(16).fill(63)))).toBe(true)
    for (const bytes of [
      new Uint8Array(15),
      new Uint8Array(17),
      new Uint8Array(0),
      new Uint8Array(16).fill(64),
    ]) {
      expect(thrown(IdError, () => idOfBytes(bytes)).code).toBe('ID_INVALID')
    }
  })

  test('what is no text is no id', () => {
    for (const value of [undefined, null, 1, {}, new Uint8Array(16)]) expect(isId(value)).toBe(false)
  })
})

describe('device ids', () => {
  const ED25519 = '12D3KooWPjceQrSwdWXPyLLeABRXmuqt69Rg3sBYbU1Nft9HyQ6X'
  const RSA = 'QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N'

  const key = new Uint8Array(32).fill(9)
  const peerId = (...bytes: number[]): string => base58btc.baseEncode(Uint8Array.from(bytes))

  test('survive the way to the key and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const id = deviceOfKey(bytes)
        expect(id).toMatch(/^12D3KooW.{44}$/)
        expect(deviceKey(id)).toEqual(bytes)
        expect(isDeviceId(id)).toBe(true)
      }),
      CASES,
    )
  })

  test('the smallest and the largest key have one', () => {
    for (const byte of [0, 255]) {
      const edge = new Uint8Array(32).fill(byte)
      expect(deviceKey(deviceOfKey(edge))).toEqual(edge)
    }
  })

  test('a PeerId of an Ed25519 key is one', () => {
    expect(deviceOfKey(deviceKey(ED25519))).toBe(ED25519)
    expect(deviceOfKey(key)).toBe(peerId(0, 36, 8, 1, 18, 32, ...key))
  })

  const good = deviceOfKey(key)
  test.each([
    ['nothing', ''],
    ['one character short', good.slice(0, -1)],
    ['one character long', `${good}1`],
    ['of another prefix', `12D3KooX${good.slice(8)}`],
    ['of the letter 0, which base 58 lacks', `${good.slice(0, -1)}0`],
    ['of the letter l, which base 58 lacks', `${good.slice(0, -1)}l`],
    ['with a line end', `${good}\n`],
    ['with a space before it', ` ${good}`],
    ['with its base named', `z${good}`],
    ['an RSA key', RSA],
    ['a secp256k1 key', peerId(0, 37, 8, 2, 18, 33, 2, ...key)],
    ['the smallest text of its shape, which stands for other bytes', `12D3KooW${'1'.repeat(44)}`],
    ['the largest text of its shape, which stands for other bytes', `12D3KooW${'z'.repeat(44)}`],
    ['an Ed25519 key of 31 bytes', peerId(0, 35, 8, 1, 18, 31, ...key.slice(1))],
    ['an Ed25519 key of 33 bytes', peerId(0, 37, 8, 1, 18, 33, ...key, 1)],
    ['a key of another type', peerId(0, 36, 8, 2, 18, 32, ...key)],
    ['a CID', 'bafzaajaiaejcbzdibmxyzdjbbehgvizh6g5tikvy47mshdy6gwbruvgwvd24seje'],
    ['the name of a property', '__proto__'],
  ])('a text that is %s is none', (_, text) => {
    expect(isDeviceId(text)).toBe(false)
    expect(thrown(IdError, () => deviceKey(text)).code).toBe('DEVICE_ID_INVALID')
    // A second time as well: what was refused is not remembered as good.
    expect(isDeviceId(text)).toBe(false)
  })

  test('a text of the right shape either is refused or is the one text of its key', () => {
    const letters = fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')
    const shaped = fc.string({ unit: letters, minLength: 44, maxLength: 44 }).map((rest) => `12D3KooW${rest}`)
    fc.assert(
      fc.property(shaped, (text) => {
        if (isDeviceId(text)) expect(deviceOfKey(deviceKey(text))).toBe(text)
        else expect(thrown(IdError, () => deviceKey(text)).code).toBe('DEVICE_ID_INVALID')
      }),
      CASES,
    )
  })

  test('a key of 31 or 33 bytes has none', () => {
    for (const length of [0, 31, 33]) {
      expect(thrown(IdError, () => deviceOfKey(new Uint8Array(length))).code).toBe('DEVICE_ID_INVALID')
    }
  })

  test('what is no text is none', () => {
    for (const value of [undefined, null, 1, {}, key]) expect(isDeviceId(value)).toBe(false)
  })

  test('stay right when there are more devices than are remembered', () => {
    const keyOf = (n: number): Uint8Array =>
      Uint8Array.from({ length: 32 }, (_, i) => (n >> (8 * (i % 4))) & 255)
    const all = Array.from({ length: 9000 }, (_, n) => deviceOfKey(keyOf(n)))
    expect(new Set(all).size).toBe(all.length)
    for (const [n, device] of all.entries()) expect(deviceKey(device)).toEqual(keyOf(n))
    for (const [n, device] of all.entries()) expect(deviceOfKey(keyOf(n))).toBe(device)
    expect(isDeviceId(all[0])).toBe(true)
    expect(isDeviceId(RSA)).toBe(false)
  })
})

describe('ids of keyed runs', () => {
  const base: RunKey = { group: GROUP, project: 'p', type: 't', key: 'k' }

  test('are the same wherever they are made', () => {
    fc.assert(
      fc.property(ids, fc.string({ maxLength: 20 }), texts, (group, project, key) => {
        fc.pre(key.length > 0)
        const here = keyedRunId({ group, project, type: 't', key })
        expect(keyedRunId({ key, type: 't', project, group })).toBe(here)
        expect(isHashedId(here)).toBe(true)
      }),
      CASES,
    )
  })

  test('do not change with the version of this library', () => {
    const run = { group: '0'.repeat(26), project: 'video', type: 'video.transcode', key: 'clip-1' }
    expect(keyedRunId(run)).toMatchInlineSnapshot(`"80fghzhq5e62hq0cd5ymqz0ekb"`)
  })

  test.each([
    ['group', { group: groupId(ben, FOUNDED) }],
    ['project', { project: 'q' }],
    ['type', { type: 'u' }],
    ['key', { key: 'l' }],
    ['composition of accents', { key: 'e\u0301' }],
  ])('differ by %s', (_, other) => {
    expect(keyedRunId({ ...base, ...other })).not.toBe(keyedRunId(base))
    expect(keyedRunId({ ...base, key: 'é' })).not.toBe(keyedRunId({ ...base, key: 'e\u0301' }))
  })

  test('differ when characters move between project, type and key', () => {
    const text = 'abcdef'
    const made = new Map<string, string>()
    for (let i = 0; i <= 4; i++) {
      for (let j = i + 1; j <= 5; j++) {
        const run = { ...base, project: text.slice(0, i), type: text.slice(i, j), key: text.slice(j) }
        made.set(keyedRunId(run), JSON.stringify(run))
      }
    }
    expect(made.size).toBe(15)
  })

  test('differ for any two keys that differ', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        fc.pre(a !== b && a.length > 0 && b.length > 0)
        expect(keyedRunId({ ...base, key: a })).not.toBe(keyedRunId({ ...base, key: b }))
      }),
      CASES,
    )
  })

  test('are never the id of a record, nor have a stamp', () => {
    fc.assert(
      fc.property(writers, stamps, texts, (writer, stamp, key) => {
        fc.pre(key.length > 0)
        const hashed = keyedRunId({ ...base, key })
        expect(isHashedId(hashed)).toBe(true)
        // Not only unequal by luck: every hashed id sorts after every stamped one.
        expect(recordId(writer, stamp) < hashed).toBe(true)
        expect(() => stampOfId(hashed)).toThrow('no stamp')
      }),
      CASES,
    )
    expect(
      recordId({ device: ana, incarnation: 0 }, LAST_STAMP) <
        idOfBytes(Uint8Array.of(32, ...new Uint8Array(15))),
    ).toBe(true)
  })

  test('there are some up to the longest project, type and key', () => {
    const longest = {
      project: 'p'.repeat(MAX_NAME_LENGTH),
      type: 't'.repeat(MAX_NAME_LENGTH),
      key: 'k'.repeat(MAX_KEY_LENGTH),
    }
    expect(isId(keyedRunId({ group: GROUP, ...longest }))).toBe(true)
    expect(isId(keyedRunId({ ...base, project: '' }))).toBe(true)
  })

  test.each([
    ['an empty key', { key: '' }],
    ['a key too long', { key: 'k'.repeat(MAX_KEY_LENGTH + 1) }],
    ['a key with half of a surrogate pair', { key: 'k\ud800' }],
    ['an empty type', { type: '' }],
    ['a type too long', { type: 't'.repeat(MAX_NAME_LENGTH + 1) }],
    ['a type with half of a surrogate pair', { type: '\udc00' }],
    ['a project too long', { project: 'p'.repeat(MAX_NAME_LENGTH + 1) }],
    ['a project with half of a surrogate pair', { project: '\ud800' }],
  ])('there is none of %s', (_, wrong) => {
    expect(thrown(IdError, () => keyedRunId({ ...base, ...wrong })).code).toBe('KEY_INVALID')
  })
})

describe('group ids', () => {
  test('differ by founder and by time, and are hashed', () => {
    expect(groupId(ana, FOUNDED)).toBe(GROUP)
    expect(groupId(ben, FOUNDED)).not.toBe(GROUP)
    expect(groupId(ana, stampOf(START, 1))).not.toBe(GROUP)
    expect(isHashedId(GROUP)).toBe(true)
  })

  test('a founder that is no device is refused', () => {
    expect(thrown(IdError, () => groupId('ana', FOUNDED)).code).toBe('DEVICE_ID_INVALID')
  })
})
