import { describe, expect, it } from 'vitest'
import { compareBytes } from '../../../protocol/cbor.js'
import {
  type CandidateVerdict,
  choose,
  encodeView,
  foldRun,
  msOf,
  needsOf,
  type RejectionCode,
  RunTable,
  type RunView,
  tieHash,
  waitingFor,
} from '../../../protocol/index.js'
import { candidate } from '../choose/candidates.js'
import { ana, ben, cid, dee, eve, GROUP, type Story } from '../story.js'
import { CASES, type CaseName, play } from './cases.js'

function codes(view: RunView): RejectionCode[] {
  return view.rejected.map(({ code }) => code)
}

function codeOf(view: RunView, record: { id: string }): RejectionCode | undefined {
  return view.rejected.find((rejection) => rejection.record === record.id)?.code
}

/** Runs a test under the very name of the case it is about. */
function onCase<N extends CaseName>(
  name: N,
  test: (view: RunView, said: ReturnType<(typeof CASES)[N]>, story: Story) => void,
): void {
  it(name, () => {
    const { story, said } = play(name)
    test(story.view, said, story)
  })
}

describe('getting a run to a device', () => {
  onCase('self-assignment in one batch', (view, { run, first }) => {
    expect(view).toMatchObject({
      state: 'processing',
      owner: ana,
      run: run.run,
      round: 0,
      starts: 1,
      contested: false,
    })
    expect(view.assignment).toMatchObject({
      id: first.id,
      device: ana,
      assignedBy: ana,
      attempt: 1,
      madeFor: 'created',
    })
    expect(view.previousAssignments).toEqual([])
    expect(view.rejected).toEqual([])
  })

  onCase('delegation to another device', (view, { first }) => {
    expect(view).toMatchObject({ state: 'completed', owner: null, attemptsSpent: 0 })
    expect(view.result).toMatchObject({ output: { url: 'done' }, device: ben, assignment: first.id })
    expect(view.progress).toEqual({ step: 3, total: 10 })
  })

  onCase('a target declines and another takes over', (view, { first, second }) => {
    expect(view).toMatchObject({ state: 'claimed', owner: cid, attemptsSpent: 0 })
    expect(view.assignment?.id).toBe(second.id)
    expect(view.previousAssignments).toMatchObject([
      { id: first.id, device: ben, reason: 'declined', detail: 'low_battery', durationMs: 100 },
    ])
  })

  onCase('an assignment nobody answers times out', (view, { second }) => {
    expect(view).toMatchObject({ state: 'assigned', owner: null, attemptsSpent: 1 })
    expect(view.assignment).toMatchObject({ id: second.id, device: cid, attempt: 2, claimedAt: null })
    expect(view.previousAssignments).toMatchObject([{ device: ben, reason: 'timeout', durationMs: 60_000 }])
  })

  onCase('an owner that falls silent is replaced', (view, { second }) => {
    expect(view).toMatchObject({ state: 'processing', owner: cid, starts: 2, progress: null })
    expect(view.checkpoint).toEqual({ step: 4 })
    expect(view.assignment).toMatchObject({ id: second.id, attempt: 2 })
  })

  onCase('delegation there and back again', (view, { there, back }) => {
    expect(view).toMatchObject({ state: 'completed', result: { device: ana, assignment: back.id } })
    expect(view.previousAssignments).toMatchObject([{ id: there.id, reason: 'declined' }])
    expect(view.conflicts).toEqual([])
  })

  onCase('a restarted owner takes its run up again', (view, { first, again }) => {
    expect(view).toMatchObject({ state: 'claimed', owner: ben, fence: again.stamp, checkpoint: { step: 7 } })
    expect(view.assignment).toMatchObject({ id: first.id, incarnation: again.incarnation, attempt: 1 })
  })

  it('all decline, then a new device joins', () => {
    const { story, said } = play('all decline, then a new device joins')
    expect(story.view).toMatchObject({ state: 'claimed', owner: eve, attemptsSpent: 0 })
    expect(story.view.previousAssignments.map(({ device, reason }) => [device, reason])).toEqual([
      [ben, 'declined'],
      [cid, 'declined'],
      [dee, 'declined'],
    ])
    // Before eve joined nobody was left to ask; afterwards she is, and so is everyone else again.
    const before = foldRun(
      story.runRecords.filter(({ stamp }) => stamp < said.joined.stamp),
      story.group,
    ) as RunView
    const nowMs = before.updatedAt + 1000
    expect(waitingFor(before, nowMs)?.reason).toBe('no_device')
    const candidates = [ben, cid, dee].map((device) => candidate({ device }))
    const run = needsOf(before, nowMs)
    const refused = choose({ group: GROUP, run, candidates, nowMs })
    expect(refused.winner).toBeNull()
    expect(
      refused.candidates.flatMap((verdict: CandidateVerdict) => verdict.gates.map((gate) => gate.code)),
    ).toEqual(Array(3).fill('EXCLUDED'))
    const joined = [...candidates, candidate({ device: eve })]
    expect(choose({ group: GROUP, run, candidates: joined, nowMs }).winner).toBe(eve)
    const cleared = choose({ group: GROUP, run, candidates, nowMs, membershipChangedAt: nowMs })
    expect(cleared.winner).not.toBeNull()
  })
})

