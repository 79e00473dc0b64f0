/**
 * The cases that the fold must get right, as stories. Each is a named test (`cases.test.ts`) and a vector
 * (`protocol/vectors/fold.json`). A story returns the records that its test wants to speak of.
 */
import { MIN_SILENCE_MS, type RecordOf } from '../../../protocol/index.js'
import { ana, ben, cid, dee, eve, obi, START, Story } from '../story.js'

const HEARTBEAT_TIMEOUT = 90_000
const MINUTE = 60_000

/** Created on ana, given to ben, who claimed and began. */
function benWorks(
  s: Story,
  extra: Parameters<Story['created']>[1] = {},
): { run: RecordOf<'created'>; first: RecordOf<'assigned'> } {
  const run = s.created(ana, extra)
  const first = s.assigned(ana, ben, run)
  s.wait(50)
  s.claimed(ben, first)
  s.started(ben, first)
  return { run, first }
}

export const CASES = {
  'self-assignment in one batch': (s: Story) => {
    const run = s.created(ana, { input: { file: 'a.jpg' } })
    return { run, first: s.taken(ana, run) }
  },

  'delegation to another device': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(MINUTE)
    s.progressed(ben, first, { step: 3, total: 10 })
    s.completed(ben, first, { url: 'done' })
    return { first }
  },

  'a target declines and another takes over': (s: Story) => {
    const run = s.created(ana)
    const first = s.assigned(ana, ben, run)
    s.wait(100)
    s.declined(ben, first, 'low_battery')
    s.wait(100)
    const second = s.reassigned(ana, cid, first, 'declined')
    s.claimed(cid, second)
    return { first, second }
  },

  'an assignment nobody answers times out': (s: Story) => {
    const run = s.created(ana)
    const first = s.assigned(ana, ben, run)
    s.wait(MINUTE)
    const second = s.reassigned(ana, cid, first, 'timeout')
    return { first, second }
  },

  'an owner that falls silent is replaced': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(1000)
    s.progressed(ben, first, { step: 4 })
    s.wait(HEARTBEAT_TIMEOUT)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.claimed(cid, second)
    s.started(cid, second)
    return { first, second }
  },

  'two coordinators reassign at once': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(HEARTBEAT_TIMEOUT)
    const early = s.reassigned(ana, cid, first, 'timeout', s.nowMs)
    const late = s.reassigned(dee, dee, first, 'timeout', s.nowMs + 3)
    s.wait(100)
    s.claimed(cid, early)
    s.claimed(dee, late)
    return { first, early, late }
  },

  'two reassignments in the same instant are settled by a hash': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(HEARTBEAT_TIMEOUT)
    const one = s.reassigned(ana, cid, first, 'timeout', s.nowMs)
    const other = s.reassigned(dee, dee, first, 'timeout', s.nowMs)
    return { first, one, other }
  },

  'split brain with both alive: the first owner holds': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(HEARTBEAT_TIMEOUT)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.claimed(cid, second)
    s.started(cid, second)
    s.wait(5 * MINUTE)
    const held = s.held(ben, first, [second])
    return { first, second, held }
  },

  'the first owner holds though the second has given up': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(HEARTBEAT_TIMEOUT)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.wait(100)
    s.declined(cid, second)
    s.wait(MINUTE)
    s.held(ben, first, [second])
    return { first, second }
  },

  'an owner that had not begun holds too': (s: Story) => {
    const run = s.created(ana)
    const first = s.assigned(ana, ben, run)
    s.claimed(ben, first)
    s.wait(HEARTBEAT_TIMEOUT)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.claimed(cid, second)
    s.started(cid, second)
    s.wait(MINUTE)
    s.held(ben, first, [second])
    s.wait(HEARTBEAT_TIMEOUT)
    const third = s.reassigned(ana, dee, first, 'timeout')
    s.declined(dee, third)
    s.wait(MINUTE)
    s.held(ben, first, [third])
    return { first }
  },

  'split brain with the owner asleep: its held is refused': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(HEARTBEAT_TIMEOUT)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.claimed(cid, second)
    s.wait(5 * MINUTE)
    const held = s.held(ben, first, [second], 6 * MINUTE)
    return { first, second, held }
  },

  'a gap of a second is no gap, however short a silence the run allows': (s: Story) => {
    const { first } = benWorks(s, { heartbeat: { intervalMs: 1, timeoutMs: 2 } })
    s.wait(1000)
    const second = s.reassigned(ana, cid, first, 'timeout')
    const held = s.held(ben, first, [second], MIN_SILENCE_MS)
    const late = s.held(ben, first, [], MIN_SILENCE_MS + 1)
    return { first, second, held, late }
  },

  'an owner that crashed does not hold from its new process': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(HEARTBEAT_TIMEOUT)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.claimed(cid, second)
    s.restart(ben)
    s.wait(1000)
    const takenUp = s.claimed(ben, first)
    const held = s.held(ben, first, [second], 0)
    return { first, second, takenUp, held }
  },

  'a claim that came after the reassignment holds nothing': (s: Story) => {
    const run = s.created(ana)
    const first = s.assigned(ana, ben, run)
    s.wait(MINUTE)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.wait(1000)
    s.claimed(ben, first)
    const held = s.held(ben, first, [second], 0)
    return { first, second, held }
  },

  'held flapping is bounded': (s: Story) => {
    const { first } = benWorks(s)
    const rivals = [cid, dee, ana, cid].map((target) => {
      s.wait(HEARTBEAT_TIMEOUT)
      const rival = s.reassigned(ana, target, first, 'timeout')
      s.claimed(target, rival)
      s.wait(1000)
      s.held(ben, first, [rival])
      return rival
    })
    return { first, last: rivals[3] as RecordOf<'assigned'> }
  },

  'reconcile latest: reassignments stand': (s: Story) => {
    const { first } = benWorks(s, { reconcile: 'latest' })
    s.wait(HEARTBEAT_TIMEOUT)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.claimed(cid, second)
    s.wait(MINUTE)
    s.held(ben, first, [second])
    return { first, second }
  },

  'held does not undo what a person decided': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(MINUTE)
    const second = s.reassigned(ana, cid, first, 'manual')
    s.claimed(cid, second)
    s.wait(MINUTE)
    s.held(ben, first, [second])
    return { first, second }
  },

  'the winner of a conflict holds to stand above the loser’s fence': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(HEARTBEAT_TIMEOUT)
    const early = s.reassigned(ana, cid, first, 'timeout', s.nowMs)
    const late = s.reassigned(dee, dee, first, 'timeout', s.nowMs + 3)
    s.wait(100)
    s.claimed(cid, early)
    s.wait(100)
    const rival = s.claimed(dee, late)
    s.wait(1000)
    const held = s.held(cid, early, [], 0)
    return { early, late, rival, held }
  },

  'a fence that two were granted at the same moment is contested': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(HEARTBEAT_TIMEOUT)
    const early = s.reassigned(ana, cid, first, 'timeout', s.nowMs)
    const late = s.reassigned(dee, dee, first, 'timeout', s.nowMs + 3)
    s.wait(100)
    const claim = s.claimed(cid, early)
    const rival = s.claimed(dee, late)
    return { early, late, claim, rival }
  },

  'both sides complete': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(HEARTBEAT_TIMEOUT)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.claimed(cid, second)
    s.started(cid, second)
    s.wait(1000)
    s.completed(ben, first, 'from ben')
    s.wait(1000)
    s.completed(cid, second, 'from cid')
    return { first, second }
  },

  'the losing side completes first': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(HEARTBEAT_TIMEOUT)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.claimed(cid, second)
    s.wait(1000)
    s.completed(cid, second, 'from cid')
    s.wait(1000)
    s.held(ben, first, [second])
    s.completed(ben, first, 'from ben')
    return { first, second }
  },

  'cancel races completion': (s: Story) => {
    const { run, first } = benWorks(s)
    s.wait(1000)
    const cancelled = s.write(ana, { kind: 'cancelled', run: run.run, reason: 'not needed' })
    const completed = s.completed(ben, first, 'done')
    return { cancelled, completed }
  },

  'delegation there and back again': (s: Story) => {
    const run = s.created(ana)
    const there = s.assigned(ana, ben, run)
    s.wait(100)
    s.declined(ben, there)
    const back = s.reassigned(ben, ana, there, 'declined')
    s.wait(100)
    s.claimed(ana, back)
    s.started(ana, back)
    s.completed(ana, back)
    return { there, back }
  },

  'all decline, then a new device joins': (s: Story) => {
    const run = s.created(ana)
    let last = s.assigned(ana, ben, run)
    s.declined(ben, last)
    for (const target of [cid, dee]) {
      s.wait(100)
      last = s.reassigned(ana, target, last, 'declined')
      s.declined(target, last)
    }
    s.wait(10 * MINUTE)
    s.admitted(ana, eve, 'member')
    s.wait(1000)
    const joined = s.reassigned(ana, eve, last, 'declined')
    s.claimed(eve, joined)
    return { last, joined }
  },

  'the retry cap ends a run that keeps failing': (s: Story) => {
    const run = s.created(ana, { retry: { max: 2, backoffMs: [1000, 2000] } })
    let last = s.assigned(ana, ben, run)
    for (const [i, target] of [ben, cid, dee].entries()) {
      s.wait(5000)
      s.claimed(target, last)
      s.started(target, last)
      s.failed(target, last, i === 2 ? { final: true } : {})
      s.wait(5000)
      if (i < 2) last = s.reassigned(ana, [cid, dee][i] as string, last, 'failed')
    }
    const tooMany = s.reassigned(ana, ben, last, 'failed')
    return { last, tooMany }
  },

  'the last attempt is lost and a coordinator ends the run': (s: Story) => {
    const { first } = benWorks(s, { retry: { max: 0, backoffMs: [] } })
    s.wait(HEARTBEAT_TIMEOUT)
    const error = { code: 'RETRIES_EXHAUSTED', message: 'No attempt is left.' }
    const failed = s.write(cid, { kind: 'failed', run: first.run, assignment: first.id, error, final: true })
    return { first, failed }
  },

  'a drain, a preemption and a decline spend no attempt': (s: Story) => {
    const run = s.created(ana)
    const first = s.assigned(ana, ben, run)
    s.claimed(ben, first)
    s.wait(1000)
    s.released(ben, first, 'drain')
    const second = s.reassigned(ana, cid, first, 'released')
    s.wait(1000)
    s.claimed(cid, second)
    s.started(cid, second)
    s.released(cid, second, 'preempted')
    const third = s.reassigned(cid, dee, second, 'preempted')
    s.wait(1000)
    s.declined(dee, third)
    const fourth = s.reassigned(ana, ana, third, 'declined')
    return { fourth }
  },

  'a voided timeout spends no attempt': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(HEARTBEAT_TIMEOUT)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.wait(1000)
    s.held(ben, first, [second])
    s.wait(1000)
    s.failed(ben, first)
    const third = s.reassigned(ana, dee, first, 'failed')
    return { third }
  },

  'manual retry after a failure': (s: Story) => {
    const { run, first } = benWorks(s)
    s.wait(1000)
    s.progressed(ben, first, { step: 2 })
    const failed = s.failed(ben, first, { final: true })
    s.wait(1000)
    s.write(ana, { kind: 'retried', run: run.run, round: 1, ended: failed.id })
    const again = s.assigned(ana, cid, run, { round: 1 })
    return { first, again }
  },

  'manual retry after a cancellation': (s: Story) => {
    const { run, first } = benWorks(s)
    s.wait(1000)
    const cancelled = s.write(ana, { kind: 'cancelled', run: run.run })
    s.released(ben, first, 'superseded')
    s.wait(1000)
    s.write(ana, { kind: 'retried', run: run.run, round: 1, ended: cancelled.id })
    return { first }
  },

  'retry of a completed run is refused': (s: Story) => {
    const { run, first } = benWorks(s)
    s.wait(1000)
    const cancelled = s.write(cid, { kind: 'cancelled', run: run.run })
    const completed = s.completed(ben, first, 'done')
    s.wait(1000)
    const overCompletion = s.write(ana, { kind: 'retried', run: run.run, round: 1, ended: completed.id })
    const overCancellation = s.write(ana, { kind: 'retried', run: run.run, round: 1, ended: cancelled.id })
    return { overCompletion, overCancellation }
  },

  'a run that needs an approval waits for it': (s: Story) => {
    const run = s.created(ana, { approval: 'admins' })
    const early = s.taken(ana, run)
    return { early }
  },

  'an approval lets a run go': (s: Story) => {
    const run = s.created(ben, { approval: 'admins' })
    s.wait(1000)
    s.write(ana, { kind: 'approved', run: run.run, by: 'Ana', reason: 'safe', expiresAt: s.nowMs + MINUTE })
    s.wait(1000)
    return { first: s.taken(ben, run) }
  },

  'an expired approval lets nothing go': (s: Story) => {
    const run = s.created(ben, { approval: 'admins' })
    s.wait(1000)
    s.write(ana, { kind: 'approved', run: run.run, by: 'Ana', expiresAt: s.nowMs + MINUTE })
    s.wait(2 * MINUTE)
    return { late: s.assigned(ben, ben, run) }
  },

  'an approval by somebody who may not approve is nothing': (s: Story) => {
    const run = s.created(ben, { approval: [dee] })
    s.wait(1000)
    const bens = s.write(ben, { kind: 'approved', run: run.run, by: 'Ben' })
    s.wait(1000)
    return { bens, first: s.assigned(ben, ben, run) }
  },

  'one key on two offline devices with different inputs': (s: Story) => {
    const onBen = s.created(ben, { key: 'photo-17', input: 'from ben' })
    const benRoot = s.taken(ben, onBen)
    s.wait(200)
    const onCid = s.created(cid, { key: 'photo-17', input: 'from cid' })
    const cidRoot = s.taken(cid, onCid)
    s.wait(1000)
    s.held(ben, benRoot, [], 0)
    return { onBen, onCid, benRoot, cidRoot }
  },

  'one key on two offline devices with the same input': (s: Story) => {
    const onBen = s.created(ben, { key: 'photo-17', input: 'same' })
    s.wait(200)
    const onCid = s.created(cid, { key: 'photo-17', input: 'same' })
    return { onBen, onCid }
  },

  'the owner works on the input that the run has': (s: Story) => {
    const onBen = s.created(ben, { key: 'photo-17', input: 'from ben' })
    s.wait(200)
    const onCid = s.created(cid, { key: 'photo-17', input: 'from cid' })
    const cidRoot = s.taken(cid, onCid)
    s.wait(200)
    const benRoot = s.taken(ben, onBen)
    return { benRoot, cidRoot }
  },

  'priority raised while running': (s: Story) => {
    const { run } = benWorks(s, { priority: -10 })
    s.wait(1000)
    s.write(cid, { kind: 'expedited', run: run.run, priority: 10 })
    return {}
  },

  'pause while claimed': (s: Story) => {
    const { run, first } = benWorks(s)
    s.wait(1000)
    s.progressed(ben, first, { step: 5 })
    s.write(ana, { kind: 'paused', run: run.run, reason: 'let me look' })
    s.wait(100)
    s.released(ben, first, 'paused')
    return { first }
  },

  'resume after a pause': (s: Story) => {
    const { run, first } = benWorks(s)
    s.wait(1000)
    s.write(ana, { kind: 'paused', run: run.run })
    s.released(ben, first, 'paused')
    s.wait(1000)
    s.write(cid, { kind: 'resumed', run: run.run })
    const second = s.reassigned(ana, ben, first, 'released')
    return { second }
  },

  'a backdated record does not get before what it cites': (s: Story) => {
    const run = s.created(ana)
    s.wait(1000)
    const first = s.assigned(ana, ben, run)
    s.claimed(ben, first)
    s.wait(HEARTBEAT_TIMEOUT)
    const honest = s.reassigned(ana, cid, first, 'timeout')
    const beforeParent = s.reassigned(dee, dee, first, 'timeout', START + 1500)
    const beforeRun = s.reassigned(dee, dee, first, 'timeout', START + 500)
    return { honest, beforeParent, beforeRun }
  },

  'records by a stranger count for nothing': (s: Story) => {
    const run = s.created(ana)
    const first = s.assigned(eve, eve, run)
    s.claimed(eve, first)
    s.write(eve, { kind: 'cancelled', run: run.run })
    return { first }
  },

  'records by an observer count for nothing': (s: Story) => {
    const run = s.created(ana)
    s.write(obi, { kind: 'cancelled', run: run.run })
    const toObserver = s.assigned(ana, obi, run)
    return { toObserver }
  },

  'what a revoked device wrote before stays': (s: Story) => {
    const run = s.created(ben, { input: 'kept' })
    const first = s.taken(ben, run)
    s.wait(1000)
    s.revoked(ana, ben)
    s.wait(1000)
    const late = s.completed(ben, first, 'too late')
    return { first, late }
  },

  'an owner that was revoked is replaced': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(1000)
    s.revoked(ana, ben)
    s.wait(1000)
    const second = s.reassigned(ana, cid, first, 'timeout')
    s.claimed(cid, second)
    const toRevoked = s.reassigned(cid, ben, second, 'manual')
    return { second, toRevoked }
  },

  'words about another’s assignment count for nothing': (s: Story) => {
    const run = s.created(ana)
    const first = s.assigned(ana, ben, run)
    s.wait(100)
    s.claimed(cid, first)
    s.wait(100)
    s.started(ben, first)
    s.completed(ben, first, 'never claimed')
    s.wait(100)
    s.claimed(ben, first)
    s.wait(100)
    s.completed(cid, first, 'never owned')
    s.released(cid, first)
    s.failed(cid, first)
    s.failed(cid, first, { final: true })
    return { first }
  },

  'a reassignment without its cause counts for nothing': (s: Story) => {
    const { first } = benWorks(s)
    s.wait(100)
    s.reassigned(cid, cid, first, 'declined')
    s.reassigned(cid, cid, first, 'released')
    s.reassigned(cid, cid, first, 'failed')
    s.reassigned(cid, cid, first, 'preempted')
    return { first }
  },

  'a deadline that passed lets anyone end the run': (s: Story) => {
    const run = s.created(ana, { deadline: START + MINUTE, requires: ['gpu'] })
    const error = { code: 'DEADLINE', message: 'No device was found in time.' }
    const early = s.write(ben, { kind: 'failed', run: run.run, error, final: true })
    s.wait(2 * MINUTE)
    s.write(cid, { kind: 'failed', run: run.run, error, final: true })
    return { early }
  },

  'a run is not assigned before its time': (s: Story) => {
    const run = s.created(ana, { notBefore: START + 2 * MINUTE })
    const early = s.assigned(ana, ben, run)
    s.wait(2 * MINUTE)
    const onTime = s.assigned(ana, ben, run)
    return { early, onTime }
  },

  'privacy keeps a run where it belongs': (s: Story) => {
    s.admitted(ana, cid, 'member', ['trusted_only'])
    s.wait(100)
    const run = s.created(ana, { privacy: ['trusted_only'] })
    const untrusted = s.assigned(ana, ben, run)
    const trusted = s.assigned(ana, cid, run)
    return { untrusted, trusted }
  },

  'a local run stays on its device': (s: Story) => {
    const run = s.created(ana, { privacy: ['local_only'] })
    const away = s.assigned(ana, ben, run)
    const home = s.assigned(ana, ana, run)
    return { away, home }
  },

  'a restarted owner takes its run up again': (s: Story) => {
    const { first } = benWorks(s)
    s.progressed(ben, first, { step: 7 })
    s.wait(10_000)
    s.restart(ben)
    const again = s.claimed(ben, first)
    return { first, again }
  },

  'a thousand records of one run': (s: Story) => {
    const { first } = benWorks(s)
    for (let step = 0; s.runRecords.length < 999; step++) {
      s.wait(100)
      s.progressed(ben, first, { step })
    }
    s.completed(ben, first, 'at last')
    return { first }
  },
} as const satisfies Record<string, (s: Story) => Record<string, unknown>>

export type CaseName = keyof typeof CASES

/** Tells a case's story. */
export function play<N extends CaseName>(name: N): { story: Story; said: ReturnType<(typeof CASES)[N]> } {
  const story = new Story()
  const said = CASES[name](story) as ReturnType<(typeof CASES)[N]>
  return { story, said }
}
