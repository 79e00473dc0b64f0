/** Two ends of a channel within one process. */
import type { DeviceId } from '../../../protocol/index.js'
import { CHANNEL_BUFFER_BYTES, MAX_FRAME_BYTES } from '../constants.js'
import { type Channel, TransportError } from '../transport.js'

/** How an end of a channel reaches the two devices. */
export interface Wiring {
  /** Brings something to the other device, in order; never if the connection is lost before. */
  carry(arrive: () => void): void
  /** Calls this device back, later. */
  wake(callback: () => void): void
  /** A frame was sent. */
  count(bytes: number): void
  /** This end is done with. */
  ended(): void
}

interface Waiter<T> {
  readonly resolve: (value: T) => void
  readonly reject: (error: TransportError) => void
}

export class MemoryChannel implements Channel {
  readonly device: DeviceId
  readonly #wiring: Wiring
  #other: MemoryChannel | null = null
  #state: 'open' | 'closed' | 'broken' = 'open'
  #isOtherClosed = false
  #arrived: Uint8Array[] = []
  /** Bytes sent that the other side has not taken. */
  #underWay = 0
  readonly #takers: Waiter<Uint8Array | null>[] = []
  readonly #senders: Waiter<void>[] = []

  /** `device`: who is at the other end. */
  constructor(device: DeviceId, wiring: Wiring) {
    this.device = device
    this.#wiring = wiring
  }

  /** Says which is its other end. Once, before anything else. */
  joinTo(other: MemoryChannel): void {
    this.#other = other
  }

  async send(frame: Uint8Array): Promise<void> {
    if (frame.length > MAX_FRAME_BYTES)
      throw new TransportError(
        'FRAME_TOO_LARGE',
        `A frame of ${frame.length} bytes is over ${MAX_FRAME_BYTES}. Nothing was sent.`,
      )
    if (this.#state !== 'open' || this.#isOtherClosed) throw this.#end()
    this.#underWay += frame.length
    this.#wiring.count(frame.length)
    // A copy: what the sender does with its bytes afterwards is not seen on the other side, as on a real wire.
    const copy = frame.slice()
    this.#wiring.carry(() => this.#far.#land(copy))
    if (this.#underWay < CHANNEL_BUFFER_BYTES) return
    await new Promise<void>((resolve, reject) => this.#senders.push({ resolve, reject }))
  }

  async receive(): Promise<Uint8Array | null> {
    if (this.#state === 'closed') throw this.#end()
    const frame = this.#arrived.shift()
    if (frame !== undefined) {
      this.#far.#taken(frame.length)
      return frame
    }
    if (this.#isOtherClosed) return null
    if (this.#state === 'broken') throw this.#end()
    return new Promise((resolve, reject) => this.#takers.push({ resolve, reject }))
  }

  close(): void {
    if (this.#state === 'closed') return
    const wasOpen = this.#state === 'open'
    this.#state = 'closed'
    this.#arrived = []
    this.#rejectAll()
    if (wasOpen) this.#wiring.carry(() => this.#far.#otherClosed())
    this.#wiring.ended()
  }

  /** The connection was lost. Frames that arrived before can still be taken. */
  break(): void {
    if (this.#state !== 'open') return
    this.#state = 'broken'
    this.#rejectAll()
    this.#wiring.ended()
  }

  get #far(): MemoryChannel {
    if (this.#other === null) throw new Error('The channel has no other end.')
    return this.#other
  }

  #land(frame: Uint8Array): void {
    if (this.#state !== 'open') return
    const taker = this.#takers.shift()
    if (taker === undefined) {
      this.#arrived.push(frame)
      return
    }
    this.#far.#taken(frame.length)
    taker.resolve(frame)
  }

  #otherClosed(): void {
    if (this.#state !== 'open') return
    this.#isOtherClosed = true
    for (const { resolve } of this.#takers.splice(0)) resolve(null)
    for (const { reject } of this.#senders.splice(0)) reject(this.#end())
  }

  /** The other side took a frame: there may be room again. */
  #taken(bytes: number): void {
    this.#underWay -= bytes
    if (this.#senders.length === 0 || this.#underWay >= CHANNEL_BUFFER_BYTES) return
    this.#wiring.wake(() => {
      if (this.#underWay >= CHANNEL_BUFFER_BYTES) return
      for (const { resolve } of this.#senders.splice(0)) resolve()
    })
  }

  #rejectAll(): void {
    for (const { reject } of this.#takers.splice(0)) reject(this.#end())
    for (const { reject } of this.#senders.splice(0)) reject(this.#end())
  }

  #end(): TransportError {
    const why =
      this.#state === 'broken'
        ? 'the connection was lost'
        : this.#state === 'closed'
          ? 'it was closed on this side'
          : 'the other side closed it'
    return new TransportError('CHANNEL_ENDED', `The channel to ${this.device} ended: ${why}.`)
  }
}
