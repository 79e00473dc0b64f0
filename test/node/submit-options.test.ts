import { describe, expect, it } from 'vitest'
import { PRIORITIES, writeRecord } from '../../protocol/index.js'
import { defineRun, type RunType } from '../../src/node/define-run.js'
import { InputError } from '../../src/node/errors.js'
import { createdDraft, type SubmitOptions } from '../../src/node/submit-options.js'
import { ana, ben, GROUP, START, Story } from '../protocol/story.js'
import { thrown } from '../protocol/thrown.js'

const NOW = START + 0.5
const job = defineRun({ type: 'job', requires: ['gpu'], priority: 'high', timeoutMs: 1000 })

function refused(options: unknown, type: RunType | string = job): InputError {
  return thrown(InputError, () => createdDraft(type, null, options as SubmitOptions, NOW))
}

describe('the draft of a run', () => {
  it('is the definition, and over it what the submit says', () => {
    const options = { priority: 'low', requires: ['sharp'], key: 'photo-17', project: 'films' } as const
    expect(createdDraft(job, { file: 'a' }, options, NOW)).toEqual({
      kind: 'created',
      type: 'job',
      input: { file: 'a' },
      priority: PRIORITIES.low,
      requires: ['gpu', 'sharp'],
      timeoutMs: 1000,
      key: 'photo-17',
      project: 'films',
    })
  })

  it('changes nothing of the definition', () => {
    const before = structuredClone(job.base)
    createdDraft(job, 1, { requires: ['sharp'], timeoutMs: 3_600_000, retry: { max: 9 } }, NOW)
    expect(job.base).toEqual(before)
  })

  it('needs a name only, and no input', () => {
    expect(createdDraft('by.name', null, undefined, NOW)).toEqual({ kind: 'created', type: 'by.name' })
    expect(createdDraft('by.name', null, { priority: undefined }, NOW)).toEqual({
      kind: 'created',
      type: 'by.name',
    })
    expect(refused({}, '')).toMatchObject({ code: 'INVALID_OPTIONS', details: { option: 'type' } })
  })

  it('counts from now where it is told to', () => {
    expect(createdDraft('a', null, { delayMs: 1000, deadlineInMs: 5000 }, NOW)).toMatchObject({
      notBefore: START + 1001,
      deadline: START + 5001,
    })
    expect(createdDraft('a', null, { delayMs: 0 }, NOW)).not.toHaveProperty('notBefore')
  })

  it.each([
    [{ delayMs: 1, notBefore: START }, 'delayMs'],
    [{ deadlineInMs: 1, deadline: START }, 'deadlineInMs'],
    [{ delayMs: -1 }, 'delayMs'],
    [{ deadlineInMs: 1.5 }, 'deadlineInMs'],
    [{ delayMs: 5000, deadlineInMs: 5000 }, 'deadline'],
    [{ notBefore: START + 10, deadline: START + 9 }, 'deadline'],
    [{ parent: 'somebody' }, 'parent'],
    [{ priotity: 'high' }, 'priotity'],
    [{ type: 'other' }, 'type'],
    [{ input: 1 }, 'input'],
    [{ kind: 'completed' }, 'kind'],
    [{ run: 'x' }, 'run'],
    [JSON.parse('{"__proto__": 1}'), '__proto__'],
    [null, 'options'],
    ['high', 'options'],
  ])('is refused with %o', (options, option) => {
    expect(refused(options)).toMatchObject({ code: 'INVALID_OPTIONS', details: { option } })
  })

  it('can be written as it is', () => {
    const story = new Story()
    const parent = story.created(ana).run
    const options: SubmitOptions = {
      ...{ priority: -5, project: 'films', requires: ['a'], prefers: ['b'], privacy: ['local_only'] },
      ...{ approval: [ben], timeoutMs: 5, heartbeat: { intervalMs: 5 }, retry: { max: 1, backoffMs: 5 } },
      ...{
        assignmentTimeoutMs: 5,
        reconcile: 'latest',
        coordinator: true,
        preemptible: true,
        minBattery: 0.5,
      },
      ...{ key: 'k', delayMs: 5, deadlineInMs: 500, parent },
    }
    const draft = createdDraft(job, [1], options, NOW)
    expect(story.write(ana, draft)).toMatchObject({ ...draft, author: ana })
  })

  it('with one key is one run, whoever writes it and whatever else it says', () => {
    const story = new Story()
    const runOf = (who: typeof ana, options: SubmitOptions): string =>
      writeRecord(createdDraft(job, 1, options, NOW), story.created(who).stamp, story.namer(who), GROUP).run
    const run = runOf(ana, { key: 'photo-17' })
    expect(runOf(ben, { key: 'photo-17', priority: 'low' })).toBe(run)
    expect(runOf(ben, { key: 'photo-18' })).not.toBe(run)
    expect(runOf(ben, { key: 'photo-17', project: 'films' })).not.toBe(run)
  })
})
