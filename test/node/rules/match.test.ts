import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EventMatch, matches } from '../../../src/node/rules/match.js'
import { payloads } from '../../protocol/arbitraries.js'
import { event } from './kit.js'

const payload = {
  private: false,
  label: null,
  labels: ['bug', 'crash'],
  author: { name: 'ana', age: 4 },
  bytes: new Uint8Array([1, 2]),
  teams: [{ name: 'core' }],
}

function isMatch(match: EventMatch): boolean {
  return matches(match, event({ payload }))
}

describe('a match', () => {
  it('that says nothing is about every event', () => {
    expect(isMatch({})).toBe(true)
    expect(isMatch({ source: undefined, where: {} })).toBe(true)
  })

  it('is about one source or type, or several', () => {
    expect(isMatch({ source: 'inbox' })).toBe(true)
    expect(isMatch({ source: ['outbox', 'inbox'], type: 'mail.received' })).toBe(true)
    expect(isMatch({ source: 'outbox' })).toBe(false)
    expect(isMatch({ source: 'inbox', type: 'mail' })).toBe(false)
    expect(isMatch({ source: 'inb' })).toBe(false)
  })

  it.each([
    [{ private: false }],
    [{ private: [true, false] }],
    [{ label: null }],
    [{ labels: 'bug' }],
    [{ labels: ['docs', 'crash'] }],
    [{ 'labels.0': 'bug' }],
    [{ 'author.name': 'ana', 'author.age': 4 }],
    [{ author: { age: 4, name: 'ana' } }],
    [{ bytes: new Uint8Array([1, 2]) }],
    [{ teams: [{ name: 'core' }] }],
    [{ 'teams.0.name': 'core' }],
  ])('finds %o', (where) => {
    expect(isMatch({ where })).toBe(true)
  })

  it.each([
    [{ private: true }],
    [{ private: 0 }],
    [{ label: 'bug' }],
    [{ missing: null }],
    [{ labels: 'bu' }],
    [{ labels: [] }],
    [{ 'author.age': '4' }],
    [{ author: { name: 'ana' } }],
    [{ 'author.name.first': 'ana' }],
    [{ 'author.constructor.name': 'Object' }],
    [{ __proto__: null, toString: 'x' }],
    [{ private: false, 'author.name': 'ben' }],
  ])('does not find %o', (where) => {
    expect(isMatch({ where })).toBe(false)
  })

  it('finds what is there, whatever it is, and nothing of nothing', () => {
    fc.assert(
      fc.property(payloads, (value) => {
        const isEmpty = Array.isArray(value) && value.length === 0
        expect(matches({ where: { at: value } }, event({ payload: { at: value } }))).toBe(!isEmpty)
        expect(matches({ where: { at: value } }, event({ payload: {} }))).toBe(false)
      }),
    )
  })
})
