/**
 * Attacks with ids. A writer's tag is the same in all journals: one stamp in two of them makes two different records with
 * one id, each rightly signed in its own log.
 */
import type { RunView } from '../../protocol/index.js'
import { type Attacker, pause } from './attacker.js'
import { ANOTHER_DAY, ARRIVAL_MS } from './constants.js'
import { journalOf, openRuns } from './known.js'
import { OwnLog, oldIncarnation } from './own-log.js'

/** Assignments that name each other as parents, in a ring, on a branch that wins by its early root. */
export async function twins(attacker: Attacker): Promise<void> {
  const rings = await Promise.all(openRuns(attacker).map((view) => ringFor(attacker, view)))
  // The root comes last: until then nothing of it counts, and nobody looks.
  for (const part of ['ring', 'twin', 'root'] as const) {
    for (const ring of rings) attacker.transport.publish('batches', ring[part])
    await pause(attacker, ARRIVAL_MS)
  }
}

async function ringFor(
  attacker: Attacker,
  view: RunView,
): Promise<{ readonly [P in 'root' | 'ring' | 'twin']: Uint8Array }> {
  const { run, created } = view
  const journal = journalOf(view)
  const incarnation = oldIncarnation(attacker)
  const nowMs = (): number => 0
  const root = new OwnLog(attacker, { journal, nowMs })
  const ring = new OwnLog(attacker, { journal, nowMs, incarnation })
  const twin = new OwnLog(attacker, { journal: ANOTHER_DAY, nowMs, incarnation })
  const mine = { kind: 'assigned', run, target: attacker.signer.device, reason: 'manual' } as const
  root.see(created.stamp)
  const first = root.record({ ...mine, created: created.id })
  for (const log of [ring, twin]) log.see(first.stamp)
  const second = ring.record({ ...mine, parent: first.id })
  const third = ring.record({ ...mine, parent: second.id })
  const other = twin.record({ ...mine, parent: third.id })
  return {
    ring: await ring.append([second, third]),
    twin: await twin.append([other]),
    root: await root.append([first]),
  }
}

/** Gives one device two runs at once, by assignments with one id. */
export async function doubleBook(attacker: Attacker): Promise<void> {
  const others = attacker.others()
  const views = openRuns(attacker)
  for (let i = 0; i + 1 < views.length && others.length > 0; i += 2) {
    const pair = views.slice(i, i + 2)
    const target = attacker.random.pick(others)
    const incarnation = oldIncarnation(attacker)
    const nowMs = Math.floor(attacker.clock.wallMs())
    const journals = [journalOf(pair[0] as RunView), ANOTHER_DAY]
    const logs = journals.map((journal) => new OwnLog(attacker, { journal, incarnation, nowMs: () => nowMs }))
    for (const log of logs)
      for (const { run } of pair) for (const { stamp } of attacker.recordsOf(run)) log.see(stamp)
    for (const [j, log] of logs.entries()) {
      const { run, created, assignment } = pair[j] as RunView
      const place = assignment === null ? { created: created.id } : { parent: assignment.id }
      const record = log.record({ kind: 'assigned', run, target, reason: 'manual', ...place })
      attacker.transport.publish('batches', await log.append([record]))
    }
  }
}