describe('two devices have the same run', () => {
  onCase('two coordinators reassign at once', (view, { early, late }) => {
    expect(view.assignment?.id).toBe(early.id)
    expect(view.owner).toBe(cid)
    expect(view.previousAssignments.find(({ id }) => id === late.id)?.reason).toBe('superseded')
    expect(view.conflicts).toMatchObject([{ type: 'owner', device: dee, record: late.id }])
  })

  onCase('two reassignments in the same instant are settled by a hash', (view, { one, other }) => {
    const [winner] = [one, other].sort((a, b) => compareBytes(tieHash(a), tieHash(b)))
    expect(one.stamp).toBe(other.stamp)
    expect(view.assignment?.id).toBe(winner?.id)
  })

  onCase('split brain with both alive: the first owner holds', (view, { first, second, held }) => {
    expect(view).toMatchObject({
      state: 'processing',
      owner: ben,
      fence: held.stamp,
      contested: false,
      attemptsSpent: 0,
    })
    expect(view.assignment?.id).toBe(first.id)
    expect(view.previousAssignments).toMatchObject([
      { id: second.id, device: cid, reason: 'voided', endedAt: msOf(held.stamp) },
    ])
    expect(view.conflicts).toMatchObject([{ type: 'owner', device: cid }])
    expect(view.starts).toBe(2)
  })

  onCase('the first owner holds though the second has given up', (view, { first, second }) => {
    expect(view).toMatchObject({ state: 'processing', owner: ben })
    expect(view.assignment?.id).toBe(first.id)
    expect(view.previousAssignments).toMatchObject([{ id: second.id, reason: 'declined' }])
  })

  onCase('an owner that had not begun holds too', (view, { first }) => {
    expect(view).toMatchObject({ state: 'claimed', owner: ben, rejected: [] })
    expect(view.assignment?.id).toBe(first.id)
  })

  onCase('split brain with the owner asleep: its held is refused', (view, { second, held }) => {
    expect(view).toMatchObject({ state: 'claimed', owner: cid })
    expect(view.assignment?.id).toBe(second.id)
    expect(codeOf(view, held)).toBe('HELD_AFTER_GAP')
  })

  onCase(
    'a gap of a second is no gap, however short a silence the run allows',
    (view, { first, held, late }) => {
      expect(view).toMatchObject({ state: 'processing', owner: ben, fence: held.stamp })
      expect(view.assignment?.id).toBe(first.id)
      expect(codeOf(view, late)).toBe('HELD_AFTER_GAP')
    },
  )

  onCase('an owner that crashed does not hold from its new process', (view, { second, held, takenUp }) => {
    expect(view).toMatchObject({ owner: cid, highestFence: held.stamp, contested: true })
    expect(view.assignment?.id).toBe(second.id)
    expect(codeOf(view, held)).toBe('HELD_NOT_FIRST')
    expect(takenUp.stamp).toBeGreaterThan(view.assignment?.fence ?? 0)
  })

  onCase('a claim that came after the reassignment holds nothing', (view, { second, held }) => {
    expect(view.assignment?.id).toBe(second.id)
    expect(codeOf(view, held)).toBe('HELD_NOT_FIRST')
  })

  onCase('held flapping is bounded', (view, { last }) => {
    expect(view.assignment?.id).toBe(last.id)
    expect(codes(view)).toEqual(['HELD_LIMIT'])
    expect(view.previousAssignments.filter(({ reason }) => reason === 'voided')).toHaveLength(3)
  })

  onCase('reconcile latest: reassignments stand', (view, { second }) => {
    expect(view).toMatchObject({ owner: cid, contested: true })
    expect(view.assignment?.id).toBe(second.id)
    expect(codes(view)).toEqual(['HELD_OFF'])
  })

  onCase('held does not undo what a person decided', (view, { second }) => {
    expect(view.assignment?.id).toBe(second.id)
    expect(codes(view)).toEqual(['HELD_NOT_TIMEOUT'])
  })

  onCase(
    'the winner of a conflict holds to stand above the loser’s fence',
    (view, { rival, held }, story) => {
      const before = foldRun(
        story.runRecords.filter(({ id }) => id !== held.id),
        story.group,
      ) as RunView
      expect(before).toMatchObject({ owner: cid, contested: true, highestFence: rival.stamp })
      expect(before.fence).toBeLessThan(rival.stamp)
      expect(view).toMatchObject({
        owner: cid,
        contested: false,
        fence: held.stamp,
        highestFence: held.stamp,
      })
    },
  )

  onCase('a fence that two were granted at the same moment is contested', (view, { claim, rival }) => {
    expect(claim.stamp).toBe(rival.stamp)
    expect(view).toMatchObject({ owner: cid, fence: claim.stamp, highestFence: rival.stamp, contested: true })
  })

  onCase('both sides complete', (view, { first, second }) => {
    expect(view).toMatchObject({ state: 'completed', result: { output: 'from ben', assignment: first.id } })
    expect(view.conflicts).toMatchObject([
      { type: 'owner', record: second.id },
      { type: 'completed', device: cid, output: 'from cid' },
    ])
  })

  onCase('the losing side completes first', (view, { first, second }, story) => {
    const before = foldRun(story.runRecords.slice(0, -2), story.group) as RunView
    expect(before).toMatchObject({
      state: 'completed',
      result: { output: 'from cid', assignment: second.id },
    })
    expect(view).toMatchObject({ state: 'completed', result: { output: 'from ben', assignment: first.id } })
    expect(view.conflicts).toContainEqual(expect.objectContaining({ type: 'completed', output: 'from cid' }))
  })

  onCase(
    'one key on two offline devices with different inputs',
    (view, { onBen, onCid, benRoot, cidRoot }) => {
      expect(onBen.run).toBe(onCid.run)
      expect(view.created.input).toBe('from ben')
      expect(view).toMatchObject({ owner: ben, contested: false })
      expect(view.assignment?.id).toBe(benRoot.id)
      expect(view.conflicts).toMatchObject([
        { type: 'created', record: onCid.id, device: cid },
        { type: 'owner', record: cidRoot.id, device: cid },
      ])
    },
  )

  onCase('one key on two offline devices with the same input', (view, { onBen }) => {
    expect(view).toMatchObject({ state: 'created', conflicts: [], createdAt: msOf(onBen.stamp) })
    expect(view.created.id).toBe(onBen.id)
  })

  onCase('the owner works on the input that the run has', (view, { benRoot, cidRoot }) => {
    expect(cidRoot.stamp).toBeLessThan(benRoot.stamp)
    expect(view.created.input).toBe('from ben')
    expect(view.assignment?.id).toBe(benRoot.id)
  })
})

