import { describe, expect, it } from 'vitest'
import type { RunView } from '../../protocol/index.js'
import { ana, ben, cid, dee } from '../protocol/story.js'
import { Desk, FACTS, HEARTBEAT, kindsOf } from './desk.js'

const JOB = { heartbeat: HEARTBEAT }

/** A desk at which ben and cid have been heard for longer than any timeout. */
function among(...args: ConstructorParameters<typeof Desk>): Desk {
  const desk = new Desk(...args)
  desk.alive.add(ben).add(cid)
  desk.wait(4000)
  desk.take('beacon')
  return desk
}

/** A run of ben's that ben has begun. */
function bensRun(desk: Desk, extra: object = {}): RunView {
  const created = desk.story.created(ben, { ...JOB, ...extra })
  desk.story.taken(ben, created)
  desk.tell()
  return desk.view(created.run) as RunView
}

function now(desk: Desk, { run }: RunView): RunView {
  return desk.view(run) as RunView
}

describe('a run that is made here', () => {
  it('is made, assigned, claimed and started in one write, and begun once that is durable', () => {
    const desk = new Desk()
    desk.isStoreStuck = true
    desk.take('timer')
    desk.step({ type: 'submit', ask: 1, draft: { kind: 'created', type: 'test.job' } })
    expect(desk.effects.map(({ type }) => type)).not.toContain('work')
    desk.store()
    expect(kindsOf(desk.effects.filter((effect) => effect.type === 'append'))).toEqual([
      'created+assigned+claimed+started',
    ])
    expect(desk.take('work')).toHaveLength(1)
  })

  it('gives its slot back if it could not be written', () => {
    const desk = new Desk()
    desk.isStoreStuck = true
    desk.step({ type: 'submit', ask: 1, draft: { kind: 'created', type: 'test.job' } })
    expect(desk.state.used).toBe(1)
    desk.store(true)
    expect([desk.state.used, desk.state.runs.size]).toEqual([0, 0])
  })

  it('waits for a slot and begins when one is free', () => {
    const desk = new Desk({}, { slots: 1 })
    const first = desk.submit()
    const second = desk.submit()
    expect(second.state).toBe('created')
    desk.end(first)
    expect(now(desk, second).state).toBe('processing')
  })

  it('is written down as done again and again until the store takes it', () => {
    const desk = new Desk()
    const run = desk.submit()
    desk.isStoreStuck = true
    desk.end(run)
    desk.store(true)
    expect([desk.state.used, desk.state.isIdle]).toEqual([0, false])
    desk.isStoreStuck = false
    desk.wait(1500)
    expect(now(desk, run).state).toBe('completed')
    expect(desk.state.isIdle).toBe(true)
  })

  it('fails for good with its last attempt, and its circuit opens after five', () => {
    const desk = new Desk()
    const outcome = { type: 'failed', error: { code: 'NO', message: '' }, permanent: false } as const
    for (let i = 0; i < 5; i++) {
      const run = desk.submit({ retry: { max: 0, backoffMs: [] } })
      desk.end(run, outcome)
      expect(now(desk, run).state).toBe('failed')
    }
    expect(desk.submit().state).toBe('created')
    desk.wait(65_000)
    expect([...desk.state.runs.values()].map(({ view }) => view.state)).toEqual(['processing'])
  })

  it('goes on after its backoff, and not before', () => {
    const desk = new Desk()
    const run = desk.submit({ retry: { max: 1, backoffMs: [2000] } })
    desk.end(run, { type: 'failed', error: { code: 'NO', message: '' }, permanent: false })
    desk.wait(1900)
    expect(now(desk, run).state).toBe('reassigning')
    desk.wait(200)
    expect(now(desk, run)).toMatchObject({ state: 'processing', assignment: { attempt: 2 } })
  })

  it('waits for its time', () => {
    const desk = new Desk()
    const run = desk.submit({ notBefore: desk.story.nowMs + 60_000 })
    desk.wait(59_000)
    expect(now(desk, run).state).toBe('created')
    desk.wait(1500)
    expect(now(desk, run).state).toBe('processing')
  })

  it('begins on time although the device slept meanwhile', () => {
    const desk = new Desk()
    const run = desk.submit({ notBefore: desk.story.nowMs + 60_000 })
    desk.wait(1000)
    desk.sleep(60_000)
    desk.wait(2000)
    expect(now(desk, run).state).toBe('processing')
  })

  it('waits for an approval, and leaves the line when that expires', () => {
    const desk = new Desk({}, { slots: 1 })
    const first = desk.submit()
    const run = desk.submit({ approval: 'members' })
    desk.story.write(ben, { kind: 'approved', run: run.run, by: 'ben', expiresAt: desk.story.nowMs + 5000 })
    desk.tell()
    const other = desk.submit({ priority: -5 })
    expect(desk.state.waiting.size).toBe(2)
    desk.wait(6000)
    desk.end(first)
    expect([now(desk, run).state, now(desk, other).state]).toEqual(['created', 'processing'])
  })

  it('fails at its deadline, also while nobody works on it', () => {
    const desk = new Desk({}, { slots: 1 })
    desk.submit()
    const run = desk.submit({ deadline: desk.story.nowMs + 5000 })
    desk.wait(6000)
    expect(now(desk, run)).toMatchObject({ state: 'failed', error: { code: 'DEADLINE' } })
  })

  it('that is expedited moves up in the line', () => {
    const desk = new Desk({}, { slots: 1 })
    const first = desk.submit()
    const second = desk.submit()
    const third = desk.submit()
    desk.story.write(ben, { kind: 'expedited', run: third.run, priority: 5 })
    desk.tell()
    desk.end(first)
    expect([now(desk, second).state, now(desk, third).state]).toEqual(['created', 'processing'])
  })

  it('is cancelled with the run that made it, although it runs here', () => {
    const desk = new Desk()
    const parent = desk.submit()
    const child = desk.submit({ parent: parent.run })
    desk.story.write(ben, { kind: 'cancelled', run: parent.run })
    desk.tell()
    expect(now(desk, child).state).toBe('cancelled')
    expect(desk.take('stop').map(({ reason }) => reason)).toEqual(['cancelled', 'cancelled'])
  })

  it('begins anew when it is retried', () => {
    const desk = new Desk()
    const run = desk.submit()
    const cancelled = desk.story.write(ben, { kind: 'cancelled', run: run.run })
    desk.tell()
    desk.end(run, { type: 'stopped' })
    expect(desk.state.runs.size).toBe(0)
    desk.story.write(ben, { kind: 'retried', run: run.run, round: 1, ended: cancelled.id })
    desk.tell()
    expect(now(desk, run)).toMatchObject({ state: 'processing', round: 1 })
  })
})

