/** The node's end of the network: batches and beacons out and in, and syncs when something may be missing. */
import { type DeviceId, type GroupId, msOf } from '../../protocol/index.js'
import type { Beacon, BeaconDraft } from '../engine/index.js'
import type { Journals } from '../journal/index.js'
import { openBeacon, signBeacon } from '../network/beacon-codec.js'
import { Syncer } from '../network/syncer.js'
import type { Channel, Peer, Topic, Transport, TransportHost } from '../network/transport.js'
import type { Clock, Random, Signer, Verifier } from '../platform/seams.js'

/** Milliseconds for which a record that did not come is asked for at each beacon: a day, as journals go. */
const LATELY_MS = 86_400_000

export interface LinkOptions {
  readonly transport: Transport
  readonly journals: Journals
  readonly signer: Signer
  readonly verifier: Verifier
  /** @default the one of the codec */
  readonly openBeacon?: typeof openBeacon | undefined
  readonly clock: Clock
  readonly random: Random
  readonly onBeacon: (beacon: Beacon) => void
  readonly onConnection: (device: DeviceId, quality: number | null) => void
  /** A sync with a device has ended well. */
  readonly onSynced: () => void
  readonly onError: (error: unknown) => void
}

export class Link implements TransportHost {
  readonly device: DeviceId
  readonly group: GroupId
  readonly #options: LinkOptions
  readonly #syncer: Syncer
  #sequence = 0
  #isClosed = false
  /** Batches are taken in one after the other: the last that came is the last to be in. */
  #lastTaken: Promise<void> = Promise.resolve()

  constructor(options: LinkOptions) {
    const { journals, transport, clock, random, signer } = options
    this.#options = options
    this.device = signer.device
    this.group = journals.group.id
    this.#syncer = new Syncer({
      journals,
      transport,
      clock,
      random,
      device: this.device,
      onSynced: () => options.onSynced(),
      onError: (_, error) => options.onError(error),
    })
  }

  start(): Promise<void> {
    return this.#options.transport.start(this)
  }

  publish(message: Uint8Array): void {
    if (!this.#isClosed) this.#options.transport.publish('batches', message)
  }

  /** Signs and sends. Resolves once it is on its way. */
  async sendBeacon(draft: BeaconDraft): Promise<void> {
    const { transport, signer, onError, journals } = this.#options
    const latest = journals.latestOf(draft)
    const beacon: Beacon = { ...draft, sequence: this.#sequence++, latest }
    try {
      const bytes = await signBeacon(signer, beacon, this.group)
      if (!this.#isClosed) transport.publish('beacons', bytes)
    } catch (error) {
      onError(error)
    }
  }

  /** Syncs with everyone who is connected. Resolves when each sync has ended, or failed. */
  syncAll(): Promise<void> {
    return this.#syncer.syncAll()
  }

  get peers(): readonly Peer[] {
    return this.#options.transport.peers()
  }

  /** Membership changed. */
  review(): void {
    if (!this.#isClosed) this.#options.transport.review()
  }

  /** A device that knows nothing of the group yet lets itself be told by anyone; what it is told it checks. */
  isWelcome(device: DeviceId): boolean {
    const { group } = this.#options.journals
    return group.founder === null || group.members.get(device)?.revokedAt === null
  }

  onConnected(peer: Peer): void {
    this.#options.onConnection(peer.device, peer.quality)
    this.#syncer.onConnected(peer.device)
  }

  onDisconnected(device: DeviceId): void {
    this.#syncer.onDisconnected(device)
    this.#options.onConnection(device, null)
  }

  onQuality(peer: Peer): void {
    this.#options.onConnection(peer.device, peer.quality)
  }

  onMessage(topic: Topic, bytes: Uint8Array, from: DeviceId): void {
    if (this.#isClosed) return
    if (topic === 'batches') this.#lastTaken = this.#takeBatches(bytes, from)
    else void this.#takeBeacon(bytes)
  }

  onChannel(channel: Channel): void {
    this.#syncer.onChannel(channel)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#syncer.close()
    await this.#options.transport.close()
  }

  async #takeBatches(bytes: Uint8Array, from: DeviceId): Promise<void> {
    const outcome = await this.#options.journals.receive(bytes, from)
    const isMissing = outcome.status === 'gap' || (outcome.status === 'refused' && outcome.code === 'BUSY')
    if (isMissing) this.#syncer.onGap(from)
  }

  async #takeBeacon(bytes: Uint8Array): Promise<void> {
    const { verifier, journals, onBeacon, openBeacon: open = openBeacon } = this.#options
    const beacon = await open(bytes, this.group, verifier)
    if (beacon === null || this.#isClosed || beacon.device === this.device) return
    if (journals.group.members.get(beacon.device)?.revokedAt !== null) return
    // Before a device leaves it writes what became of its runs: nobody takes them over before that is in.
    if (beacon.leaving) await this.#lastTaken
    const isBehind = this.#isBehind(beacon)
    // Some of it got lost: then its silence is waited for, as that of any other.
    onBeacon(isBehind ? { ...beacon, leaving: false } : beacon)
    if (isBehind) this.#syncer.onGap(beacon.device)
  }

  /**
   * Whether the device wrote something that has not come: the last message before a silence leaves no gap when it is
   * lost. What is old may be in a journal that was dropped here.
   */
  #isBehind({ device, incarnation, latest, wallMs }: Beacon): boolean {
    if (latest === 0 || wallMs - msOf(latest) > LATELY_MS) return false
    return this.#options.journals.latestOf({ device, incarnation }) < latest
  }
}