describe('how a run ends', () => {
  onCase('cancel races completion', (view, { cancelled, completed }, story) => {
    expect(view).toMatchObject({ state: 'completed', result: { output: 'done' }, cancelled: null })
    const alone = foldRun(
      story.runRecords.filter(({ id }) => id !== completed.id),
      story.group,
    ) as RunView
    expect(alone).toMatchObject({
      state: 'cancelled',
      cancelled: { by: ana, record: cancelled.id, reason: 'not needed' },
    })
  })

  onCase('the retry cap ends a run that keeps failing', (view, { last, tooMany }) => {
    expect(view).toMatchObject({ state: 'failed', attemptsSpent: 3, attemptsAllowed: 3, retryAt: null })
    expect(view.error).toMatchObject({ code: 'BROKEN', device: dee })
    expect(view.assignment?.id).toBe(last.id)
    expect(codeOf(view, tooMany)).toBe('RETRIES_EXHAUSTED')
  })

  it('a failed attempt waits for its backoff, which grows', () => {
    const { story } = play('the retry cap ends a run that keeps failing')
    const failures = story.runRecords.filter(({ kind }) => kind === 'failed')
    for (const [i, backoff] of [1000, 2000].entries()) {
      const failed = failures[i] as (typeof failures)[number]
      const view = foldRun(
        story.runRecords.filter(({ stamp }) => stamp <= failed.stamp),
        story.group,
      ) as RunView
      expect(view).toMatchObject({
        state: 'reassigning',
        attemptsSpent: i + 1,
        retryAt: msOf(failed.stamp) + backoff,
      })
      expect(waitingFor(view, msOf(failed.stamp))).toMatchObject({ reason: 'backoff', until: view.retryAt })
      expect(waitingFor(view, msOf(failed.stamp) + backoff)?.reason).toBe('no_device')
    }
  })

  onCase('the last attempt is lost and a coordinator ends the run', (view, { failed }) => {
    expect(view).toMatchObject({
      state: 'failed',
      error: { code: 'RETRIES_EXHAUSTED', device: cid, record: failed.id },
    })
    expect(view.rejected).toEqual([])
  })

  onCase('a drain, a preemption and a decline spend no attempt', (view, { fourth }) => {
    expect(view).toMatchObject({ state: 'assigned', attemptsSpent: 0, rejected: [] })
    expect(view.assignment).toMatchObject({ id: fourth.id, attempt: 1 })
    expect(view.previousAssignments.map(({ reason }) => reason)).toEqual([
      'released',
      'preempted',
      'declined',
    ])
  })

  onCase('a voided timeout spends no attempt', (view, { third }) => {
    expect(view.assignment).toMatchObject({ id: third.id, attempt: 2 })
    expect(view.attemptsSpent).toBe(1)
    expect(view.previousAssignments.map(({ reason }) => reason)).toEqual(['failed', 'voided'])
  })

  onCase('manual retry after a failure', (view, { first, again }) => {
    expect(view).toMatchObject({
      state: 'assigned',
      round: 1,
      attemptsSpent: 0,
      error: null,
      checkpoint: null,
    })
    expect(view.assignment).toMatchObject({ id: again.id, attempt: 1, round: 1 })
    expect(view.previousAssignments).toMatchObject([{ id: first.id, reason: 'failed', round: 0 }])
  })

  onCase('manual retry after a cancellation', (view, { first }) => {
    expect(view).toMatchObject({ state: 'created', round: 1, cancelled: null, assignment: null })
    expect(view.previousAssignments).toMatchObject([
      { id: first.id, reason: 'released', detail: 'superseded' },
    ])
  })

  onCase('retry of a completed run is refused', (view, { overCompletion, overCancellation }) => {
    expect(view).toMatchObject({ state: 'completed', round: 0, result: { output: 'done' } })
    expect(codeOf(view, overCompletion)).toBe('NOT_ENDED')
    expect(codeOf(view, overCancellation)).toBe('RUN_COMPLETED')
  })

  onCase('a deadline that passed lets anyone end the run', (view, { early }) => {
    expect(view).toMatchObject({ state: 'failed', error: { code: 'DEADLINE', device: cid } })
    expect(codeOf(view, early)).toBe('BEFORE_DEADLINE')
  })
})