describe('a run that nobody can take', () => {
  it('is taken at once when a handler for it is registered', () => {
    const desk = new Desk()
    const run = desk.submit({ type: 'other.job' })
    expect(run.state).toBe('created')
    desk.step({ type: 'local', facts: { ...FACTS, handles: new Map([['other.job', 1]]) } })
    expect(now(desk, run).state).toBe('processing')
  })

  it('is asked for again after a wait that grows, and at once when a device joins', () => {
    const desk = among({ choose: { exclusionMs: 600_000 } }, { handles: new Map() })
    const run = desk.submit()
    const refuse = (): void => {
      const { assignment } = now(desk, run)
      if (assignment === null || assignment.givenUp !== null) return
      desk.story.write(assignment.device, {
        kind: 'declined',
        run: run.run,
        assignment: assignment.id,
        reason: 'no',
      })
      desk.tell()
    }
    const asked = (): number => now(desk, run).previousAssignments.length + 1
    for (let s = 0; s < 60; s++) {
      refuse()
      desk.wait(1000)
    }
    expect(asked()).toBeGreaterThan(4)
    expect(asked()).toBeLessThan(14)
    const before = asked()
    desk.story.write(dee, {
      kind: 'profiled',
      name: 'dee',
      class: 'desktop',
      capabilities: [],
      handles: ['test.job'],
    })
    desk.tellGroup()
    desk.beacon(dee)
    expect(asked()).toBe(before + 1)
    expect(now(desk, run).assignment?.device).toBe(dee)
  })
})

