/**
 * Decides when to sync, and with whom.
 *
 * - On connect: of two devices the one with the smaller id begins, so that one sync runs and not two.
 * - On a gap: with whoever sent what has something missing before it, after a moment.
 * - On request, with all: after sleep.
 * - Every minute or so with one device by chance, in case gossip lost something that nobody noticed.
 *
 * One sync runs with a device at a time. If both begin at once, the one of the smaller id goes on. What fails is tried
 * again, later each time, for as long as the device is connected.
 */
import type { DeviceId } from '../../protocol/index.js'
import type { CancelTimer, Clock, OnProgress, Random } from '../platform/seams.js'
import {
  ANTI_ENTROPY_MS,
  GAP_DELAY_MS,
  MAX_ANSWERED_SYNCS,
  MAX_BEGUN_SYNCS,
  MAX_SYNC_RETRY_MS,
  SYNC_JITTER,
  SYNC_RETRY_MS,
} from './constants.js'
import { openWithin } from './open-within.js'
import { runSync, type SyncJournals, type SyncLimits, type SyncReport } from './sync-session.js'
import type { Channel, Transport } from './transport.js'

export interface SyncerOptions {
  readonly journals: SyncJournals
  readonly transport: Pick<Transport, 'open'>
  readonly clock: Clock
  readonly random: Random
  /** This device. */
  readonly device: DeviceId
  readonly onSynced?: (device: DeviceId, report: SyncReport) => void
  /** A sync with a device failed. It is tried again while the device is connected. */
  readonly onError?: (device: DeviceId, error: unknown) => void
  readonly onProgress?: OnProgress
  /** Limits of each sync, where they shall differ from the usual. */
  readonly limits?: Partial<SyncLimits>
}

/** One connected device. */
interface Contact {
  readonly device: DeviceId
  session: Session | null
  /** A sync is to begin as soon as there is room. */
  isWanted: boolean
  failures: number
  /** A sync that is to begin later. */
  cancelLater: CancelTimer | null
  /** Who waits for a sync that begins from now on. */
  waiting: (() => void)[]
}

interface Session {
  readonly role: 'initiator' | 'responder'
  channel: Channel | null
  /** Another session took its place, or it is wanted no more: how it ends does not matter. */
  isDropped: boolean
  waiting: (() => void)[]
}

export class Syncer {
  readonly #options: SyncerOptions
  /** In the order in which they wait for their turn. */
  readonly #contacts = new Map<DeviceId, Contact>()
  readonly #running = new Map<Session, Promise<void>>()
  #cancelRound: CancelTimer
  #isClosed = false

  constructor(options: SyncerOptions) {
    this.#options = options
    this.#cancelRound = this.#setRound()
  }

