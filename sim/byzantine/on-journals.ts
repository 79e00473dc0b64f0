/** Attacks on the journals: records in the wrong one, and more journals than anyone can list. */
import { stampOf } from '../../protocol/index.js'
import { dayOf, GROUP_JOURNAL } from '../../src/journal/names.js'
import type { Attacker } from './attacker.js'
import { ANOTHER_DAY, BURIED_JOURNALS } from './constants.js'
import { openRuns, today } from './known.js'
import { OwnLog } from './own-log.js'

/** 2100-01-01: where the days that never come begin. */
const FAR_MS = 4_102_444_800_000
const DAY_MS = 86_400_000

/** Records about today's runs in the journal of another day and in the group's, and one about a device in a day's. */
export async function stray(attacker: Attacker): Promise<void> {
  const views = openRuns(attacker)
  for (const [journal, priority] of [
    [GROUP_JOURNAL, 3],
    [ANOTHER_DAY, 4],
  ] as const) {
    const log = new OwnLog(attacker, { journal })
    for (const { run } of views) for (const { stamp } of attacker.recordsOf(run)) log.see(stamp)
    const message = await log.write((write) => {
      for (const { run } of views) write({ kind: 'expedited', run, priority })
    })
    if (message !== null) attacker.transport.publish('batches', message)
  }
  const log = new OwnLog(attacker, { journal: today(attacker) })
  const message = await log.write((write) =>
    write({ kind: 'profiled', name: 'stray', class: 'server', capabilities: ['everything'] }),
  )
  if (message !== null) attacker.transport.publish('batches', message)
}

/** Makes runs with the keys of others once more, in the journal of a day that nobody keeps. */
export async function squat(attacker: Attacker): Promise<void> {
  const log = new OwnLog(attacker, { journal: ANOTHER_DAY })
  const message = await log.write((write) => {
    for (const { created } of openRuns(attacker)) {
      const { id: _id, stamp, author: _author, incarnation: _incarnation, run: _run, ...draft } = created
      log.see(stamp)
      if (created.key !== undefined) write(draft)
    }
  })
  if (message !== null) attacker.transport.publish('batches', message)
}

/** A journal for each of many days to come: later than today's, so that those who list the latest never get to it. */
export async function bury(attacker: Attacker): Promise<void> {
  for (let day = 0; day < BURIED_JOURNALS; day++) {
    const log = new OwnLog(attacker, { journal: dayOf(stampOf(FAR_MS + day * DAY_MS)) })
    attacker.transport.publish('batches', await log.append([log.unknown(1_000_000, [])]))
  }
}
