/** A simulation as plain data, for the report. */
import { type AssignmentView, isTerminal, type PreviousAssignment, type RunView } from '../protocol/index.js'
import { explain } from '../src/engine/index.js'
import { START_MS } from './constants.js'
import type { Execution } from './devices/execution.js'
import { latestViews } from './outcome-of.js'
import type { Simulation } from './simulation.js'
import type { Trace, TraceBar, TraceRun } from './trace.js'

export function traceOf(simulation: Simulation): Trace {
  const { witness, devices } = simulation
  const outcome = simulation.outcome()
  return {
    outcome,
    replay: simulation.options.replay ?? `createSimulation({ seed: ${simulation.seed}, … })`,
    calmMs: simulation.calmMs ?? simulation.nowMs,
    devices: devices.map(({ place, name, id, spec }) => ({ place, name, id, profile: spec.profile })),
    spans: witness.spans.all(simulation.nowMs),
    runs: latestViews(simulation)
      .map((view) => traceRun(simulation, view))
      .sort((a, b) => a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1)),
    decisions: witness.choices?.decisions ?? [],
    entries: witness.log.entries.map((entry) => ({ ...entry, atMs: Math.round(entry.atMs) })),
  }
}

function traceRun(simulation: Simulation, view: RunView): TraceRun {
  const { witness } = simulation
  const { run, created, state, priority } = view
  return {
    id: run,
    name: witness.nameOf(run),
    type: created.type,
    state,
    priority,
    creator: witness.placeOf(created.author)?.place ?? -1,
    createdMs: Math.round(witness.records.all.get(created.id)?.atMs ?? 0),
    endedMs: isTerminal(state) ? endOf(simulation, view) : null,
    starts: witness.executions.of(run).length,
    bars: barsOf(simulation, view),
    sentences: sentencesOf(simulation, view),
    conflicts: view.conflicts.length,
  }
}

function endOf({ witness }: Simulation, { result, error, cancelled, updatedAt }: RunView): number {
  const record = (result ?? cancelled ?? error)?.record
  const noted = record === undefined ? undefined : witness.records.all.get(record)
  return Math.round(noted?.atMs ?? updatedAt - START_MS)
}

function sentencesOf({ devices }: Simulation, view: RunView): readonly string[] {
  const inside = devices.find((device) => device.inside !== null)?.inside ?? null
  return inside === null ? [] : explain(inside.engine, view).sentences
}

/** From the assignment to the start a device has it; then it works; then it does not. */
function barsOf(simulation: Simulation, view: RunView): readonly TraceBar[] {
  const { witness, nowMs } = simulation
  const bars: TraceBar[] = []
  const all = [...view.previousAssignments, ...(view.assignment === null ? [] : [view.assignment])]
  for (const assignment of all) {
    const place = witness.placeOf(assignment.device)?.place
    const fromMs = witness.records.all.get(assignment.id)?.atMs
    if (place === undefined || fromMs === undefined) continue
    const goes = witness.executions.of(view.run).filter((one) => one.assignment === assignment.id)
    const endedMs = endedAt(assignment) ?? endOfView(simulation, view) ?? nowMs
    const firstMs = goes[0]?.startedMs ?? Math.max(fromMs, endedMs)
    const reason = 'reason' in assignment ? String(assignment.reason) : null
    const state = assignment.claimedAt === null ? 'assigned' : 'claimed'
    if (firstMs > fromMs || goes.length === 0)
      bars.push(bar(place, state, fromMs, firstMs, goes.length === 0 ? reason : null, assignment.fence))
    for (const go of goes)
      bars.push(bar(place, 'processing', go.startedMs, go.ended?.atMs ?? nowMs, howOf(go, view), go.fence))
  }
  return bars
}

function bar(
  place: number,
  state: TraceBar['state'],
  fromMs: number,
  toMs: number,
  end: string | null,
  fence: number,
): TraceBar {
  return { place, state, fromMs: Math.round(fromMs), toMs: Math.round(Math.max(fromMs, toMs)), end, fence }
}

function endedAt(assignment: AssignmentView | PreviousAssignment): number | null {
  return 'endedAt' in assignment && assignment.endedAt !== null ? assignment.endedAt - START_MS : null
}

function endOfView(simulation: Simulation, view: RunView): number | null {
  return isTerminal(view.state) ? endOf(simulation, view) : null
}

function howOf({ ended, stopped, assignment }: Execution, view: RunView): string | null {
  if (ended === null) return null
  if (stopped !== null && ended.how === 'stopped') return stopped.reason
  if (ended.how === 'returned') return view.result?.assignment === assignment ? 'completed' : 'not accepted'
  return ended.how === 'threw' ? 'failed' : ended.how
}
