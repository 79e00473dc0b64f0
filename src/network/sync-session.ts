/**
 * One sync between two devices over a channel: afterwards both hold what either held.
 *
 * Nothing is remembered between syncs, and every message is taken in whole or not at all: one that is cut in the middle
 * has brought what it has brought, and the next goes on from there.
 */
import { equalBytes } from '../../protocol/index.js'
import { decodeHeads } from '../journal/heads.js'
import { JournalError, type Journals, type Outcome } from '../journal/index.js'
import type { Clock, OnProgress } from '../platform/seams.js'
import {
  SYNC_BUSY_MS,
  SYNC_IDLE_MS,
  SYNC_SENT_BYTES,
  SYNC_TAKEN_BYTES,
  SYNC_TIMEOUT_MS,
} from './constants.js'
import { SyncError } from './sync-error.js'
import { FRAME } from './sync-frames.js'
import { SyncWire, type WireLimits } from './sync-wire.js'
import type { Channel } from './transport.js'

/** What a sync needs of the journals. */
export type SyncJournals = Pick<
  Journals,
  'summary' | 'headsAgainst' | 'heads' | 'headsToCatchUp' | 'lacking' | 'receive'
>

export interface SyncLimits extends WireLimits {
  /** Bytes of messages that are sent. */
  readonly sentBytes: number
}

export interface SyncOptions {
  readonly channel: Channel
  /** Who opened the channel begins. */
  readonly role: 'initiator' | 'responder'
  readonly journals: SyncJournals
  readonly clock: Clock
  readonly onProgress?: OnProgress
  readonly limits?: Partial<SyncLimits>
}

export interface SyncReport {
  /** Messages that went to the other device, and that came from it. */
  readonly sent: number
  readonly received: number
  /** Bytes both ways. */
  readonly bytes: number
  /** Messages from the other that were not taken in whole: refused, or with something missing before them. */
  readonly refused: number
  /** One of the two has more than one sync carries: another should follow. */
  readonly more: boolean
}

const LIMITS: SyncLimits = {
  sentBytes: SYNC_SENT_BYTES,
  takenBytes: SYNC_TAKEN_BYTES,
  idleMs: SYNC_IDLE_MS,
  timeoutMs: SYNC_TIMEOUT_MS,
}

/** Runs a sync to its end and closes the channel. Rejects with a `SyncError`. */
export async function runSync(options: SyncOptions): Promise<SyncReport> {
  const limits = { ...LIMITS, ...options.limits }
  const wire = new SyncWire(options.channel, options.clock, limits)
  const session = new SyncSession(wire, options, limits)
  try {
    await session.run()
    return session.report
  } catch (error) {
    throw wire.explain(asSyncError(error))
  } finally {
    wire.close()
  }
}

class SyncSession {
  readonly #wire: SyncWire
  readonly #options: SyncOptions
  readonly #limits: SyncLimits
  #sent = 0
  #received = 0
  #refused = 0
  #more = false

  constructor(wire: SyncWire, options: SyncOptions, limits: SyncLimits) {
    this.#wire = wire
    this.#options = options
    this.#limits = limits
  }

  get report(): SyncReport {
    const { bytes } = this.#wire
    return {
      sent: this.#sent,
      received: this.#received,
      bytes,
      refused: this.#refused,
      more: this.#more,
    }
  }

  run(): Promise<void> {
    return this.#options.role === 'initiator' ? this.#begin() : this.#answer()
  }

  async #begin(): Promise<void> {
    const { journals } = this.#options
    const wire = this.#wire
    await wire.send(FRAME.SUMMARY, journals.summary())
    const answer = await wire.take(FRAME.HEADS, FRAME.END)
    if (answer.type === FRAME.END) return
    // An evicted journal of which the other has more is fetched anew: from now on it is listed as empty.
    await journals.headsToCatchUp(answer.payload)
    await wire.send(FRAME.HEADS, journals.heads(namesIn(answer.payload)))
    const again = await wire.take(FRAME.HEADS, FRAME.UNCHANGED)
    await this.#takeIn()
    await this.#sendLacking(again.type === FRAME.HEADS ? again.payload : answer.payload)
    await wire.take(FRAME.END)
  }

  async #answer(): Promise<void> {
    const { journals } = this.#options
    const wire = this.#wire
    const summary = await wire.take(FRAME.SUMMARY)
    const heads = journals.headsAgainst(summary.payload)
    if (heads === null) return wire.send(FRAME.END)
    await wire.send(FRAME.HEADS, heads)
    const theirs = await wire.take(FRAME.HEADS)
    await journals.headsToCatchUp(theirs.payload)
    const now = journals.heads(namesIn(heads))
    if (equalBytes(now, heads)) await wire.send(FRAME.UNCHANGED)
    else await wire.send(FRAME.HEADS, now)
    await this.#sendLacking(theirs.payload)
    await this.#takeIn()
    await wire.send(FRAME.END)
  }

  /** The next message is read once there is room for it: the journals are never ahead of the wire. */
  async #sendLacking(heads: Uint8Array): Promise<void> {
    const { journals, onProgress } = this.#options
    let bytes = 0
    for await (const message of journals.lacking(heads, onProgress)) {
      bytes += message.length
      if (bytes > this.#limits.sentBytes && this.#sent > 0) {
        this.#more = true
        return this.#wire.send(FRAME.MORE)
      }
      await this.#wire.send(FRAME.MESSAGE, message)
      this.#sent++
    }
    await this.#wire.send(FRAME.END)
  }

  /** The next frame is taken once the one before is in the journals: a slow disk slows the other side down. */
  async #takeIn(): Promise<void> {
    for (;;) {
      const { type, payload } = await this.#wire.take(FRAME.MESSAGE, FRAME.END, FRAME.MORE)
      if (type === FRAME.MORE) this.#more = true
      if (type !== FRAME.MESSAGE) return
      this.#count(await this.#receive(payload))
      this.#options.onProgress?.({ what: 'sync received', done: this.#received, total: null })
    }
  }

  async #receive(message: Uint8Array): Promise<Outcome> {
    const { journals, channel, clock } = this.#options
    for (;;) {
      const outcome = await journals.receive(message, channel.device)
      if (outcome.status !== 'refused' || outcome.code !== 'BUSY' || this.#wire.isExpired) return outcome
      await new Promise<void>((resolve) => clock.setTimer(SYNC_BUSY_MS, resolve))
    }
  }

  #count(outcome: Outcome): void {
    this.#received++
    if (outcome.status === 'applied' || outcome.status === 'known') return
    this.#refused++
    if (outcome.status === 'gap') return
    const { code, why } = outcome
    if (code === 'MALFORMED' || code === 'TOO_LARGE') throw new SyncError('SYNC_MALFORMED', why)
    if (code === 'STORE' || code === 'CLOSED') throw new SyncError('SYNC_STORE', why)
  }
}

/** The journals that a list of heads is about. It was read before, so it can be. */
function namesIn(heads: Uint8Array): readonly string[] {
  return [...decodeHeads(heads).keys()]
}

function asSyncError(error: unknown): unknown {
  if (!(error instanceof JournalError)) return error
  const code = error.code === 'SYNC_MALFORMED' ? 'SYNC_MALFORMED' : 'SYNC_STORE'
  return new SyncError(code, error.message, error)
}
