import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FieldType, fieldFault, MAX_NAMES, PRIORITIES } from '../../protocol/index.js'
import { InputError } from '../../src/node/errors.js'
import {
  applySetting,
  type CreatedFields,
  RUN_SETTING_NAMES,
  type RunSettings,
  type SettingName,
} from '../../src/node/run-settings.js'
import { fieldValues } from '../protocol/arbitraries.js'
import { ana, ben } from '../protocol/story.js'
import { thrown } from '../protocol/thrown.js'

/** What each is in a record. */
const FIELDS: { readonly [N in keyof RunSettings]-?: FieldType } = {
  priority: 'priority',
  project: 'name',
  requires: 'names',
  prefers: 'names',
  privacy: 'names',
  approval: 'approval',
  timeoutMs: 'duration',
  heartbeat: 'heartbeat',
  retry: 'retry',
  assignmentTimeoutMs: 'duration',
  reconcile: 'reconcile',
  coordinator: 'flag',
  preemptible: 'flag',
  minBattery: 'share',
}

/** What a record carries after these were said one after the other: a definition, then a submit. */
function said(name: SettingName, ...values: readonly unknown[]): unknown {
  const fields: CreatedFields = {}
  for (const value of values) applySetting(fields, name, value)
  expect(Object.values(fields)).not.toContain(undefined)
  return fields[name]
}

function refused(name: SettingName, ...values: readonly unknown[]): InputError {
  return thrown(InputError, () => said(name, ...values))
}

describe('a setting', () => {
  it.each([
    ['priority', PRIORITIES.high, 'high'],
    ['project', 'films', 'films'],
    ['requires', ['gpu'], ['gpu', 'gpu']],
    ['prefers', ['gpu'], ['gpu']],
    ['privacy', ['local_only'], ['local_only']],
    ['approval', 'admins', 'admins'],
    ['approval', [ana, ben], [ana, ben]],
    ['timeoutMs', 5, 5],
    ['heartbeat', { intervalMs: 1000, timeoutMs: 90_000 }, { intervalMs: 1000 }],
    ['retry', { max: 0, backoffMs: [1000, 2000, 4000] }, { max: 0 }],
    ['retry', { max: 3, backoffMs: [7] }, { backoffMs: 7 }],
    ['assignmentTimeoutMs', 5, 5],
    ['reconcile', 'latest', 'latest'],
    ['coordinator', true, true],
    ['preemptible', true, true],
    ['minBattery', 0.2, 0.2],
  ] as const)('%s is carried as %o', (name, carried, value) => {
    expect(said(name, value)).toEqual(carried)
  })

  it.each([
    ['priority', 'normal', 5],
    ['requires', [], undefined],
    ['prefers', [], ['gpu']],
    ['timeoutMs', 3_600_000, 5],
    ['heartbeat', { intervalMs: 30_000, timeoutMs: 90_000 }, { intervalMs: 1000 }],
    ['retry', { max: 3, backoffMs: [1000, 2000, 4000] }, { max: 7 }],
    ['assignmentTimeoutMs', 60_000, 5],
    ['reconcile', 'earliest', 'latest'],
    ['coordinator', false, true],
    ['preemptible', false, true],
    ['minBattery', 0, 0.5],
  ] as const)('%s is left out as %o, though the definition said %o', (name, usual, defined) => {
    expect(said(name, usual)).toBe(undefined)
    if (defined !== undefined) expect(said(name, defined, usual)).toBe(undefined)
  })

  it.each([
    ['priority', 1.5],
    ['priority', 'toString'],
    ['priority', 1001],
    ['project', ''],
    ['requires', 'gpu'],
    ['requires', [1]],
    ['prefers', Array.from({ length: MAX_NAMES + 1 }, (_, i) => `name${i}`)],
    ['privacy', [' spaced']],
    ['approval', []],
    ['approval', ['nobody']],
    ['approval', true],
    ['timeoutMs', 0],
    ['timeoutMs', '5'],
    ['heartbeat', { intervalMs: 90_000 }],
    ['heartbeat', { interval: 1 }],
    ['heartbeat', 5],
    ['retry', { max: -1 }],
    ['retry', { maximum: 1 }],
    ['retry', { backoffMs: ['1s'] }],
    ['retry', 3],
    ['assignmentTimeoutMs', Number.NaN],
    ['reconcile', 'oldest'],
    ['coordinator', 'yes'],
    ['preemptible', 1],
    ['minBattery', 20],
    ['key', ''],
    ['key', '\ud800'],
    ['parent', 'no id'],
    ['notBefore', new Date(0)],
    ['deadline', 1.5],
  ] as const)('%s cannot be %o', (name, value) => {
    const error = refused(name, value)
    expect(error).toMatchObject({ code: 'INVALID_OPTIONS', details: { option: name } })
    expect(error.message).toMatch(/ Allowed: .+\. Nothing was written\.$/)
  })

  it('that lists what a device must have adds to the definition, and never takes from it', () => {
    for (const name of ['requires', 'privacy'] as const) {
      expect(said(name, ['a', 'b'], ['b', 'c'])).toEqual(['a', 'b', 'c'])
      expect(said(name, ['a'], [])).toEqual(['a'])
    }
    expect(said('prefers', ['a'], ['b'])).toEqual(['b'])
  })

  it('of two parts keeps the part that is not said again', () => {
    expect(said('retry', { max: 7, backoffMs: 5 }, { max: 8 })).toEqual({ max: 8, backoffMs: [5] })
    expect(said('retry', { max: 7, backoffMs: 5 }, { backoffMs: [1, 2] })).toEqual({
      max: 7,
      backoffMs: [1, 2],
    })
    expect(said('heartbeat', { intervalMs: 10, timeoutMs: 100 }, { timeoutMs: 50 })).toEqual({
      intervalMs: 10,
      timeoutMs: 50,
    })
    expect(refused('heartbeat', { intervalMs: 10, timeoutMs: 100 }, { timeoutMs: 5 })).toMatchObject({
      details: { option: 'heartbeat' },
    })
  })

  it('is not changed by what the app does later', () => {
    const list = [ana]
    const carried = said('approval', list)
    list.push(ben)
    expect(carried).toEqual([ana])
  })

  it.each(RUN_SETTING_NAMES)('%s carries nothing that a record could not', (name) => {
    const type = FIELDS[name]
    fc.assert(
      fc.property(fc.oneof(fieldValues[type], fc.anything()), (value) => {
        let carried: unknown
        try {
          carried = said(name, value)
        } catch (error) {
          expect(error).toBeInstanceOf(InputError)
          expect(fieldFault(type, value)).not.toBe(undefined)
          return
        }
        if (carried !== undefined) expect(fieldFault(type, carried)).toBe(undefined)
      }),
    )
  })
})
