import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCbor, encodeCbor } from '../../protocol/cbor.js'
import { isPayload, MAX_PAYLOAD_BYTES, MAX_PAYLOAD_DEPTH } from '../../protocol/index.js'
import { MAX_ISSUES, plainData } from '../../src/node/plain-data.js'
import { payloads } from '../protocol/arbitraries.js'

/** What apps may have in hand: payloads, and all that is none. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  payloads,
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
)

function issuesOf(value: unknown): readonly { readonly path: unknown; readonly message: string }[] {
  return plainData(value).issues ?? []
}

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { value }
  return value
}

describe('plain data', () => {
  it('takes every payload as it is', () => {
    fc.assert(
      fc.property(payloads, (value) => {
        expect(plainData(value)).toEqual({ payload: value, issues: null })
      }),
    )
  })

  it('comes back from a record as it went in, or is refused', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const { payload, issues } = plainData(value)
        if (issues !== null) {
          expect(isPayload(value)).toBe(false)
          expect(issues).not.toEqual([])
          return
        }
        expect(isPayload(payload)).toBe(true)
        expect(decodeCbor(encodeCbor(payload), MAX_PAYLOAD_DEPTH)).toEqual(payload)
      }),
    )
  })

  it('means to JSON what the value meant, apart from bytes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy: unknown = plainData(value).payload
        // JSON has the key __proto__, and no records do.
        if (copy !== null) expect(JSON.parse(JSON.stringify(copy))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('is a copy: what the app does to the value later changes nothing', () => {
    const value = { list: [1], bytes: new Uint8Array([1]), map: { a: 'b' } }
    const { payload } = plainData(value)
    value.list.push(2)
    value.bytes[0] = 2
    value.map.a = 'c'
    expect(payload).toEqual({ list: [1], bytes: new Uint8Array([1]), map: { a: 'b' } })
  })

  it('leaves out members that are undefined, and makes null of nothing at all', () => {
    expect(plainData({ a: undefined, b: 1 }).payload).toEqual({ b: 1 })
    expect(plainData(undefined)).toEqual({ payload: null, issues: null })
  })

  it('has no negative zero: it would not come back', () => {
    expect(plainData([-0]).payload).toEqual([0])
  })

  it('takes objects without a prototype, and those of another realm, as its own', () => {
    const foreign: unknown = runInNewContext('({ list: [1, { a: 2 }], bytes: new Uint8Array([3]) })')
    const bare = Object.assign(Object.create(null), { a: 1 })
    const { payload } = plainData({ foreign, bare })
    expect(payload).toEqual({
      foreign: { list: [1, { a: 2 }], bytes: new Uint8Array([3]) },
      bare: { a: 1 },
    })
    expect(isPayload(payload)).toBe(true)
  })

  it.each([
    [new Date(0), 'is a Date: pass its milliseconds (getTime()), or text (toISOString())'],
    [new Map(), 'is a Map: pass a plain object (Object.fromEntries)'],
    [new Set(), 'is a Set: pass a list ([...set])'],
    [Promise.resolve(), 'is a Promise: await it first'],
    [new (class Secret {})(), 'is an instance of a class: pass plain data, or bytes as Uint8Array'],
    [new Float64Array(1), 'is an instance of a class: pass plain data, or bytes as Uint8Array'],
    [1n, 'is a bigint: pass a number, or text'],
    [Number.NaN, 'is a number that is not finite'],
    [undefined, 'is undefined: in a list, put null'],
    [() => 1, 'is a function: pass plain data'],
    [Symbol('s'), 'is a symbol: pass plain data'],
    ['\ud800', 'is text with half of a surrogate pair'],
  ])('says where %s is, and what to do', (value, message) => {
    expect(issuesOf({ a: [0, value] })).toEqual([{ path: ['a', 1], message }])
  })

  it('refuses the key __proto__, and keys that are no text', () => {
    expect(issuesOf({ a: JSON.parse('{"__proto__": 1}') })).toEqual([
      { path: ['a'], message: 'has the key __proto__' },
    ])
    expect(issuesOf({ '\udc00': 1 })).toEqual([
      { path: [], message: 'has a key that is text with half of a surrogate pair' },
    ])
  })

  it('names what is wrong up to a limit, and cuts long keys', () => {
    expect(issuesOf(Array.from({ length: 1000 }, () => undefined))).toHaveLength(MAX_ISSUES)
    expect(issuesOf({ ['k'.repeat(1000)]: 1n })).toMatchObject([{ path: [`${'k'.repeat(64)}…`] }])
  })

  it('never says what a value was', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{12}$/), (secret) => {
        const value = [{ secret }, new Map([[secret, secret]]), `${secret}\ud800`, Symbol(secret)]
        expect(JSON.stringify(issuesOf(value))).not.toContain(secret)
      }),
    )
  })
})

describe('limits of plain data', () => {
  it('nests as deep as a record can hold, and no deeper', () => {
    expect(issuesOf(nested(MAX_PAYLOAD_DEPTH))).toEqual([])
    expect(issuesOf(nested(MAX_PAYLOAD_DEPTH + 1))).toMatchObject([
      { message: expect.stringContaining('nests deeper') },
    ])
  })

  it('ends with what refers to itself, in one way or in a thousand', () => {
    const self: unknown[] = []
    self.push(self)
    expect(issuesOf(self)).toHaveLength(1)
    const wide: unknown[] = []
    for (let i = 0; i < 1000; i++) wide.push(wide)
    expect(issuesOf(wide)).toHaveLength(MAX_ISSUES)
    // Each level twice in the next: as a tree it has four billion leaves.
    let twice: unknown = 1
    for (let i = 0; i < MAX_PAYLOAD_DEPTH; i++) twice = [twice, twice]
    expect(issuesOf(twice)).toMatchObject([{ message: expect.stringContaining('is over 65536 bytes') }])
  })

  it.each([
    ['text', (bytes: number) => 'x'.repeat(bytes - 3)],
    ['bytes', (bytes: number) => new Uint8Array(bytes - 3)],
    ['text of wide characters', (bytes: number) => `${'日'.repeat((bytes - 3) / 3)}x`],
    ['a list', (bytes: number) => Array.from({ length: bytes - 3 }, () => 1)],
  ])('takes %s of as many bytes as a record can hold, and not one more', (_, make) => {
    const exact = make(MAX_PAYLOAD_BYTES - 10)
    const bytes = encodeCbor(exact).length
    const fill = 'x'.repeat(MAX_PAYLOAD_BYTES - bytes - 2)
    expect(issuesOf([exact, fill])).toEqual([])
    expect(issuesOf([exact, `${fill}x`])).toMatchObject([
      { path: [], message: expect.stringContaining('is over') },
    ])
  })

  it.each([
    ['text', 'x'.repeat(MAX_PAYLOAD_BYTES + 1)],
    ['bytes', new Uint8Array(MAX_PAYLOAD_BYTES + 1)],
  ])('says where %s is that is too large by itself', (_, value) => {
    expect(issuesOf({ a: value })).toMatchObject([
      { path: ['a'], message: expect.stringContaining('pass a link') },
    ])
  })
})
