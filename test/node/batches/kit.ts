/** A world for batches: what was submitted stays, whatever becomes of the process; and a store that can be stopped. */
import type { Draft, RunId } from '../../../protocol/index.js'
import { Batches } from '../../../src/node/batches/index.js'
import { RunError } from '../../../src/node/errors.js'
import { MemoryStore } from '../../../src/store/memory-store.js'
import { seededRandom } from '../../../src/testing/seeded.js'
import { TestClock } from '../outbox/kit.js'

export function drafts(count: number, extra: Partial<Draft<'created'>> = {}): Draft<'created'>[] {
  return Array.from({ length: count }, (_, input) => ({ kind: 'created', type: 'test.job', input, ...extra }))
}

/** Dies at its k-th write: that write is lost, or reached the disk just before, and nothing works from then on. */
export class MortalStore extends MemoryStore {
  writes = 0
  #left = Number.POSITIVE_INFINITY
  #isLastKept = false

  dieAt(writes: number, isLastKept: boolean): void {
    this.#left = this.writes + writes
    this.#isLastKept = isLastKept
  }

  revive(): void {
    this.#left = Number.POSITIVE_INFINITY
  }

  get isDead(): boolean {
    return this.writes >= this.#left
  }

  override async putItem(name: string, value: Uint8Array | null): Promise<void> {
    this.#checkAlive()
    this.writes++
    if (this.writes === this.#left) {
      if (this.#isLastKept) await super.putItem(name, value)
      this.#checkAlive()
    }
    await super.putItem(name, value)
  }

  override async getItem(name: string): Promise<Uint8Array | null> {
    this.#checkAlive()
    return super.getItem(name)
  }

  #checkAlive(): void {
    if (this.isDead) throw Object.assign(new Error('The process was killed.'), { code: 'STORE_UNAVAILABLE' })
  }
}

export class World {
  readonly store: MortalStore = new MortalStore()
  readonly clock: TestClock = new TestClock()
  /** By key: how often its draft was submitted, and whether its run was cancelled. */
  readonly runs: Map<string, { submits: number; readonly input: unknown; isCancelled: boolean }> = new Map()
  submits = 0
  /** Asked before each submit and each cancel; it may throw. */
  gate: (drafts: readonly Draft<'created'>[]) => void | Promise<void> = () => {}
  readonly #random = seededRandom(1)

  open(): Promise<Batches> {
    return Batches.open({
      store: this.store,
      clock: this.clock,
      random: this.#random,
      submitChunk: (chunk) => this.#submit(chunk),
      cancelRun: (run) => this.#cancel(run),
    })
  }

  get cancelled(): number {
    return [...this.runs.values()].filter(({ isCancelled }) => isCancelled).length
  }

  async #submit(chunk: readonly Draft<'created'>[]): Promise<{ run: RunId; isNew: boolean }[]> {
    await this.gate(chunk)
    if (this.store.isDead) throw Object.assign(new Error('It was killed.'), { code: 'STORE_UNAVAILABLE' })
    this.submits++
    return chunk.map(({ key = `none ${this.runs.size}`, input }) => {
      const run = this.runs.get(key) ?? { submits: 0, input, isCancelled: false }
      this.runs.set(key, run)
      run.submits++
      return { run: `run of ${key}`, isNew: run.submits === 1 }
    })
  }

  async #cancel(id: RunId): Promise<void> {
    if (this.store.isDead) throw new Error('It was killed.')
    const run = this.runs.get(id.slice('run of '.length))
    if (run === undefined) throw new RunError('RUN_NOT_FOUND', 'There is no such run.')
    if (run.isCancelled) throw new RunError('RUN_TERMINAL', 'It has ended.')
    run.isCancelled = true
  }
}
