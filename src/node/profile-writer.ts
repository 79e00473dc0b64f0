/** Keeps the group told what this device is and can do: one record when that changes, none while it does not. */
import type { Draft } from '../../protocol/index.js'
import { SKEW_QUORUM } from '../engine/constants.js'
import type { EngineState } from '../engine/index.js'
import type { Clock } from '../platform/seams.js'
import { CLOCK_WAIT_MS, PROFILE_WAIT_MS } from './constants.js'
import type { Facts } from './facts.js'
import type { Schedule } from './schedule.js'

export interface ProfileWriterHost {
  readonly clock: Clock
  readonly schedule: Schedule
  readonly facts: Facts
  readonly engine: EngineState
  /** Without a network there is nobody to tell the time. */
  readonly hasNetwork: boolean
  readonly handles: () => ReadonlyMap<string, number>
  /** False before this device is a member, and once the node closes. */
  readonly mayWrite: () => boolean
  readonly write: (draft: Draft<'profiled'>) => void
}

export class ProfileWriter {
  readonly #host: ProfileWriterHost
  readonly #startedMs: number
  #isWanted = false
  /** Until then the first profile waits for others to tell the time. */
  #clockSureMs: number | null = null

  constructor(host: ProfileWriterHost) {
    this.#host = host
    this.#startedMs = host.clock.monotonicMs()
    host.schedule.after(PROFILE_WAIT_MS, () => this.#write())
  }

  /** Something changed. Handlers are mostly registered together: one profile for all of them. */
  soon(): void {
    if (this.#isWanted) return
    this.#isWanted = true
    queueMicrotask(() => {
      this.#isWanted = false
      this.#write()
    })
  }

  #write(): void {
    const { facts, engine, handles, mayWrite, write } = this.#host
    if (!mayWrite() || this.#isClockUnsure()) return
    const draft = facts.profile(engine.group, engine.me, handles())
    if (draft !== null && !this.#isTooSoon(draft)) write(draft)
  }

  /** A moment after the start fewer handlers than before mean that the others are about to be registered. */
  #isTooSoon({ handles = [] }: Draft<'profiled'>): boolean {
    const { clock, engine } = this.#host
    if (clock.monotonicMs() - this.#startedMs >= PROFILE_WAIT_MS) return false
    const known = engine.group.profiles.get(engine.me)?.handles
    if (known === undefined) return handles.length === 0
    return handles.length < known.length && handles.every((type) => known.includes(type))
  }

  /**
   * The first thing that a device ever writes in a group waits until others told it the time, or did not: if its clock
   * were far ahead, nobody would take what it writes before that time has come.
   */
  #isClockUnsure(): boolean {
    const { clock, engine, hasNetwork } = this.#host
    if (!hasNetwork || engine.group.profiles.has(engine.me)) return false
    if (engine.group.members.size <= SKEW_QUORUM || engine.peers.skew(engine.now) !== null) return false
    this.#clockSureMs ??= this.#sureSoon()
    return clock.monotonicMs() < this.#clockSureMs
  }

  #sureSoon(): number {
    const { clock, schedule } = this.#host
    schedule.after(CLOCK_WAIT_MS, () => this.#write())
    return clock.monotonicMs() + CLOCK_WAIT_MS
  }
}
