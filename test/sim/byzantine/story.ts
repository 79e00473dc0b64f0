/** The story of every attack: some work is done, some goes on, evil is done, more work comes. */
import { expect } from 'vitest'
import type { RecordId, RunId } from '../../../protocol/index.js'
import type { Attack } from '../../../sim/byzantine/index.js'
import { HONEST, Town } from './town.js'

export interface Story {
  readonly town: Town
  /** Runs that had ended before the attack. */
  readonly done: readonly RunId[]
  /** Runs that somebody worked on, and who. */
  readonly open: readonly RunId[]
  readonly owners: readonly (string | null)[]
  /** Runs that were made after it. */
  readonly later: readonly RunId[]
  /** What honest devices had written before it. */
  readonly written: ReadonlySet<RecordId>
}

export async function played(kind: Attack, seed = 7): Promise<Story> {
  const town = await Town.of(seed)
  const done = await town.submit(4)
  await town.untilEnded(done)
  const open = [...(await town.submit(5, 20_000)), ...(await town.submit(1, 20_000, { key: 'album' }))]
  await town.advance(3_000)
  const owners = open.map((run) => town.device(0).node.runs.view(run)?.owner ?? null)
  const written = town.honestRecords(0)
  await town.attack(kind)
  const later = await town.submit(6)
  await town.untilEnded(later)
  return { town, done, open, owners, later, written }
}

/** Nobody crashed, nothing of theirs is lost, all agree byte for byte; also one whose process starts anew. */
export async function isWhole({ town, done, later, written }: Story): Promise<void> {
  await town.restart(1)
  await town.advance(150_000)
  expect(town.faults).toEqual([])
  expect(town.honest.every(({ isUp }) => isUp)).toBe(true)
  for (const place of HONEST) {
    expect(town.views(place)).toEqual(town.views(0))
    expect(town.heads(place)).toBe(town.heads(0))
    for (const id of written) expect(town.honestRecords(place)).toContain(id)
    for (const run of [...done, ...later]) expect(town.stateOf(place, run)).toBe('completed')
  }
}