describe('a run that is given to this device', () => {
  function given(desk: Desk, extra: object = {}): RunView {
    const created = desk.story.created(ben, { ...JOB, ...extra })
    desk.story.assigned(ben, ana, created)
    desk.tell()
    return desk.view(created.run) as RunView
  }

  it('is claimed and begun', () => {
    expect(given(among()).state).toBe('processing')
  })

  it('is declined with the reason', () => {
    const desk = among({ willing: () => 'too hot' })
    expect(given(desk)).toMatchObject({
      state: 'reassigning',
      assignment: { givenUp: { reason: 'declined' } },
    })
  })

  it('is left alone while it is paused, and begun when it is resumed', () => {
    const desk = among()
    const created = desk.story.created(ben, JOB)
    desk.story.assigned(ben, ana, created)
    desk.story.write(ben, { kind: 'paused', run: created.run })
    desk.tell()
    desk.wait(120_000)
    expect(desk.view(created.run)?.state).toBe('assigned')
    desk.story.write(ben, { kind: 'resumed', run: created.run })
    desk.tell()
    expect(desk.view(created.run)?.state).toBe('processing')
  })

  it('makes room for itself if it is urgent: one run stops, and the slot is for the urgent one', () => {
    const desk = among({}, { slots: 2 })
    const victims = [
      desk.submit({ preemptible: true, priority: -10 }),
      desk.submit({ preemptible: true, priority: -9 }),
    ]
    desk.submit({ priority: -5 })
    const urgent = given(desk, { priority: 10 })
    expect(desk.take('stop')).toMatchObject([{ run: victims[0]?.run, reason: 'preempted' }])
    desk.end(victims[0] as RunView, { type: 'stopped' })
    expect(now(desk, urgent).state).toBe('processing')
    expect(now(desk, victims[1] as RunView).state).toBe('processing')
  })

  it('preempts nothing where that would not help', () => {
    const desk = among(
      {},
      {
        slots: 2,
        handles: new Map([
          ['test.job', 1],
          ['small.job', 5],
        ]),
      },
    )
    desk.submit({ type: 'small.job', preemptible: true, priority: -10 })
    desk.submit({ priority: 0 })
    given(desk, { priority: 10 })
    expect(desk.take('stop')).toEqual([])
  })
})

