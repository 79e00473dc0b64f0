/** What two views of a run, one after the other, tell of who had it and for how long. Times are milliseconds since 1970. */
import type { AssignmentView, DeviceId, PreviousAssignment, RunView } from '../../../protocol/index.js'

export type OnLeaseEnd = (lease: AssignmentView, endedAt: number) => void

/** Calls back for each claimed assignment that has ended in `after` and had not in `before`. */
export function endedLeases(before: RunView | null, after: RunView, onEnd: OnLeaseEnd): void {
  const current = after.assignment
  if (current !== null && current.claimedAt !== null) {
    const endedAt = currentEnd(after)
    if (endedAt !== null && (before === null || !hadEnded(before, current.id))) onEnd(current, endedAt)
  }
  // Mostly there are none, and none were added.
  if (after.previousAssignments.length === (before?.previousAssignments.length ?? 0)) return
  const known = new Set(before?.previousAssignments.filter(hasEnd).map(({ id }) => id))
  for (const previous of after.previousAssignments) {
    if (previous.claimedAt === null || previous.endedAt === null || known.has(previous.id)) continue
    if (before === null || !hadEnded(before, previous.id)) onEnd(previous, previous.endedAt)
  }
}

/** Milliseconds from when a run could first be claimed to its first claim; null if there is none. */
export function timeToClaim(view: RunView): number | null {
  let first = view.assignment?.claimedAt ?? null
  for (const { claimedAt } of view.previousAssignments) {
    if (claimedAt !== null && (first === null || claimedAt < first)) first = claimedAt
  }
  if (first === null) return null
  return first - Math.max(view.createdAt, view.created.notBefore ?? 0)
}

/**
 * How often work on a run was done besides the one execution that counts, as far as its records prove it.
 *
 * An execution counts as double if its assignment
 * - brought a further result (`conflicts` of type `completed`), or
 * - was begun off the path that won (`conflicts` of type `owner` whose assignment has a `started`): two devices held
 *   the run to be theirs, and both may have worked on it.
 *
 * Each assignment counts once, and of all executions one is never double: a loser that began alone is the only one. A
 * device that fell silent and whose run moved on is not counted: it may have been dead, and nobody can tell. With
 * `device` only the double executions of that device are counted.
 */
export function doubleExecutions(view: RunView, device: DeviceId | null = null): number {
  if (view.conflicts.length === 0) return 0
  const offPath = new Set(view.conflicts.filter(({ type }) => type === 'owner').map(({ record }) => record))
  const isDouble = (one: PreviousAssignment): boolean =>
    one.reason === 'completed' || (offPath.has(one.id) && one.startedAt !== null)
  const doubles = view.previousAssignments.filter(isDouble)
  const isCurrentBegun = view.result !== null || (view.assignment?.startedAt ?? null) !== null
  const begun = view.previousAssignments.filter((one) => isDouble(one) || one.startedAt !== null).length
  const isOneTheFirst = begun + (isCurrentBegun ? 1 : 0) === doubles.length
  // Nobody on the path has begun: the earliest of the others is no double.
  const counted = isOneTheFirst ? doubles.slice(1) : doubles
  return counted.filter((one) => device === null || one.device === device).length
}

function currentEnd({ assignment, result, error, cancelled }: RunView): number | null {
  return result?.at ?? assignment?.givenUp?.at ?? error?.at ?? cancelled?.at ?? null
}

function hadEnded(before: RunView, id: string): boolean {
  return before.assignment?.id === id && currentEnd(before) !== null
}

function hasEnd({ endedAt }: PreviousAssignment): boolean {
  return endedAt !== null
}