describe('what a run waits for', () => {
  onCase('a run that needs an approval waits for it', (view, { early }) => {
    expect(view).toMatchObject({ state: 'created', owner: null, approval: null })
    expect(codeOf(view, early)).toBe('APPROVAL_MISSING')
    expect(waitingFor(view, view.updatedAt)?.reason).toBe('approval')
    expect(needsOf(view, view.updatedAt).approved).toBe(false)
  })

  onCase('an approval lets a run go', (view) => {
    expect(view).toMatchObject({ state: 'processing', owner: ben, approval: { by: 'Ana', device: ana } })
    expect(needsOf(view, view.updatedAt).approved).toBe(true)
  })

  onCase('an expired approval lets nothing go', (view, { late }) => {
    expect(view.state).toBe('created')
    expect(codeOf(view, late)).toBe('APPROVAL_EXPIRED')
    expect(waitingFor(view, msOf(late.stamp))).toMatchObject({
      reason: 'approval',
      sentence: expect.stringContaining('expired'),
    })
  })

  onCase('an approval by somebody who may not approve is nothing', (view, { bens, first }) => {
    expect(view).toMatchObject({ state: 'created', approval: null })
    expect(codeOf(view, bens)).toBe('NOT_APPROVER')
    expect(codeOf(view, first)).toBe('APPROVAL_MISSING')
  })

  onCase('priority raised while running', (view) => {
    expect(view).toMatchObject({ state: 'processing', priority: 10, owner: ben })
  })

  onCase('pause while claimed', (view, { first }, story) => {
    const before = foldRun(story.runRecords.slice(0, -1), story.group) as RunView
    expect(before).toMatchObject({
      state: 'processing',
      owner: ben,
      paused: { by: ana, reason: 'let me look' },
    })
    expect(view).toMatchObject({
      state: 'reassigning',
      owner: null,
      attemptsSpent: 0,
      checkpoint: { step: 5 },
    })
    expect(view.assignment).toMatchObject({ id: first.id, givenUp: { reason: 'released', detail: 'paused' } })
    expect(waitingFor(view, view.updatedAt)?.reason).toBe('paused')
  })

  onCase('resume after a pause', (view, { second }) => {
    expect(view).toMatchObject({ state: 'assigned', paused: null })
    expect(view.assignment?.id).toBe(second.id)
    expect(waitingFor(view, view.updatedAt)).toBeNull()
  })

  onCase('a run is not assigned before its time', (view, { early, onTime }) => {
    expect(view.assignment?.id).toBe(onTime.id)
    expect(codeOf(view, early)).toBe('TOO_EARLY')
  })
})

