/** One go of a handler at a run, as the world saw it. */
import type { RecordId, RunId } from '../../protocol/index.js'
import type { StopReason } from '../../src/engine/index.js'

export interface Execution {
  readonly run: RunId
  readonly assignment: RecordId
  readonly place: number
  readonly incarnation: number
  readonly attempt: number
  readonly fence: number
  /** It was pulled by a lease, and no handler has it. */
  readonly isLease: boolean
  readonly startedMs: number
  /** Its signal was given. */
  stopped: { readonly atMs: number; readonly reason: StopReason } | null
  ended: { readonly atMs: number; readonly how: string } | null
}

/** It goes on, and was not told to stop. */
export function isLive({ stopped, ended }: Execution): boolean {
  return stopped === null && ended === null
}

/** All executions of a simulation. */
export class Executions {
  readonly all: Execution[] = []
  readonly #byRun = new Map<RunId, Execution[]>()
  readonly #open = new Map<number, Set<Execution>>()

  add(execution: Execution): void {
    this.all.push(execution)
    const some = this.#byRun.get(execution.run)
    if (some === undefined) this.#byRun.set(execution.run, [execution])
    else some.push(execution)
    const open = this.#open.get(execution.place)
    if (open === undefined) this.#open.set(execution.place, new Set([execution]))
    else open.add(execution)
  }

  of(run: RunId): readonly Execution[] {
    return this.#byRun.get(run) ?? []
  }

  /** What a device is at. */
  openOn(place: number): Iterable<Execution> {
    return this.#open.get(place) ?? []
  }

  end(execution: Execution, atMs: number, how: string): void {
    execution.ended = { atMs, how }
    this.#open.get(execution.place)?.delete(execution)
  }

  /** A process died: what it was at has ended. */
  died(place: number, atMs: number): void {
    for (const execution of [...this.openOn(place)]) this.end(execution, atMs, 'crashed')
  }
}