  onConnected(device: DeviceId): void {
    if (this.#isClosed || this.#contacts.has(device)) return
    const contact: Contact = {
      device,
      session: null,
      isWanted: this.#options.device < device,
      failures: 0,
      cancelLater: null,
      waiting: [],
    }
    this.#contacts.set(device, contact)
    this.#beginNext()
  }

  onDisconnected(device: DeviceId): void {
    const contact = this.#contacts.get(device)
    if (contact === undefined) return
    this.#contacts.delete(device)
    this.#letGo(contact)
    this.#beginNext()
  }

  /** Another device begins a sync. */
  onChannel(channel: Channel): void {
    const contact = this.#contacts.get(channel.device)
    const current = contact?.session ?? null
    // Both began at once: the sync of the smaller id goes on. Otherwise the newer one: the other side gave up the older.
    const isOurs = current?.role === 'initiator' && this.#options.device < channel.device
    if (contact === undefined || isOurs || (current === null && !this.#hasRoomFor('responder'))) {
      channel.close()
      return
    }
    this.#run(contact, 'responder', () => channel)
  }

  /** Something that came from a device has something missing before it. */
  onGap(device: DeviceId): void {
    const contact = this.#contacts.get(device) ?? this.#anyContact()
    if (contact === undefined || contact.isWanted || contact.cancelLater !== null) return
    this.#later(contact, GAP_DELAY_MS)
  }

  /** Syncs with every connected device. Resolves when with each a sync that began after this call has ended or failed. */
  async syncAll(): Promise<void> {
    const contacts = [...this.#contacts.values()]
    const all = contacts.map((contact) => new Promise<void>((resolve) => contact.waiting.push(resolve)))
    for (const contact of contacts) contact.isWanted = true
    this.#beginNext()
    await Promise.all(all)
  }

  /** Ends all that runs, and begins nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRound()
    for (const contact of this.#contacts.values()) this.#letGo(contact)
    this.#contacts.clear()
    // A channel that still opens is closed as soon as it does: nobody waits for it.
    const open = [...this.#running].filter(([{ channel }]) => channel !== null)
    await Promise.all(open.map(([, running]) => running))
  }

  #beginNext(): void {
    for (const contact of [...this.#contacts.values()]) {
      if (!this.#hasRoomFor('initiator')) return
      if (contact.isWanted && contact.session === null) this.#begin(contact)
    }
  }

  #begin(contact: Contact): void {
    // Whoever had its turn goes to the end of the line.
    this.#contacts.delete(contact.device)
    this.#contacts.set(contact.device, contact)
    const { transport, clock } = this.#options
    this.#run(contact, 'initiator', () => openWithin(transport, contact.device, clock))
  }

  /** Runs a session in place of the one that is there, if any. */
  #run(contact: Contact, role: Session['role'], connect: () => Channel | Promise<Channel>): void {
    const session: Session = { role, channel: null, isDropped: false, waiting: contact.waiting }
    contact.waiting = []
    contact.isWanted = false
    contact.cancelLater?.()
    contact.cancelLater = null
    if (contact.session !== null) {
      session.waiting.push(...contact.session.waiting.splice(0))
      drop(contact.session)
    }
    contact.session = session
    this.#running.set(
      session,
      this.#sync(contact, session, connect).finally(() => this.#ended(contact, session)),
    )
  }

  async #sync(contact: Contact, session: Session, connect: () => Channel | Promise<Channel>): Promise<void> {
    const { journals, clock, onSynced, onError, onProgress, limits = {} } = this.#options
    const { device } = contact
    try {
      const channel = await connect()
      session.channel = channel
      if (session.isDropped) return channel.close()
      const progress = onProgress === undefined ? {} : { onProgress }
      const report = await runSync({ channel, role: session.role, journals, clock, limits, ...progress })
      contact.failures = 0
      if (report.more && session.role === 'initiator') contact.isWanted = true
      onSynced?.(device, report)
    } catch (error) {
      if (session.isDropped) return
      this.#later(contact, Math.min(MAX_SYNC_RETRY_MS, SYNC_RETRY_MS * 2 ** contact.failures))
      contact.failures++
      onError?.(device, error)
    }
  }

  #ended(contact: Contact, session: Session): void {
    this.#running.delete(session)
    if (contact.session === session) contact.session = null
    for (const resolve of session.waiting) resolve()
    this.#beginNext()
  }

  /** A sync with a device after so long, more or less. */
  #later(contact: Contact, delayMs: number): void {
    contact.cancelLater?.()
    contact.cancelLater = this.#options.clock.setTimer(this.#jittered(delayMs), () => {
      contact.cancelLater = null
      contact.isWanted = true
      this.#beginNext()
    })
  }

  #setRound(): CancelTimer {
    return this.#options.clock.setTimer(this.#jittered(ANTI_ENTROPY_MS), () => {
      this.#cancelRound = this.#setRound()
      const contact = this.#anyContact()
      if (contact === undefined || contact.session !== null) return
      contact.isWanted = true
      this.#beginNext()
    })
  }

  #letGo(contact: Contact): void {
    contact.isWanted = false
    contact.cancelLater?.()
    contact.cancelLater = null
    const waiting = [...contact.waiting.splice(0), ...(contact.session?.waiting.splice(0) ?? [])]
    if (contact.session !== null) drop(contact.session)
    for (const resolve of waiting) resolve()
  }

  #hasRoomFor(role: Session['role']): boolean {
    const most = role === 'initiator' ? MAX_BEGUN_SYNCS : MAX_ANSWERED_SYNCS
    return [...this.#running.keys()].filter((session) => session.role === role).length < most
  }

  #anyContact(): Contact | undefined {
    const contacts = [...this.#contacts.values()]
    return contacts[Math.floor(this.#options.random.number() * contacts.length)]
  }

  #jittered(ms: number): number {
    return Math.round(ms * (1 + SYNC_JITTER * (2 * this.#options.random.number() - 1)))
  }
}

function drop(session: Session): void {
  session.isDropped = true
  session.channel?.close()
}