describe('who may write what', () => {
  onCase(
    'a backdated record does not get before what it cites',
    (view, { honest, beforeParent, beforeRun }) => {
      expect(view.assignment?.id).toBe(honest.id)
      expect(codeOf(view, beforeParent)).toBe('BACKDATED')
      expect(codeOf(view, beforeRun)).toBe('BEFORE_CREATED')
    },
  )

  onCase('records by a stranger count for nothing', (view) => {
    expect(view).toMatchObject({ state: 'created', assignment: null, cancelled: null })
    expect(codes(view)).toEqual(['NOT_A_MEMBER', 'NOT_A_MEMBER', 'NOT_A_MEMBER'])
  })

  onCase('records by an observer count for nothing', (view, { toObserver }) => {
    expect(view.state).toBe('created')
    expect(codes(view).sort()).toEqual(['OBSERVER', 'TARGET_NOT_ALLOWED'])
    expect(codeOf(view, toObserver)).toBe('TARGET_NOT_ALLOWED')
  })

  onCase('what a revoked device wrote before stays', (view, { first, late }) => {
    expect(view).toMatchObject({ state: 'processing', result: null })
    expect(view.assignment?.id).toBe(first.id)
    expect(view.created.input).toBe('kept')
    expect(codeOf(view, late)).toBe('REVOKED')
  })

  onCase('an owner that was revoked is replaced', (view, { second, toRevoked }) => {
    expect(view).toMatchObject({ owner: cid })
    expect(view.assignment?.id).toBe(second.id)
    expect(codeOf(view, toRevoked)).toBe('TARGET_NOT_ALLOWED')
  })

  onCase('words about another’s assignment count for nothing', (view) => {
    expect(view).toMatchObject({ state: 'claimed', owner: ben, result: null, error: null })
    expect(view.rejected.map(({ kind, author, code }) => [kind, author, code])).toEqual([
      ['claimed', cid, 'NOT_TARGET'],
      ['started', ben, 'NOT_CLAIMED'],
      ['completed', ben, 'NOT_CLAIMED'],
      ['completed', cid, 'NOT_TARGET'],
      ['released', cid, 'NOT_TARGET'],
      ['failed', cid, 'NOT_FINAL'],
      ['failed', cid, 'NOT_TARGET'],
    ])
  })

  onCase('a reassignment without its cause counts for nothing', (view, { first }) => {
    expect(view).toMatchObject({ state: 'processing', owner: ben })
    expect(view.assignment?.id).toBe(first.id)
    expect(codes(view)).toEqual(['NO_CAUSE', 'NO_CAUSE', 'NO_CAUSE', 'NO_CAUSE'])
  })

  onCase('privacy keeps a run where it belongs', (view, { untrusted, trusted }) => {
    expect(view.assignment?.id).toBe(trusted.id)
    expect(codeOf(view, untrusted)).toBe('PRIVACY')
  })

  onCase('a local run stays on its device', (view, { away, home }) => {
    expect(view.assignment?.id).toBe(home.id)
    expect(codeOf(view, away)).toBe('PRIVACY')
  })
})

describe('size', () => {
  onCase('a thousand records of one run', (view, { first }, story) => {
    expect(story.runRecords).toHaveLength(1000)
    expect(view).toMatchObject({ state: 'completed', result: { assignment: first.id, output: 'at last' } })
    const table = new RunTable(story.group)
    for (const record of story.runRecords) table.add(record)
    expect(encodeView(table.view(view.run) as RunView)).toEqual(encodeView(view))
  })
})

it('every case is tested under its own name', async () => {
  const { readFileSync } = await import('node:fs')
  const source = readFileSync(new URL(import.meta.url), 'utf8')
  for (const name of Object.keys(CASES)) {
    expect(source, name).toMatch(new RegExp(`(onCase|it)\\(\\s*'${name}'`))
  }
})
