/** A channel as a sync uses it: whole frames, counted, within limits of bytes and time. */
import type { Clock } from '../platform/seams.js'
import { SyncError } from './sync-error.js'
import { type Frame, type FrameType, readFrame, writeFrame } from './sync-frames.js'
import { type Channel, TransportError } from './transport.js'
import { type Patience, Watchdog } from './watchdog.js'

export interface WireLimits extends Patience {
  /** Bytes that are taken. */
  readonly takenBytes: number
}

export class SyncWire {
  readonly #channel: Channel
  readonly #limits: WireLimits
  readonly #watchdog: Watchdog
  #isExpired = false
  #sent = 0
  #taken = 0

  constructor(channel: Channel, clock: Clock, limits: WireLimits) {
    this.#channel = channel
    this.#limits = limits
    this.#watchdog = new Watchdog(clock, limits, () => {
      this.#isExpired = true
      channel.close()
    })
  }

  /** Bytes both ways. */
  get bytes(): number {
    return this.#sent + this.#taken
  }

  /** Whether the sync took too long. The channel is closed then. */
  get isExpired(): boolean {
    return this.#isExpired
  }

  async send(type: FrameType, payload?: Uint8Array): Promise<void> {
    const frame = writeFrame(type, payload)
    this.#sent += frame.length
    await this.#channel.send(frame)
    this.#watchdog.moved()
  }

  /** The next frame, of one of these types. Throws a `SyncError` if none comes. */
  async take(...expected: readonly FrameType[]): Promise<Frame> {
    const bytes = await this.#channel.receive()
    this.#watchdog.moved()
    if (bytes === null) throw new SyncError('SYNC_CUT', 'The other side ended the sync before it was done.')
    this.#taken += bytes.length
    if (this.#taken > this.#limits.takenBytes)
      throw new SyncError('SYNC_TOO_LARGE', `The other side sent over ${this.#limits.takenBytes} bytes.`)
    return readFrame(bytes, expected)
  }

  /** What an error of the channel means for the sync. */
  explain(error: unknown): unknown {
    if (this.#isExpired)
      return new SyncError('SYNC_TIMEOUT', 'The sync took too long, or nothing moved. It was ended.', error)
    return error instanceof TransportError ? new SyncError('SYNC_CUT', error.message, error) : error
  }

  close(): void {
    this.#watchdog.stop()
    this.#channel.close()
  }
}
