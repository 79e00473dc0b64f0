import { describe, expect, it } from 'vitest'
import {
  AUTHORITY,
  type Draft,
  foldRun,
  isTerminal,
  isTransition,
  type RecordOf,
  type RunKind,
  type RunView,
  STATES,
  type State,
  TERMINAL_STATES,
  TRANSITIONS,
} from '../../protocol/index.js'
import { ana, ben, cid, dee, eve, obi, START, Story } from './story.js'

/** A run that ben has claimed and begun, which only dee may approve and which may be cancelled or retried. */
function setting(): {
  story: Story
  run: RecordOf<'created'>
  assigned: RecordOf<'assigned'>
  cancelled: RecordOf<'cancelled'>
} {
  const story = new Story()
  const run = story.created(ana, { approval: [dee] })
  story.wait(10)
  story.write(dee, { kind: 'approved', run: run.run, by: 'Dee' })
  story.wait(10)
  const assigned = story.assigned(ana, ben, run)
  story.claimed(ben, assigned)
  story.wait(10)
  const cancelled = story.write(ana, { kind: 'cancelled', run: run.run, round: 0 })
  story.wait(1000)
  return { story, run, assigned, cancelled }
}

const DRAFTS: { [K in RunKind]: (s: ReturnType<typeof setting>) => Draft<K> } = {
  created: () => ({ kind: 'created', type: 'test.job' }),
  assigned: ({ run, assigned }) => ({
    kind: 'assigned',
    run: run.run,
    target: cid,
    reason: 'manual',
    parent: assigned.id,
  }),
  claimed: ({ run, assigned }) => ({ kind: 'claimed', run: run.run, assignment: assigned.id }),
  started: ({ run, assigned }) => ({ kind: 'started', run: run.run, assignment: assigned.id }),
  progressed: ({ run, assigned }) => ({ kind: 'progressed', run: run.run, assignment: assigned.id, data: 1 }),
  declined: ({ run, assigned }) => ({
    kind: 'declined',
    run: run.run,
    assignment: assigned.id,
    reason: 'busy',
  }),
  released: ({ run, assigned }) => ({
    kind: 'released',
    run: run.run,
    assignment: assigned.id,
    reason: 'drain',
  }),
  held: ({ run, assigned }) => ({ kind: 'held', run: run.run, assignment: assigned.id, gapMs: 0 }),
  completed: ({ run, assigned }) => ({ kind: 'completed', run: run.run, assignment: assigned.id }),
  failed: ({ run, assigned }) => ({
    kind: 'failed',
    run: run.run,
    assignment: assigned.id,
    error: { code: 'E', message: 'no' },
  }),
  cancelled: ({ run }) => ({ kind: 'cancelled', run: run.run }),
  paused: ({ run }) => ({ kind: 'paused', run: run.run }),
  resumed: ({ run }) => ({ kind: 'resumed', run: run.run }),
  approved: ({ run }) => ({ kind: 'approved', run: run.run, by: 'Somebody' }),
  retried: ({ run, cancelled }) => ({ kind: 'retried', run: run.run, round: 1, ended: cancelled.id }),
  expedited: ({ run }) => ({ kind: 'expedited', run: run.run, priority: 3 }),
}

const ALLOWED = { member: [ana, ben, cid, dee], target: [ben], owner: [ben], approver: [dee] } as const

describe('who may write what is what the table says', () => {
  const kinds = Object.keys(AUTHORITY) as RunKind[]

  it.each(kinds)('%s', (kind) => {
    for (const who of [ana, ben, cid, dee, obi, eve]) {
      const set = setting()
      const draft = DRAFTS[kind](set)
      const record = set.story.write(who, draft as Draft)
      const view = foldRun(
        set.story.runRecords.filter((one) => one.run === set.run.run || one.id === record.id),
        set.story.group,
      ) as RunView
      const mayWrite = (ALLOWED[AUTHORITY[kind].by] as readonly string[]).includes(who)
      expect(
        view.rejected.some((rejection) => rejection.record === record.id),
        who,
      ).toBe(!mayWrite)
    }
  })

  it('an owner is a target that has claimed: before that its words about work count for nothing', () => {
    const owners = kinds.filter((kind) => AUTHORITY[kind].by === 'owner')
    expect(owners).toContain('completed')
    for (const kind of owners) {
      const set = setting()
      const unclaimed = set.story.runRecords.filter((record) => record.kind !== 'claimed')
      const record = set.story.write(ben, DRAFTS[kind](set) as Draft) as unknown as RecordOf<'completed'>
      const view = foldRun([...unclaimed, record], set.story.group) as RunView
      expect(view.rejected).toEqual([{ record: record.id, kind, author: ben, code: 'NOT_CLAIMED' }])
    }
  })
})

describe('the table of transitions', () => {
  it('names every state as an end, and none is left from completed', () => {
    expect(new Set(TRANSITIONS.map(({ to }) => to))).toEqual(new Set(Object.keys(STATES)))
    expect(TRANSITIONS.filter(({ from }) => from === 'completed')).toEqual([])
  })

  it('leaves a terminal state only for a stronger end or a new round', () => {
    for (const { from, to, record } of TRANSITIONS) {
      if (from !== null && isTerminal(from)) expect(isTerminal(to) || record === 'retried').toBe(true)
    }
    expect((Object.keys(STATES) as State[]).filter(isTerminal).sort()).toEqual([...TERMINAL_STATES].sort())
  })

  it('says no to what is not in it', () => {
    expect(isTransition('completed', 'created', 'retried')).toBe(false)
    expect(isTransition('assigned', 'processing', 'started')).toBe(false)
    expect(isTransition(null, 'created', 'created')).toBe(true)
    expect(isTransition('claimed', 'claimed', 'progressed')).toBe(true)
  })
})

it('the story begins when the tests think it does', () => {
  expect(new Story().nowMs).toBe(START + 1000)
})
