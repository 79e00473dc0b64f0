/** Traces that no simulation made: as many devices and runs as a test asks for, the same for the same seed. */
import type { Outcome } from '../../../sim/outcome.js'
import type {
  Trace,
  TraceBar,
  TraceDecision,
  TraceDevice,
  TraceEntry,
  TraceRun,
  TraceSpan,
} from '../../../sim/trace.js'
import { seededRandom } from '../../../src/testing/seeded.js'

const MINUTE = 60_000
const CALM_MS = 50 * MINUTE
const END_MS = 60 * MINUTE
const TIMEOUT_MS = 90_000
const PROFILES = ['desktop', 'laptop', 'phone', 'always-on']
const TYPES = ['thumbnail', 'transcode', 'index', 'backup']
const ATTEMPTS = 4

export interface Size {
  readonly devices: number
  readonly runs: number
  readonly seed?: number
  readonly violations?: number
}

/** A simulation of an hour with sleeps, crashes, a split and bad weather. */
export function madeTrace(size: Size): Trace {
  return new Maker(size).trace()
}

class Maker {
  readonly #size: Size
  readonly #chance: () => number
  readonly #devices: readonly TraceDevice[]
  readonly #spans: TraceSpan[] = []
  readonly #runs: TraceRun[] = []
  readonly #decisions: TraceDecision[] = []
  readonly #entries: TraceEntry[] = []
  /** When each run that a device was given is off its hands. */
  readonly #given: number[][]
  /** When each slot of each device is free again. */
  readonly #free: number[][]