describe('a run that another device has', () => {
  it('is taken over once its owner has been silent for the timeout, by one', () => {
    const desk = among()
    desk.alive.delete(ben)
    const run = bensRun(desk)
    desk.wait(2900)
    expect(now(desk, run).assignment?.device).toBe(ben)
    desk.wait(8000)
    expect(now(desk, run).assignment).toMatchObject({ madeFor: 'timeout', attempt: 2 })
    expect(now(desk, run).previousAssignments).toHaveLength(1)
  })

  it('stays with an owner that somebody else still hears', () => {
    const desk = among()
    desk.alive.clear()
    const run = bensRun(desk)
    for (let s = 0; s < 30; s++) {
      desk.beacon(cid, { heard: [[ben, 500]] })
      desk.wait(1000)
    }
    expect(now(desk, run).assignment?.device).toBe(ben)
  })

  it('is not taken from a device that was told to beat fast only with this run', () => {
    const desk = among({ heartbeat: { intervalMs: 10_000, timeoutMs: 30_000 } })
    desk.alive.clear()
    desk.wait(6000)
    const run = bensRun(desk)
    desk.wait(2500)
    expect(now(desk, run).assignment?.device).toBe(ben)
    desk.wait(20_000)
    expect(now(desk, run).assignment?.device).not.toBe(ben)
  })

  it('is taken at once from one that leaves', () => {
    const desk = among()
    const run = bensRun(desk)
    desk.alive.delete(ben)
    desk.beacon(ben, { leaving: true })
    desk.wait(4100)
    expect(now(desk, run).assignment?.device).not.toBe(ben)
  })

  it('is taken from one that was revoked', () => {
    const desk = among()
    const run = bensRun(desk)
    desk.story.revoked(ana, ben)
    desk.tellGroup()
    desk.wait(4100)
    expect(now(desk, run).assignment?.device).not.toBe(ben)
  })

  it('stays while it is paused, whatever becomes of its owner, and nothing turns in circles', () => {
    const desk = among()
    const created = desk.story.created(ben, JOB)
    desk.story.assigned(ben, cid, created)
    desk.story.write(ben, { kind: 'paused', run: created.run })
    desk.tell()
    desk.alive.clear()
    desk.wait(300_000)
    expect(desk.view(created.run)?.assignment?.device).toBe(cid)
  })

  it('is declared failed, once, when its last attempt is lost', () => {
    const desk = among()
    const run = bensRun(desk, { retry: { max: 0, backoffMs: [] } })
    desk.alive.delete(ben)
    desk.wait(30_000)
    expect(now(desk, run)).toMatchObject({ state: 'failed', error: { code: 'RETRIES_EXHAUSTED' } })
    expect(desk.story.runRecords.filter(({ kind }) => kind === 'failed')).toHaveLength(1)
  })

  it('waits for a slot that is about to be free', () => {
    const desk = among({}, { slots: 1 })
    const mine = desk.submit()
    desk.alive.clear()
    const run = bensRun(desk)
    desk.wait(20_000)
    expect(now(desk, run).assignment?.device).toBe(ben)
    desk.end(mine)
    expect(now(desk, run).assignment?.device).toBe(ana)
  })

  it('waits for its creator as long as anybody hears it, and nothing turns in circles', () => {
    const desk = among()
    const created = desk.story.created(dee, JOB)
    desk.alive.clear()
    desk.beacon(ben, { heard: [[dee, 500]] })
    desk.tell()
    for (let s = 0; s < 20; s++) {
      desk.beacon(ben, { heard: [[dee, 500]] })
      desk.wait(1000)
    }
    expect(desk.view(created.run)?.state).toBe('created')
  })

  it('waits for its creator to place it, and is placed by another when that one is gone', () => {
    const desk = among()
    const created = desk.story.created(ben, JOB)
    desk.tell()
    desk.wait(60_000)
    expect(desk.view(created.run)?.state).toBe('created')
    desk.alive.delete(ben)
    desk.wait(12_000)
    expect(desk.view(created.run)?.assignment).not.toBeNull()
  })
})

