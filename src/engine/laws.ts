/** What holds of an engine after every step. Throws, naming the law that was broken. */
import { type DeviceId, isTerminal, waitingFor } from '../../protocol/index.js'
import type { EngineState, Tracked } from './state.js'

export function checkLaws(state: EngineState): void {
  const runs = [...state.runs.values()]
  const appends = [...state.appends.values()]
  equal('a step ends with nothing left to look at', [state.dirty.size, state.wantsPump], [0, false])
  equal(
    'slots in use are those of runs and of runs to be',
    state.used,
    count(runs, ({ hasSlot }) => hasSlot) + count(appends, ({ slotType }) => slotType !== null),
  )
  equal('slots by type add up', sum(state.usedByType.values()), state.used)
  equal(
    'what is worked on is counted',
    state.working,
    count(runs, ({ work }) => work !== null),
  )
  equal(
    'what waits is counted',
    state.waiting.size,
    count(runs, ({ wait }) => wait !== null),
  )
  equal(
    'promises are those of appends',
    sum(state.promised.values()),
    count(appends, ({ promised }) => promised !== null),
  )
  equal('no timer is set in the past', Math.min(state.timers.nextMs, state.pumpAtMs) > state.now.monoMs, true)
  for (const tracked of runs) checkRun(state, tracked)
  checkHoldings(state, runs)
  for (const victim of state.preempting.keys())
    equal('who makes room was told to stop', state.runs.get(victim)?.work?.stopping, 'preempted')
}

function checkRun(state: EngineState, tracked: Tracked): void {
  const { run, isWriting, work, view, hasSlot } = tracked
  const pending = count([...state.appends.values()], (append) => append.run === run)
  equal(`${run}: one append at a time, and only then is it writing`, pending, isWriting ? 1 : 0)
  if (work !== null && work.outcome === null) equal(`${run}: who works has a slot`, hasSlot, true)
  if (!isWriting && work === null) equal(`${run}: who has ended is not kept`, isTerminal(view.state), false)
  if (!isWriting && !isLookedAtAgain(state, tracked))
    throw new Error(`${run} in ${view.state} is looked at by nobody again`)
}

/** Every open run has a timer, stands in a line, waits for a person, or belongs to a device that is watched. */
function isLookedAtAgain(state: EngineState, tracked: Tracked): boolean {
  const { timer, wait, view } = tracked
  if (timer.place >= 0 || wait !== null || state.crowded.has(tracked) || !state.mayWrite) return true
  const reason = waitingFor(view, state.now.wallMs)?.reason
  if (reason === 'paused' || reason === 'approval') return true
  const holder = view.assignment?.device
  return holder !== undefined && holder !== state.me && state.holdings.of(holder)?.runs.has(tracked) === true
}

function checkHoldings(state: EngineState, runs: readonly Tracked[]): void {
  const counted = new Map<DeviceId, [number, number, number]>()
  for (const { view } of runs) {
    const { assignment } = view
    const isHeld = view.state === 'assigned' || view.state === 'claimed' || view.state === 'processing'
    if (assignment === null || !isHeld) continue
    const holding = counted.get(assignment.device) ?? [0, 0, 0]
    counted.set(assignment.device, holding)
    holding[view.state === 'assigned' ? 0 : 1]++
    if (view.created.heartbeat !== undefined) holding[2]++
  }
  const held = [...state.holdings.devices].map(([device, { assigned, claimed, special }]) => [
    device,
    [assigned, claimed, special],
  ])
  equal('holdings are what a recount gives', held.sort(), [...counted].sort())
}

function equal(law: string, actual: unknown, expected: unknown): void {
  const [is, shall] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (is !== shall) throw new Error(`${law}: ${is} is not ${shall}`)
}

function count<T>(items: readonly T[], fits: (item: T) => boolean): number {
  return items.filter(fits).length
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
