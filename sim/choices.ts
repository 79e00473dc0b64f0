/** Why each assignment was made: the chooser's own words, taken down when it chose. */
import { type Decision, needsOf, type RecordOf, type RunNeeds } from '../protocol/index.js'
import { evaluate } from '../src/engine/index.js'
import type { Placement } from '../src/engine/place.js'
import type { Inside } from '../src/node/host.js'
import type { SimDevice } from './devices/device.js'
import type { Scene } from './oracles/oracle.js'
import type { TraceDecision } from './trace.js'

/** Choices for runs that had no id yet, of one device. More are forgotten: their appends failed. */
const MAX_PENDING = 4096

interface Choice {
  readonly type: string
  readonly target: string
  readonly decision: Decision
}

export class Choices {
  readonly #scene: Scene
  readonly #byRun = new Map<string, Choice>()
  readonly #unnamed = new Map<number, Choice[]>()
  readonly decisions: TraceDecision[] = []

  constructor(scene: Scene) {
    this.#scene = scene
  }

  /** Listens to a process. */
  listen(device: SimDevice, { engine }: Inside): void {
    this.#unnamed.set(device.place, [])
    engine.onPlaced = (needs: RunNeeds, placement: Placement) => {
      if (placement.type !== 'self' && placement.type !== 'other') return
      const target = placement.type === 'self' ? device.id : placement.device
      const choice = { type: needs.type, target, decision: evaluate(engine, needs) }
      if (needs.run !== engine.config.group) this.#byRun.set(`${device.place}/${needs.run}`, choice)
      else {
        const unnamed = this.#unnamed.get(device.place) ?? []
        unnamed.push(choice)
        if (unnamed.length > MAX_PENDING) unnamed.shift()
      }
    }
  }

  /** An assignment was written. */
  note(device: SimDevice, record: RecordOf<'assigned'>): void {
    const { run, target, reason } = record
    const choice = this.#byRun.get(`${device.place}/${run}`) ?? this.#takeUnnamed(device, target)
    this.#byRun.delete(`${device.place}/${run}`)
    const decision = choice?.target === target ? choice.decision : this.#byHand(device, run)
    this.decisions.push({
      atMs: this.#scene.nowMs,
      by: device.place,
      run,
      target: this.#scene.placeOf(target)?.place ?? -1,
      reason,
      sentence: decision?.sentence ?? 'Somebody gave it by hand.',
      candidates: (decision?.candidates ?? []).map(({ device: candidate, gates, score, parts }) => ({
        place: this.#scene.placeOf(candidate)?.place ?? -1,
        score: score === null ? null : score / 1000,
        parts: parts === null ? null : pointsOf(parts),
        gates: gates.map(({ sentence }) => sentence),
      })),
    })
  }

  #takeUnnamed(device: SimDevice, target: string): Choice | undefined {
    const unnamed = this.#unnamed.get(device.place) ?? []
    const at = unnamed.findIndex((choice) => choice.target === target)
    return at < 0 ? undefined : unnamed.splice(0, at + 1)[at]
  }

  /** Nobody asked the chooser: what it would have said. */
  #byHand({ inside }: SimDevice, run: string): Decision | null {
    const view = inside?.book.view(run) ?? null
    return inside === null || view === null
      ? null
      : evaluate(inside.engine, needsOf(view, inside.engine.now.wallMs))
  }
}

/** Thousandths of points as points. */
function pointsOf(parts: object): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, Number(value) / 1000]))
}
