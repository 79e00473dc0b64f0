import { describe, expect, it } from 'vitest'
import { InputError } from '../../../src/node/errors.js'
import { MAX_CONDITIONS, MAX_RULES } from '../../../src/node/rules/constants.js'
import { checkRules, type Rule } from '../../../src/node/rules/rule.js'
import { thrown } from '../../protocol/thrown.js'
import { triage } from './kit.js'

const rule: Rule = { name: 'triage', match: { source: 'repository' }, run: triage }

function refused(rules: unknown): InputError {
  return thrown(InputError, () => checkRules(rules as readonly Rule[]))
}

describe('a rule', () => {
  it.each<[string, Partial<Rule>]>([
    ['the name of a run type', { run: 'issue.triage' }],
    ['a function that matches', { match: () => true }],
    [
      'lists and conditions',
      { match: { type: ['a', 'b'], where: { label: ['bug', 'crash'], private: false } } },
    ],
    ['a priority in words', { priority: 'high' }],
    ['a priority in numbers', { priority: -1000 }],
    ['functions of the event', { priority: () => 1, project: () => undefined, key: ({ id }) => id }],
    ['an input and options', { input: () => null, options: () => ({ timeoutMs: 5 }), project: 'films' }],
    ['what is left open', { priority: undefined, key: undefined }],
  ])('may have %s', (_, part) => {
    expect(checkRules([{ ...rule, ...part }])).toEqual([{ ...rule, ...part }])
  })

  it.each([
    [{ name: '' }, 'rules.0.name'],
    [{ match: undefined }, 'rules.0.match'],
    [{ match: { sauce: 'a' } }, 'rules.0.match'],
    [{ match: { type: [] } }, 'rules.0.match'],
    [{ match: { where: { at: new Date(0) } } }, 'rules.0.match'],
    [{ run: '' }, 'rules.0.run'],
    [{ run: 'x'.repeat(121) }, 'rules.0.run'],
    [{ run: {} }, 'rules.0.run'],
    [{ priority: 'urgent' }, 'rules.0.priority'],
    [{ priority: 1001 }, 'rules.0.priority'],
    [{ project: '' }, 'rules.0.project'],
    [{ input: { a: 1 } }, 'rules.0.input'],
    [{ key: 'one' }, 'rules.0.key'],
    [{ options: {} }, 'rules.0.options'],
    [{ when: true }, 'rules.0'],
  ])('cannot have %o', (part, field) => {
    const error = refused([{ ...rule, ...part }])
    expect(error).toMatchObject({
      code: 'INVALID_OPTIONS',
      details: { field: expect.stringMatching(new RegExp(`^${field}`)) },
    })
    expect(error.message).toMatch(/The rules before stay in force\.$/)
  })

  it('has a name of its own', () => {
    expect(refused([rule, { ...rule }])).toMatchObject({ details: { field: 'rules.1.name' } })
  })

  it('is one of a list with an end', () => {
    const many = Array.from({ length: MAX_RULES + 1 }, (_, i) => ({ ...rule, name: `rule ${i}` }))
    expect(checkRules(many.slice(1))).toHaveLength(MAX_RULES)
    expect(refused(many)).toMatchObject({ details: { field: 'rules' } })
    expect(refused(rule)).toMatchObject({ details: { field: 'rules' } })
    const where = Object.fromEntries(Array.from({ length: MAX_CONDITIONS + 1 }, (_, i) => [`at${i}`, 1]))
    expect(refused([{ ...rule, match: { where } }]).code).toBe('INVALID_OPTIONS')
  })
})
