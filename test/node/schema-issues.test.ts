import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MAX_ISSUES } from '../../src/node/plain-data.js'
import { schemaIssues } from '../../src/node/schema-issues.js'

const UNSAID = 'does not match the schema'

function messageOf(message: string, value: unknown, path: readonly PropertyKey[] = []): string {
  const [issue] = schemaIssues([{ message, path }], value)
  return issue?.message ?? ''
}

describe('what a schema found wrong', () => {
  it('is said with its path, of whatever form', () => {
    const issues = [{ message: 'is wrong', path: ['a', { key: 0 }, { key: 'b' }, Symbol('c')] }]
    expect(schemaIssues(issues, {})).toEqual([{ path: ['a', 0, 'b', 'Symbol(c)'], message: 'is wrong' }])
    expect(schemaIssues([{ message: 'is wrong' }], {})).toEqual([{ path: [], message: 'is wrong' }])
  })

  it('is said in the words of zod', () => {
    const schema = z.object({ name: z.string().min(1), age: z.int().max(150), kind: z.enum(['x', 'y']) })
    const value = { name: '', age: 1000, kind: 'secret' }
    const issues = schema.safeParse(value).error?.issues ?? []
    expect(schemaIssues(issues, value)).toEqual([
      { path: ['name'], message: 'Too small: expected string to have >=1 characters' },
      { path: ['age'], message: 'Too big: expected number to be <=150' },
      { path: ['kind'], message: 'Invalid option: expected one of "x"|"y"' },
    ])
  })

  it.each([
    ['received "swordfish"', 'swordfish'],
    ['received "SwordFish"', 'swordfish'],
    ['received "swordfish"', '  swordfish\n'],
    ['received "a correct horse…"', 'a correct horse battery staple'],
    ['received "with \\"quotes\\""', 'with "quotes"'],
    ['must be even (was 17)', 17],
    ['must be even (was 17)', 17n],
  ])('is not said if it quotes the value: %s', (message, value) => {
    expect(messageOf(message, value)).toBe(UNSAID)
    expect(messageOf(message, { deep: [{ value }] })).toBe(UNSAID)
  })

  it('is said though another number of the value stands in it', () => {
    const value = { name: '', pages: 1 }
    expect(messageOf('needs 1 character', value, ['name'])).toBe('needs 1 character')
    expect(messageOf('needs 2, has 1', value, ['pages'])).toBe(UNSAID)
  })

  it('is said though a part of a word stands in the value', () => {
    expect(messageOf('expected string', { a: 'in', b: '' })).toBe('expected string')
  })

  it('is not said of what cannot be looked into', () => {
    for (const value of [new Map([['a', 'secret']]), new Set(['secret']), { at: new Date(0) }])
      expect(messageOf('received secret', value)).toBe(UNSAID)
    const many = Array.from({ length: 3000 }, (_, i) => `text ${i}`)
    expect(messageOf('is wrong', many)).toBe(UNSAID)
    const self: unknown[] = []
    self.push(self, self)
    expect(messageOf('is wrong', self)).toBe(UNSAID)
  })

  it('never holds a text of the value that is long enough to be one', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12, unit: 'grapheme' }), fc.string(), (secret, around) => {
        fc.pre(secret.trim().length >= 12)
        const said = messageOf(`${around} "${secret}"`, { a: [secret] })
        expect(said).toBe(UNSAID)
      }),
    )
  })

  it('is bounded', () => {
    const issues = Array.from({ length: 100 }, () => ({
      message: 'm'.repeat(10_000),
      path: Array.from({ length: 100 }, () => 'k'.repeat(1000)),
    }))
    const said = schemaIssues(issues, {})
    expect(said).toHaveLength(MAX_ISSUES)
    expect(JSON.stringify(said).length).toBeLessThan(100_000)
  })
})
