/** Plays scripts that chance drew, one for each seed, and counts what came of them. */
import { lineOf } from '../log.js'
import type { InvariantName } from '../oracles/names.js'
import type { Outcome, Violation } from '../outcome.js'
import { msOfDuration } from '../script/duration.js'
import { type PlayOptions, play } from '../script/play.js'
import { sensible } from '../script/sense.js'
import type { Script } from '../script/types.js'
import type { Simulation } from '../simulation.js'
import { type DrawOptions, drawScript } from './draw.js'

export interface SeedOptions extends DrawOptions, PlayOptions {}

/** What came of a script, and the last lines about what was violated. */
export interface Played {
  readonly outcome: Outcome
  readonly lines: readonly string[]
  /** Null if it threw. */
  readonly simulation: Simulation | null
}

/** Lines of the log that are shown with a violation. */
const SHOWN_LINES = 24

/** Draws the script of a seed. Every step of it has a meaning, so that it can be saved and read again. */
export function scriptOfSeed(options: DrawOptions): Script {
  return sensible(drawScript(options))
}

/** Plays the script of a seed. What it throws is a violation of `no-fault`. */
export async function runSeed(
  options: SeedOptions,
): Promise<{ readonly outcome: Outcome; readonly script: Script }> {
  const { seed, devices, runs, hours, faults, heartbeat, ...rest } = options
  const script = scriptOfSeed({ seed, devices, runs, hours, faults, heartbeat })
  const { outcome } = await playSafely(script, { explain: false, ...rest })
  return { outcome, script }
}

/** Plays a script. What it throws is a violation of `no-fault`. */
export async function playSafely(script: Script, options: PlayOptions = {}): Promise<Played> {
  const last: string[] = []
  const onLine = (line: string): void => {
    options.onLine?.(line)
    if (last.push(line) > 2 * SHOWN_LINES) last.splice(0, SHOWN_LINES)
  }
  try {
    const simulation = await play(script, { ...options, onLine })
    const outcome = simulation.outcome()
    return { outcome, lines: linesAbout(simulation, outcome.violations[0]), simulation }
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { outcome: brokenOff(script, message), lines: last.slice(-SHOWN_LINES), simulation: null }
  }
}

/** The last lines before a violation that say something about it. */
function linesAbout({ witness }: Simulation, violation: Violation | undefined): readonly string[] {
  if (violation === undefined) return []
  const { run, place, atMs } = violation
  const isAbout = (entry: {
    readonly run: string | null
    readonly place: number | null
    readonly kind: string
  }): boolean =>
    entry.kind === 'step' ||
    entry.kind === 'violation' ||
    (run === null ? place === null || entry.place === place : entry.run === run)
  return witness.log.entries
    .filter((entry) => entry.atMs <= atMs && isAbout(entry))
    .slice(-SHOWN_LINES)
    .map(lineOf)
}

/** What is left to say of a script that did not come to its end. */
export function brokenOff(script: Script, message: string): Outcome {
  const none = { p50: null, p90: null, p99: null }
  const text = message.split('\n').slice(0, 4).join(' ')
  return {
    seed: script.seed,
    title: script.title ?? null,
    parameters: {
      devices: script.devices.length,
      steps: script.steps.length,
      lastsMs: msOfDuration(script.lasts),
      heartbeat: { ...script.heartbeat },
      signatures: script.signatures,
    },
    simulatedMs: 0,
    digest: '',
    logDigest: '',
    violations: [{ invariant: 'no-fault', atMs: 0, place: null, run: null, message: text }],
    runs: 0,
    terminal: 0,
    completed: 0,
    failed: 0,
    cancelled: 0,
    waiting: 0,
    starts: 0,
    doubleExecutions: 0,
    acceptedResults: 0,
    delays: none,
    pickups: none,
    messages: 0,
    messagesByKind: { batches: 0, beacons: 0, frames: 0 },
    published: { batches: 0, beacons: 0 },
    bytes: 0,
    bytesByKind: { batches: 0, beacons: 0, frames: 0 },
    journalBytes: 0,
    records: 0,
    decisions: {},
    events: 0,
  }
}

/** Many outcomes, added up. */
export interface Totals {
  readonly seeds: number
  readonly simulatedMs: number
  readonly runs: number
  readonly starts: number
  readonly doubleExecutions: number
  readonly messages: number
  readonly events: number
  /** Seeds in which each invariant was violated. */
  readonly violations: Readonly<Partial<Record<InvariantName, number>>>
  /** Steps that made trouble, by kind: how often. */
  readonly faults: Readonly<Record<string, number>>
}

export const NOTHING: Totals = {
  seeds: 0,
  simulatedMs: 0,
  runs: 0,
  starts: 0,
  doubleExecutions: 0,
  messages: 0,
  events: 0,
  violations: {},
  faults: {},
}

/** What people do, and what ends a fault, is none. */
const NO_FAULT: ReadonlySet<string> = new Set(
  'submit pull cancel pause resume retry release reassign expedite heal restart wake join'.split(' '),
)

export function addTo(totals: Totals, script: Script, outcome: Outcome): Totals {
  const names = new Set(outcome.violations.map(({ invariant }) => invariant))
  const faults = script.steps.map((step) => step.do).filter((kind) => !NO_FAULT.has(kind))
  return {
    seeds: totals.seeds + 1,
    simulatedMs: totals.simulatedMs + outcome.simulatedMs,
    runs: totals.runs + outcome.runs,
    starts: totals.starts + outcome.starts,
    doubleExecutions: totals.doubleExecutions + outcome.doubleExecutions,
    messages: totals.messages + outcome.messages,
    events: totals.events + outcome.events,
    violations: counted(totals.violations, names),
    faults: counted(totals.faults, faults),
  }
}

function counted<K extends string>(
  before: Readonly<Partial<Record<K, number>>>,
  names: Iterable<K>,
): Record<K, number> {
  const counts = { ...before } as Record<K, number>
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