describe('this device', () => {
  it('lets go of everything when it is revoked, and writes nothing more', () => {
    const desk = among()
    const run = desk.submit()
    desk.story.admitted(ana, ben, 'admin')
    desk.wait(1000)
    desk.story.revoked(ben, ana)
    desk.tellGroup()
    expect(desk.take('stop')).toMatchObject([{ run: run.run, reason: 'superseded' }])
    desk.end(run, { type: 'stopped' })
    desk.wait(60_000)
    expect(desk.take('append')).toEqual([])
    expect([desk.state.used, desk.state.isIdle]).toEqual([0, true])
  })

  it('goes on with what it held after a sleep only once it has synced', () => {
    const desk = among()
    const run = desk.submit()
    desk.sleep(60_000)
    desk.take('sync')
    desk.end(run)
    expect(desk.effects.map(({ type }) => type)).toContain('sync')
    expect(now(desk, run).state).toBe('processing')
    desk.step({ type: 'synced' })
    expect(now(desk, run).state).toBe('completed')
  })

  it('holds a run that was taken from it while it was cut off, and lets it go if it slept', () => {
    for (const slept of [false, true]) {
      const desk = among()
      const run = desk.submit()
      const own = desk.story.runRecords.find(({ kind }) => kind === 'assigned')
      if (slept) desk.sleep(60_000)
      else desk.wait(60_000)
      desk.step({ type: 'synced' })
      desk.story.taken(
        ben,
        desk.story.runRecords[0] as never,
        { parent: own?.id, reason: 'timeout' } as never,
      )
      desk.tell()
      expect(now(desk, run).owner).toBe(slept ? ben : ana)
      expect(desk.take('stop').map(({ reason }) => reason)).toEqual(slept ? ['lapsed'] : [])
    }
  })

  it('does not take back by `held` what a person gave to another', () => {
    const desk = among()
    const run = desk.submit()
    const own = desk.story.runRecords.find(({ kind }) => kind === 'assigned')
    desk.wait(1000)
    desk.story.taken(ben, desk.story.runRecords[0] as never, { parent: own?.id, reason: 'manual' } as never)
    desk.tell()
    expect(now(desk, run).owner).toBe(ben)
    expect(desk.take('stop').map(({ reason }) => reason)).toEqual(['superseded'])
  })

  it('hands back what it holds when it closes, to another if there is one', () => {
    const desk = among()
    const run = desk.submit()
    desk.step({ type: 'shutdown' })
    desk.end(run, { type: 'stopped' })
    expect(now(desk, run).assignment).toMatchObject({ madeFor: 'released', attempt: 1 })
    expect([ben, cid]).toContain(now(desk, run).assignment?.device)
    expect(desk.state.isIdle).toBe(true)
  })

  it('acts although its clock is behind its own admission', () => {
    const desk = new Desk()
    desk.sleep(-3_600_000)
    expect(desk.submit().state).toBe('processing')
  })

  it('gives back what a person wants given back, also before it has begun', () => {
    const desk = among({}, { handles: new Map([['test.job', 1]]) })
    const run = desk.submit()
    desk.step({ type: 'release', run: run.run, note: 'for ben' })
    desk.end(run, { type: 'stopped' })
    expect(now(desk, run).previousAssignments[0]).toMatchObject({
      reason: 'released',
      detail: 'manual: for ben',
    })
    const created = desk.story.created(ben, JOB)
    desk.story.assigned(ben, ana, created)
    desk.isStoreStuck = true
    desk.tell()
    desk.step({ type: 'release', run: created.run, note: null })
    desk.take('work')
    desk.isStoreStuck = false
    desk.store()
    expect(desk.take('work')).toEqual([])
    expect(desk.view(created.run)?.state).toBe('reassigning')
  })

  it('fails what an earlier process of it had begun, and goes on from there', () => {
    const desk = new Desk({ incarnation: 1 })
    const created = desk.story.created(ana, JOB)
    desk.story.taken(ana, created)
    desk.tell()
    expect(desk.view(created.run)).toMatchObject({
      state: 'reassigning',
      assignment: { givenUp: { reason: 'failed' } },
    })
  })

  it('abandons a handler that ignores its signal, and spends no attempt for a pause', () => {
    const desk = new Desk()
    const run = desk.submit()
    desk.story.write(ben, { kind: 'paused', run: run.run })
    desk.tell()
    desk.wait(1500)
    expect(desk.effects.map(({ type }) => type)).toContain('abandon')
    expect(now(desk, run)).toMatchObject({ state: 'reassigning', attemptsSpent: 0 })
    desk.story.write(ben, { kind: 'resumed', run: run.run })
    desk.tell()
    expect(now(desk, run)).toMatchObject({ state: 'processing', assignment: { attempt: 1 } })
  })
})
