/** Attacks with the clock: from long ago, and from days to come. */
import { MAX_DRIFT_MS, MAX_STAMP_MS } from '../../protocol/index.js'
import type { Attacker } from './attacker.js'
import { FUTURE_MESSAGES, MAX_RUNS_HIT } from './constants.js'
import { journalOf, openRuns, today } from './known.js'
import { OwnLog } from './own-log.js'

const DAY_MS = 86_400_000

/**
 * Assignments to itself as early as can be: right after the record that made the run. By the rules the earliest wins, so
 * whoever works on the run loses it. Of a run with a key it also writes an earlier `created`: by the rules that is the
 * run.
 */
export async function backdate(attacker: Attacker): Promise<void> {
  const { transport, signer } = attacker
  for (const view of openRuns(attacker)) {
    const { run, created } = view
    const log = new OwnLog(attacker, { journal: journalOf(view), nowMs: () => 0 })
    log.see(created.key === undefined ? created.stamp : created.stamp - 2)
    const message = await log.write((write) => {
      const { type, key, project } = created
      if (key !== undefined) write({ kind: 'created', type, key, ...(project !== undefined && { project }) })
      log.see(created.stamp)
      const assigned = write({
        kind: 'assigned',
        run,
        target: signer.device,
        reason: 'manual',
        created: created.id,
      })
      write({ kind: 'claimed', run, assignment: assigned.id })
    })
    if (message !== null) transport.publish('batches', message)
  }
}

/** Results of its own for runs that are completed. By the rules the result of the earliest assignment counts. */
export async function rewrite(attacker: Attacker): Promise<void> {
  const { transport, signer, views } = attacker
  const ended = views().filter(({ state }) => state === 'completed')
  for (const view of ended.slice(-MAX_RUNS_HIT)) {
    const { run, created } = view
    const log = new OwnLog(attacker, { journal: journalOf(view), nowMs: () => 0 })
    log.see(created.stamp)
    const message = await log.write((write) => {
      const mine = { kind: 'assigned', run, target: signer.device, reason: 'manual' } as const
      const { id: assignment } = write({ ...mine, created: created.id })
      write({ kind: 'claimed', run, assignment })
      write({ kind: 'completed', run, assignment, output: 'rewritten' })
    })
    if (message !== null) transport.publish('batches', message)
  }
}

/** Records of the next minute, which all have to take; of the one after, which none may; and of the last day of all. */
export async function future(attacker: Attacker): Promise<void> {
  const { clock } = attacker
  await publishAhead(attacker, MAX_DRIFT_MS - 1000)
  await publishAhead(attacker, MAX_DRIFT_MS + 5000)
  const lastMs = MAX_STAMP_MS - clock.wallMs() - 1000
  for (let i = 0; i < FUTURE_MESSAGES; i++) await publishAhead(attacker, i % 2 === 0 ? DAY_MS : lastMs)
}

/** Each in a log of its own: none waits for another. */
async function publishAhead(attacker: Attacker, aheadMs: number): Promise<void> {
  const nowMs = (): number => Math.floor(attacker.clock.wallMs() + aheadMs)
  const log = new OwnLog(attacker, { journal: today(attacker), nowMs })
  attacker.transport.publish('batches', await log.append([log.unknown(1_000_000, [])]))
}
