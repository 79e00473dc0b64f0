/** Attacks on runs: what a member may say about those that are not its own, and what it may not. */
import {
  type Draft,
  keyedRunId,
  MAX_DURATION_MS,
  MAX_PRIORITY,
  MAX_STAMP_MS,
  type RunView,
} from '../../protocol/index.js'
import type { Attacker } from './attacker.js'
import { journalOf, openRuns, publishAbout, today } from './known.js'
import { OwnLog, type Write } from './own-log.js'

/** Takes every open run, as any member may. Its own node learns of it by a sync. */
export async function claimAll(attacker: Attacker): Promise<void> {
  await publishAbout(attacker, openRuns(attacker), (view, write) => seize(attacker, view, write))
}

/**
 * Takes today's open runs in the name of a process that is later than its node: nothing says that it has ended. Its node
 * learns of it by a sync, as the others do.
 */
export async function hoard(attacker: Attacker): Promise<void> {
  const journal = today(attacker)
  const views = openRuns(attacker).filter((view) => journalOf(view) === journal)
  const incarnation = attacker.incarnation() + 1 + attacker.random.below(2 ** 20)
  const log = new OwnLog(attacker, { journal, incarnation })
  for (const { run } of views) for (const { stamp } of attacker.recordsOf(run)) log.see(stamp)
  const message = await log.write((write) => {
    for (const view of views) seize(attacker, view, write)
  })
  if (message !== null) attacker.transport.publish('batches', message)
}

function seize({ signer, random }: Attacker, { run, created, assignment }: RunView, write: Write): void {
  const mine = { kind: 'assigned', run, target: signer.device } as const
  const assigned =
    assignment === null
      ? write({ ...mine, reason: 'manual', created: created.id })
      : write({ ...mine, reason: random.pick(['manual', 'timeout'] as const), parent: assignment.id })
  write({ kind: 'claimed', run, assignment: assigned.id })
}

/** Ends, begins and gives back what others were given: nobody speaks for the target but itself. */
export async function completeAll(attacker: Attacker): Promise<void> {
  await publishAbout(attacker, openRuns(attacker), ({ run, assignment }, write) => {
    if (assignment === null || assignment.device === attacker.signer.device) return
    const own = { run, assignment: assignment.id }
    write({ kind: 'claimed', ...own })
    write({ kind: 'started', ...own })
    write({ kind: 'progressed', ...own, data: 'stolen' })
    write({ kind: 'completed', ...own, output: 'stolen' })
    write({ kind: 'released', ...own, reason: 'manual' })
    write({ kind: 'declined', ...own, reason: 'stolen' })
    write({ kind: 'failed', ...own, error: { code: 'STOLEN', message: 'It was stolen.' }, final: true })
  })
}

/** Says that it held what it never had, and that the assignments of others are void. */
export async function stealHeld(attacker: Attacker): Promise<void> {
  await publishAbout(attacker, openRuns(attacker), (view, write) => {
    const { run, assignment, previousAssignments } = view
    const ids = [...(assignment === null ? [] : [assignment]), ...previousAssignments].map(({ id }) => id)
    for (const id of ids.slice(0, 3))
      write({ kind: 'held', run, assignment: id, gapMs: 0, voids: ids.slice(0, 16) })
    write({ kind: 'held', run, assignment: run, gapMs: 0, voids: ids.slice(0, 16) })
  })
}

/** Runs that are valid and absurd, each given to somebody: of the limits of every field, and never due or long overdue. */
export async function oddRuns(attacker: Attacker): Promise<void> {
  const { group, transport, random } = attacker
  const log = new OwnLog(attacker, { journal: today(attacker) })
  const { type = 'odd', input = null } = attacker.views().at(-1)?.created ?? {}
  const key = `odd-${random.below(2 ** 32)}`
  const oddities: readonly Omit<Draft<'created'>, 'kind' | 'type' | 'input'>[] = [
    { key, parent: keyedRunId({ group, project: '', type, key }) },
    {
      heartbeat: { intervalMs: 1, timeoutMs: MAX_DURATION_MS },
      // A beacon every millisecond, if anyone should do as it says: not for long.
      timeoutMs: 300,
      retry: { max: 0, backoffMs: [] },
    },
    {
      heartbeat: { intervalMs: 1, timeoutMs: 2 },
      retry: { max: 20, backoffMs: [0] },
      assignmentTimeoutMs: 1,
      timeoutMs: 1,
      priority: MAX_PRIORITY,
    },
    { notBefore: MAX_STAMP_MS, deadline: MAX_STAMP_MS },
    { deadline: 0, retry: { max: 0, backoffMs: [] } },
    { requires: ['what nobody has'], coordinator: true },
  ]
  const others = attacker.others()
  const message = await log.write((write) => {
    for (const oddity of oddities) {
      const { run, id } = write({ kind: 'created', type, input, ...oddity })
      if (others.length === 0) continue
      write({ kind: 'assigned', run, target: random.pick(others), reason: 'created', created: id })
    }
  })
  if (message !== null) transport.publish('batches', message)
}
