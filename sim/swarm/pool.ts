/** Processes that play scripts, so that every core is used, and one that hangs can be stopped. */
import type { Clock } from '../../src/platform/seams.js'
import type { Script } from '../script/types.js'
import type { PoolAnswer, PoolResult, PoolTask } from './pool-task.js'
import { brokenOff } from './swarm.js'

/** A process that plays one script at a time. */
export interface PoolWorker {
  ask(task: PoolTask): void
  end(): void
}

export interface PoolListener {
  onAnswer(answer: PoolAnswer): void
  /** It ended by itself. */
  onEnd(why: string): void
}

export type StartWorker = (listener: PoolListener) => PoolWorker

export interface PoolOptions {
  readonly workers: number
  readonly start: StartWorker
  readonly clock: Clock
  /** Real milliseconds that one script may take, or one search for a shorter one. @default 600_000 */
  readonly patienceMs?: number | undefined
}

/** Longer than any script of the swarm takes on a slow machine. */
const PATIENCE_MS = 600_000

export class Pool {
  readonly #seats: readonly Seat[]
  readonly #free: Seat[]
  readonly #waiting: ((seat: Seat) => void)[] = []

  constructor({ workers, start, clock, patienceMs = PATIENCE_MS }: PoolOptions) {
    this.#seats = Array.from({ length: workers }, () => new Seat(start, clock, patienceMs))
    this.#free = [...this.#seats]
  }

  /** Plays a script as soon as a worker is free. */
  async play(task: PoolTask): Promise<PoolResult> {
    const seat = this.#free.pop() ?? (await new Promise<Seat>((resolve) => this.#waiting.push(resolve)))
    const result = await seat.play(task)
    const next = this.#waiting.shift()
    if (next === undefined) this.#free.push(seat)
    else next(seat)
    return result
  }

  /** Ends all workers. What they were at is given up. */
  close(): void {
    for (const seat of this.#seats) seat.close()
  }
}

/** A place for a worker. One that is lost is replaced when the next script comes. */
class Seat implements PoolListener {
  readonly #start: StartWorker
  readonly #clock: Clock
  readonly #patienceMs: number
  #worker: PoolWorker | null = null
  #script: Script | null = null
  #played: PoolResult | null = null
  #done: (result: PoolResult) => void = () => undefined
  #stopWatching: () => void = () => undefined

  constructor(start: StartWorker, clock: Clock, patienceMs: number) {
    this.#start = start
    this.#clock = clock
    this.#patienceMs = patienceMs
  }

  play(task: PoolTask): Promise<PoolResult> {
    this.#script = task.script
    this.#played = null
    this.#watch(task.script)
    return new Promise((resolve) => {
      this.#done = resolve
      this.#worker ??= this.#start(this)
      this.#worker.ask(task)
    })
  }

  onAnswer(answer: PoolAnswer): void {
    const script = this.#script
    if (script === null) return
    if (answer.what === 'played') {
      this.#played = { outcome: answer.outcome, lines: answer.lines, minimum: null }
      if (answer.goesOn) this.#watch(script)
      else this.#end(this.#played)
    } else if (this.#played !== null) this.#end({ ...this.#played, minimum: answer.minimum })
  }

  onEnd(why: string): void {
    this.#worker = null
    if (this.#script !== null) this.#end(this.#soFar(this.#script, why))
  }

  close(): void {
    this.#stopWatching()
    this.#worker?.end()
    this.#worker = null
  }

  #watch(script: Script): void {
    this.#stopWatching()
    this.#stopWatching = this.#clock.setTimer(this.#patienceMs, () => {
      this.close()
      this.#end(this.#soFar(script, `It did not end within ${this.#patienceMs / 1000} s.`))
    })
  }

  #end(result: PoolResult): void {
    this.#stopWatching()
    this.#script = null
    this.#done(result)
  }

  /** What the worker has said, or why it says nothing any more. */
  #soFar(script: Script, why: string): PoolResult {
    return this.#played ?? { outcome: brokenOff(script, why), lines: [], minimum: null }
  }
}