  constructor(size: Size) {
    this.#size = size
    this.#chance = seededRandom(size.seed ?? 7).number
    this.#devices = Array.from({ length: size.devices }, (_, place) => {
      const profile = PROFILES[place % PROFILES.length] ?? 'desktop'
      return { place, name: `${profile}-${place}`, id: `device${place}`, profile }
    })
    this.#given = this.#devices.map(() => [])
    this.#free = this.#devices.map(({ profile }) =>
      Array.from({ length: profile === 'phone' ? 1 : 3 }, () => 0),
    )
  }

  trace(): Trace {
    this.#trouble()
    const times = Array.from({ length: this.#size.runs }, () => Math.round(this.#chance() * 45 * MINUTE))
    for (const [i, atMs] of times.sort((a, b) => a - b).entries()) this.#runs.push(this.#run(i, atMs))
    this.#beacons()
    const violations = this.#violations()
    this.#entries.sort((a, b) => a.atMs - b.atMs)
    return {
      outcome: this.#outcome(violations),
      replay: `npx dibs sim --seed ${this.#size.seed ?? 7} --devices ${this.#size.devices} --report report.html`,
      calmMs: CALM_MS,
      devices: this.#devices,
      spans: this.#spans,
      runs: this.#runs,
      decisions: this.#decisions,
      entries: this.#entries,
    }
  }

  #trouble(): void {
    const span = (
      place: number | null,
      kind: TraceSpan['kind'],
      from: number,
      to: number,
      text = '',
    ): void => {
      this.#spans.push({ place, kind, fromMs: from * MINUTE, toMs: to * MINUTE, text })
      this.#entries.push({
        atMs: from * MINUTE,
        place,
        kind: 'step',
        run: null,
        text: `${kind} ${text}`.trim(),
      })
    }
    for (const { place, profile } of this.#devices) {
      const at = 4 + this.#chance() * 20
      if (profile === 'laptop') span(place, 'asleep', at, at + 9)
      if (profile === 'phone')
        for (let m = 2 + this.#chance() * 5; m < 46; m += 12) span(place, 'asleep', m, m + 4)
      if (profile === 'desktop' && place > 0) span(place, 'down', at + 8, at + 14, 'crashed')
      if (place % 7 === 3) span(place, 'stalled', 41, 43)
      if (place % 11 === 4) span(place, 'absent', 0, 8)
      if (place % 13 === 6) span(place, 'byzantine', 15, 50, 'forges claims')
      if (place % 13 === 8) span(place, 'revoked', 40, 60)
      if (place % 9 === 5) span(place, 'disk', 20, 30, '{"slowMs":500}')
    }
    const sides = [
      this.#devices.filter(({ place }) => place % 5 < 3),
      this.#devices.filter(({ place }) => place % 5 > 2),
    ]
    span(null, 'split', 28, 36, sides.map((side) => side.map(({ place }) => place).join(' ')).join(' | '))
    span(null, 'weather', 12, 20, 'latencyMs 400, loss 0.2')
  }

  /** Goes from device to device until one completes it. */
  #run(index: number, createdMs: number): TraceRun {
    const id = `run${String(index).padStart(6, '0')}`
    const creator = Math.floor(this.#chance() * this.#devices.length)
    const name = `${TYPES[index % TYPES.length]}-${index}`
    const bars: TraceBar[] = []
    let nowMs = createdMs
    let end = ''
    this.#note(createdMs, creator, 'record', id, 'created')
    for (let fence = 1; fence <= ATTEMPTS && end !== 'completed'; fence++) {
      const place = this.#choose(
        id,
        nowMs,
        creator,
        fence === 1 ? 'created' : end === 'failed' ? 'failed' : 'timeout',
      )
      const own = this.#stint(id, place, nowMs, fence)
      bars.push(...own)
      const last = own[own.length - 1] as TraceBar
      end = last.end ?? ''
      nowMs =
        end === 'failed' ? last.toMs + 1000 : Math.min(last.toMs, last.fromMs + TIMEOUT_MS * 2) + TIMEOUT_MS
    }
    const last = bars[bars.length - 1] as TraceBar
    const isDone = end === 'completed'
    return {
      id,
      name,
      type: TYPES[index % TYPES.length] as string,
      state: isDone ? 'completed' : 'failed',
      priority: index % 10 === 0 ? 10 : 0,
      creator,
      createdMs,
      endedMs: last.toMs,
      starts: bars.filter(({ state }) => state === 'processing').length,
      bars,
      sentences: [
        isDone
          ? `${this.#nameOf(last.place)} completed it, with fence ${last.fence}.`
          : `It failed for good: all ${ATTEMPTS} attempts are spent.`,
      ],
      conflicts: bars.some((bar) => bar.end === 'superseded') ? 1 : 0,
    }
  }

  #choose(run: string, atMs: number, by: number, reason: string): number {
    const candidates = this.#devices.map(({ place }) => {
      const trouble = this.#spans.find(
        (span) =>
          span.place === place &&
          span.fromMs + TIMEOUT_MS <= atMs &&
          atMs < span.toMs &&
          ['asleep', 'down', 'absent', 'revoked'].includes(span.kind),
      )
      if (trouble !== undefined)
        return {
          place,
          score: null,
          parts: null,
          gates: [`${this.#nameOf(place)} was not heard for too long.`],
        }
      const given = (this.#given[place] ?? []).filter((untilMs) => untilMs > atMs).length
      const parts = {
        load: 60 - (given / (this.#free[place]?.length ?? 1)) * 40,
        quality: this.#chance() * 25,
        rank: 10 - (place % 4),
        capability: 0,
      }
      return { place, score: parts.load + parts.quality + parts.rank, parts, gates: [] }
    })
    const best = candidates.reduce((a, b) => ((b.score ?? -Infinity) > (a.score ?? -Infinity) ? b : a))
    const able = candidates.filter(({ score }) => score !== null).length
    const sentence = `${this.#nameOf(best.place)} has the best score, ${best.score?.toFixed(1)}; ${able} of ${candidates.length} devices can take it.`
    this.#decisions.push({ atMs, by, run, target: best.place, reason, sentence, candidates })
    this.#note(atMs, by, 'record', run, `assigned to ${best.place} (${reason})`)
    return best.place
  }

  /** Assigned, claimed, worked on, for as long as nothing befalls the device. */
  #stint(run: string, place: number, fromMs: number, fence: number): readonly TraceBar[] {
    const slots = this.#free[place] as number[]
    const slot = slots.indexOf(Math.min(...slots))
    const claimMs = fromMs + 400 + this.#chance() * 3000
    const startMs = Math.max(claimMs + 500, slots[slot] ?? 0)
    const doneMs = startMs + 8000 + this.#chance() ** 2 * 4 * MINUTE
    const befell = this.#spans.find(
      (span) =>
        span.place === place &&
        ['asleep', 'down', 'revoked'].includes(span.kind) &&
        span.fromMs < doneMs &&
        span.toMs > fromMs,
    )
    const at = (state: TraceBar['state'], from: number, to: number, end: string | null): TraceBar => ({
      place,
      state,
      fromMs: Math.round(Math.min(from, to)),
      toMs: Math.round(to),
      end,
      fence,
    })
    const end =
      befell === undefined
        ? this.#chance() < 0.05
          ? 'failed'
          : 'completed'
        : befell.kind === 'down'
          ? 'crashed'
          : 'superseded'
    const isEarly = befell !== undefined && befell.fromMs <= startMs
    const stopMs =
      befell === undefined
        ? doneMs
        : befell.kind === 'down'
          ? Math.max(befell.fromMs, fromMs + 100)
          : Math.max(befell.toMs, fromMs + 100)
    slots[slot] = isEarly ? (slots[slot] ?? 0) : stopMs
    this.#given[place]?.push(stopMs)
    if (isEarly) return [at('assigned', fromMs, stopMs, end === 'crashed' ? 'timeout' : end)]
    this.#note(claimMs, place, 'record', run, `claimed, fence ${fence}`)
    this.#note(startMs, place, 'start', run, `fence ${fence}`)
    this.#note(stopMs, place, 'end', run, end)
    return [
      at('assigned', fromMs, claimMs, null),
      at('claimed', claimMs, startMs, null),
      at('processing', startMs, stopMs, end),
    ]
  }

  #beacons(): void {
    for (const { place } of this.#devices)
      for (let atMs = place * 137; atMs < END_MS; atMs += 30_000) {
        const isSilent = this.#spans.some(
          (span) => span.place === place && span.kind !== 'disk' && span.fromMs <= atMs && atMs < span.toMs,
        )
        if (!isSilent) this.#note(atMs, place, 'beacon', null, 'alive')
      }
  }

  #violations(): Outcome['violations'] {
    const made = this.#runs
      .filter(({ conflicts }) => conflicts > 0)
      .slice(0, this.#size.violations ?? 0)
      .map(({ id, name, bars }) => ({
        invariant: 'one-owner' as const,
        atMs: bars[0]?.toMs ?? 0,
        place: bars[0]?.place ?? null,
        run: id,
        message: `${name} was worked on by two connected devices for 14.2 s; the grace is 10 s.`,
      }))
    for (const { atMs, place, run, message } of made) this.#note(atMs, place, 'violation', run, message)
    return made
  }

  #note(atMs: number, place: number | null, kind: string, run: string | null, text: string): void {
    this.#entries.push({ atMs: Math.round(atMs), place, kind, run, text })
  }

  #nameOf(place: number): string {
    return this.#devices[place]?.name ?? String(place)
  }

  #outcome(violations: Outcome['violations']): Outcome {
    const byReason: Record<string, number> = {}
    for (const { reason } of this.#decisions) byReason[reason] = (byReason[reason] ?? 0) + 1
    const completed = this.#runs.filter(({ state }) => state === 'completed').length
    const starts = this.#runs.reduce((sum, run) => sum + run.starts, 0)
    return {
      seed: this.#size.seed ?? 7,
      title: 'An office over lunch',
      parameters: {
        devices: this.#devices.length,
        steps: this.#spans.length,
        lastsMs: CALM_MS,
        heartbeat: { intervalMs: 30_000, timeoutMs: TIMEOUT_MS },
        signatures: 'virtual',
      },
      simulatedMs: END_MS,
      digest: '00',
      logDigest: '00',
      violations,
      runs: this.#runs.length,
      terminal: this.#runs.length,
      completed,
      failed: this.#runs.length - completed,
      cancelled: 0,
      waiting: 0,
      starts,
      doubleExecutions: violations.length,
      acceptedResults: completed,
      delays: { p50: 74_000, p90: 214_300, p99: 803_000 },
      pickups: { p50: 1_840, p90: 42_000, p99: null },
      messages: 48_213,
      messagesByKind: { batches: 9_120, beacons: 38_004, frames: 1_089 },
      published: { batches: 1_520, beacons: 6_334 },
      bytes: 12_482_113,
      bytesByKind: { batches: 7_482_113, beacons: 4_000_000, frames: 1_000_000 },
      journalBytes: 1_240_871,
      records: this.#entries.filter(({ kind }) => kind === 'record').length,
      decisions: byReason,
      events: 182_331,
    }
  }
}

/** A name that would run a script, if it ever became markup. */
export const EVIL = `</script><script>document.title='broken'</script><img src=x onerror="document.title='broken'"><!--`

/** Everything that people name is named so as to do harm. */
export function evilTrace(): Trace {
  const trace = madeTrace({ devices: 3, runs: 6, violations: 1 })
  return {
    ...trace,
    outcome: { ...trace.outcome, title: EVIL },
    replay: EVIL,
    devices: trace.devices.map((device) => ({ ...device, name: EVIL, profile: EVIL })),
    spans: trace.spans.map((span) => ({ ...span, text: EVIL })),
    runs: trace.runs.map((run) => ({ ...run, name: EVIL, type: EVIL, sentences: [EVIL] })),
    decisions: trace.decisions.map((decision) => ({
      ...decision,
      reason: EVIL,
      sentence: EVIL,
      candidates: decision.candidates.map((candidate) => ({ ...candidate, gates: [EVIL] })),
    })),
    entries: trace.entries.map((entry) => ({ ...entry, text: EVIL })),
  }
}
