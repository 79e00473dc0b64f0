import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DeviceId, RunView } from '../../protocol/index.js'
import { ana, ben, cid } from '../protocol/story.js'
import { Desk, FACTS, HEARTBEAT } from './desk.js'

/** What can happen to an engine, by name; the number says to which run, device or time. */
const HAPPENINGS: Readonly<Record<string, (desk: Desk, n: number) => void>> = {
  submit: (desk, n) =>
    desk.ask({
      priority: (n % 5) * 5 - 10,
      ...(n % 2 === 0 && { preemptible: true }),
      retry: { max: n % 3, backoffMs: [500] },
      ...(n % 7 === 0 && { deadline: desk.story.nowMs + n * 100 }),
      ...(n % 11 === 0 && { approval: 'members' as const }),
      ...(n % 13 === 0 && { type: 'other.job' }),
    }),
  end: (desk, n) => {
    const run = pick(working(desk), n)
    if (run === undefined) return
    const error = { code: 'NO', message: '' }
    desk.end(
      run,
      n % 3 === 0 ? { type: 'failed', error, permanent: n % 2 === 0 } : { type: 'completed', output: n },
    )
  },
  wait: (desk, n) => desk.wait(n * 50),
  sleep: (desk, n) => {
    desk.sleep(n * 100)
    desk.wait(10)
  },
  synced: (desk) => void desk.step({ type: 'synced' }),
  give: (desk, n) => {
    const created = desk.story.created(ben, {
      heartbeat: HEARTBEAT,
      priority: n % 20,
      ...(n % 2 === 0 && { preemptible: true }),
    })
    desk.story.assigned(ben, pick([ana, ben, cid], n) as DeviceId, created)
    desk.tell()
  },
  othersAct: (desk, n) => {
    const run = pick(open(desk), n)
    const { assignment } = run ?? {}
    if (run === undefined || assignment == null || assignment.device === ana) return
    const about = { run: run.run, assignment: assignment.id }
    const draft = pick(
      [
        { kind: 'claimed', ...about } as const,
        { kind: 'declined', ...about, reason: 'no' } as const,
        { kind: 'released', ...about, reason: 'drain' } as const,
        { kind: 'completed', ...about } as const,
      ],
      n,
    )
    if (draft !== undefined) desk.story.write(assignment.device, draft)
    desk.tell()
  },
  command: (desk, n) => {
    const run = pick(open(desk), n)?.run
    if (run === undefined) return
    const draft = pick(
      [
        { kind: 'paused', run } as const,
        { kind: 'resumed', run } as const,
        { kind: 'cancelled', run } as const,
        { kind: 'approved', run, by: 'ben', expiresAt: desk.story.nowMs + 3000 } as const,
        { kind: 'expedited', run, priority: n % 15 } as const,
      ],
      n >> 1,
    )
    if (draft !== undefined) desk.story.write(ben, draft)
    desk.tell()
  },
  takeOver: (desk, n) => {
    const run = pick(working(desk), n)
    if (run?.assignment == null) return
    desk.story.wait(1)
    desk.story.write(cid, {
      kind: 'assigned',
      run: run.run,
      target: cid,
      reason: 'timeout',
      parent: run.assignment.id,
    })
    desk.tell()
  },
  silence: (desk, n) => void desk.alive.delete(pick([ben, cid], n) as DeviceId),
  voice: (desk, n) => void desk.alive.add(pick([ben, cid], n) as DeviceId),
  leave: (desk, n) => desk.beacon(pick([ben, cid], n) as DeviceId, { leaving: true, incarnation: 5 }),
  lease: (desk, n) => void desk.step({ type: 'lease', ask: n, query: { leaseMs: 2000 } }),
  facts: (desk, n) =>
    void desk.step({ type: 'local', facts: { ...FACTS, slots: 1 + (n % 3), draining: n % 8 === 0 } }),
  stick: (desk) => {
    desk.isStoreStuck = true
  },
  store: (desk, n) => {
    desk.isStoreStuck = false
    desk.store(n % 3 === 0)
  },
}

const anyStory = fc.array(fc.tuple(fc.constantFrom(...Object.keys(HAPPENINGS)), fc.nat({ max: 100 })), {
  maxLength: 60,
  size: 'max',
})

function play(story: readonly (readonly [string, number])[]): Desk {
  const desk = new Desk()
  desk.alive.add(ben).add(cid)
  for (const [name, n] of story) HAPPENINGS[name]?.(desk, n)
  return desk
}

function pick<T>(from: readonly T[], n: number): T | undefined {
  return from[n % Math.max(1, from.length)]
}

function open(desk: Desk): readonly RunView[] {
  return [...desk.state.runs.values()].map(({ view }) => view)
}

function working(desk: Desk): readonly RunView[] {
  return [...desk.state.runs.values()].filter(({ work }) => work?.outcome === null).map(({ view }) => view)
}

it('the laws hold after every step of any story, and the same events give the same effects', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      expect(play(story).effects).toEqual(play(story).effects)
    }),
    { numRuns: Number(process.env['ENGINE_RUNS'] ?? 150) },
  )
})

it('whatever happened, what this device can do is done in the end, and no slot is lost', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      const desk = play(story)
      desk.isStoreStuck = false
      desk.store()
      desk.alive.clear()
      desk.step({ type: 'local', facts: FACTS })
      for (const run of open(desk)) {
        desk.story.write(ben, { kind: 'resumed', run: run.run })
        desk.story.write(ben, { kind: 'approved', run: run.run, by: 'ben' })
      }
      desk.tell()
      const undone = (): readonly RunView[] => open(desk).filter(({ created }) => created.type === 'test.job')
      for (let i = 0; i < 400 && undone().length + desk.state.working > 0; i++) {
        desk.wait(1000)
        for (const run of working(desk)) desk.end(run)
      }
      expect(undone().map(({ state }) => state)).toEqual([])
      expect([desk.state.used, desk.state.working, desk.state.preempting.size]).toEqual([0, 0, 0])
    }),
    { numRuns: Number(process.env['ENGINE_RUNS'] ?? 100) },
  )
})
