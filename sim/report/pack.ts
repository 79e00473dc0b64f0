/**
 * A trace, made small for the page: what repeats a thousand times (kinds, ids, sentences, names of parts) stands once, and
 * is named by its place. `client/data.ts` is the way back.
 */
import type { Trace, TraceBar, TraceDecision, TraceDevice, TraceRun, TraceSpan } from '../trace.js'
import { sidesOf } from './sides.js'

/** `[place, score, parts in the order of their names, gates]`. */
type PackedCandidate = readonly [number, number | null, readonly number[] | null, readonly number[]]

/** `[atMs, by, run, target, reason, sentence, candidates]`. */
type PackedDecision = readonly [number, number, number, number, number, number, readonly PackedCandidate[]]

/** `[atMs, place, kind, run, text]`; -1 for no place and no run. */
type PackedEntry = readonly [number, number, number, number, number]

export interface PackedTrace {
  readonly outcome: Trace['outcome']
  readonly replay: string
  readonly calmMs: number
  /** Where time ends. */
  readonly endMs: number
  readonly devices: readonly TraceDevice[]
  readonly spans: readonly (TraceSpan & { readonly sides: readonly (readonly number[])[] | null })[]
  readonly runs: readonly TraceRun[]
  /** Every text that is named by its place. */
  readonly words: readonly string[]
  readonly partNames: readonly string[]
  readonly decisions: readonly PackedDecision[]
  readonly entries: readonly PackedEntry[]
}

export function packed(trace: Trace): PackedTrace {
  const { replay, calmMs, devices } = trace
  const idOf = idsOf(trace.runs)
  const outcome = {
    ...trace.outcome,
    violations: trace.outcome.violations.map((violation) => ({ ...violation, run: idOf(violation.run) })),
  }
  const endMs = Math.max(1, outcome.simulatedMs, calmMs)
  const words = new Words()
  const partNames = namesOfParts(trace.decisions)
  const places = devices.map(({ place }) => place)
  return {
    outcome,
    replay,
    calmMs,
    endMs,
    devices,
    spans: trace.spans.map((span) => ({
      ...until(span, endMs),
      sides: span.kind === 'split' ? sidesOf(span.text, places) : null,
    })),
    runs: trace.runs.map((run) => ({ ...run, bars: run.bars.map((bar) => until(bar, endMs)) })),
    partNames,
    decisions: trace.decisions.map((decision) => packedDecision(decision, words, partNames)),
    entries: trace.entries.map(({ atMs, place, kind, run, text }) => [
      atMs,
      place ?? -1,
      words.placeOf(kind),
      words.placeOf(idOf(run)),
      words.placeOf(text),
    ]),
    words: words.all,
  }
}

/** Logs and violations may name a run as its script does: where one run alone has that name, it is meant. */
function idsOf(runs: readonly TraceRun[]): (run: string | null) => string | null {
  const ids = new Map<string, string>()
  const shared = new Set<string>()
  for (const { id, name } of runs) {
    if (ids.has(name)) shared.add(name)
    ids.set(name, id)
  }
  for (const name of shared) ids.delete(name)
  for (const { id } of runs) ids.set(id, id)
  return (run) => (run === null ? null : (ids.get(run) ?? run))
}

function packedDecision(
  { atMs, by, run, target, reason, sentence, candidates }: TraceDecision,
  words: Words,
  partNames: readonly string[],
): PackedDecision {
  const small = candidates.map(
    ({ place, score, parts, gates }): PackedCandidate => [
      place,
      score === null ? null : rounded(score),
      parts === null ? null : partNames.map((name) => rounded(parts[name] ?? 0)),
      gates.map((gate) => words.placeOf(gate)),
    ],
  )
  return [atMs, by, words.placeOf(run), target, words.placeOf(reason), words.placeOf(sentence), small]
}

function namesOfParts(decisions: readonly TraceDecision[]): readonly string[] {
  const names = new Set<string>()
  for (const { candidates } of decisions)
    for (const { parts } of candidates) for (const name of Object.keys(parts ?? {})) names.add(name)
  return [...names]
}

/** What goes on for ever ends with the simulation: JSON knows no infinity. */
function until<T extends TraceSpan | TraceBar>(given: T, endMs: number): T {
  return given.toMs <= endMs ? given : { ...given, toMs: endMs }
}

/** Points have fractions without end; nobody reads the fourth digit. */
function rounded(points: number): number {
  return Math.round(points * 1000) / 1000
}

class Words {
  readonly all: string[] = []
  readonly #places = new Map<string, number>()

  placeOf(text: string | null): number {
    if (text === null) return -1
    const known = this.#places.get(text)
    if (known !== undefined) return known
    this.#places.set(text, this.all.length)
    return this.all.push(text) - 1
  }
}
