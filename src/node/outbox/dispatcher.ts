/** Delivers what waits, a few at a time: new events, and in turn with them those whose retry is due. */
import type { CancelTimer, Clock } from '../../platform/seams.js'
import { Closing } from '../closing.js'
import type { Aside, AsideEvent } from './aside.js'
import { REREAD_MS } from './constants.js'
import type { DeadLetters } from './dead-letters.js'
import { attemptDelivery, type Deliver, type DeliveryFault, type DeliveryOutcome } from './delivery.js'
import type { OutboxEvent } from './events.js'
import type { Intake, QueuedEvent } from './intake.js'
import type { ReadSettings } from './options.js'

export interface DispatcherOptions {
  readonly clock: Clock
  readonly settings: ReadSettings
  readonly intake: Intake
  readonly aside: Aside
  readonly deadLetters: DeadLetters
  /** Called when something was settled. */
  readonly onSettled: () => void
}

export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #closing = new Closing()
  #deliver: Deliver | null = null
  #active = 0
  #delivered = 0
  #storeErrors = 0
  #lastWasFresh = false
  /** After trouble with the store nothing is delivered until then. */
  #pausedUntilMs = 0
  #waiters: (() => void)[] = []
  #cancelWake: CancelTimer | null = null

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  get active(): number {
    return this.#active
  }

  get delivered(): number {
    return this.#delivered
  }

  get storeErrors(): number {
    return this.#storeErrors
  }

  start(deliver: Deliver): void {
    this.#deliver = deliver
    this.pump()
  }

  /** Resolves once all that waits has been tried, or cannot be for now. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve)
      this.pump()
    })
  }

  /** Interrupts what is under way, and starts nothing more. */
  async close(): Promise<void> {
    this.#deliver = null
    this.#closing.close()
    this.#cancelWake?.()
    await this.idle()
  }

  /** Gives work to whoever is free, reads on when there is none, and sees to it that it is called again in time. */
  pump(): void {
    const { deliver, intake } = { deliver: this.#deliver, intake: this.#options.intake }
    if (deliver !== null) {
      while (this.#active < this.#options.settings.concurrency && !this.#isPaused) {
        const work = this.#next(deliver)
        if (work === null) break
        this.#active++
        void this.#finish(work().finally(() => this.#active--))
      }
      if (intake.canRead) void this.#finish(intake.readNext())
      this.#wakeInTime()
    }
    if (!this.#isIdle) return
    const waiters = this.#waiters
    this.#waiters = []
    for (const resolve of waiters) resolve()
  }

  get #isIdle(): boolean {
    const { intake, aside } = this.#options
    if (this.#active > 0 || intake.isReading) return false
    return this.#deliver === null || this.#isPaused || aside.isFull || intake.queue.length === 0
  }

  get #isPaused(): boolean {
    return this.#pausedUntilMs > this.#options.clock.monotonicMs()
  }

  async #finish(work: Promise<void>): Promise<void> {
    await work
    this.pump()
    this.#options.onSettled()
  }

  #next(deliver: Deliver): (() => Promise<void>) | null {
    const { intake, aside } = this.#options
    const hasFresh = intake.queue.length > 0 && !aside.isFull
    // In turn: neither may what fails hold up what is new, nor the other way round.
    const due = hasFresh && !this.#lastWasFresh ? null : aside.takeDue()
    this.#lastWasFresh = due === null
    if (due !== null) return () => this.#retry(due, deliver)
    const fresh = hasFresh ? intake.queue.shift() : undefined
    return fresh === undefined ? null : () => this.#deliverFresh(fresh, deliver)
  }

  async #deliverFresh(item: QueuedEvent, deliver: Deliver): Promise<void> {
    const { intake, aside, deadLetters } = this.#options
    const { event, log, record } = item
    try {
      // Put aside before a crash, and read again after it.
      if (!aside.has(event.id) && !deadLetters.has(event.id)) {
        const outcome = await this.#attempt(event, deliver)
        if (outcome.status === 'interrupted') return
        if (outcome.status === 'failed') await this.#keep(event, 1, outcome.fault)
      }
      log.settle(record.stamp)
    } catch {
      intake.queue.unshift(item)
      this.#pause()
    }
  }

  async #retry(entry: AsideEvent, deliver: Deliver): Promise<void> {
    const { aside } = this.#options
    try {
      const event = await aside.read(entry.id)
      const outcome = event === null ? null : await this.#attempt(event, deliver)
      if (outcome?.status === 'interrupted') return
      if (event !== null && outcome?.status === 'failed')
        await this.#keep(event, entry.attempts + 1, outcome.fault)
      else await aside.remove(entry.id)
    } catch {
      aside.postpone(entry, REREAD_MS)
      this.#pause()
    }
  }

  async #attempt(event: OutboxEvent, deliver: Deliver): Promise<DeliveryOutcome> {
    const { clock, settings } = this.#options
    const outcome = await attemptDelivery(event, {
      deliver,
      clock,
      timeoutMs: settings.deliveryTimeoutMs,
      closing: this.#closing,
    })
    if (outcome.status === 'delivered') this.#delivered++
    return outcome
  }

  /** Keeps an event that failed: for a retry, or for good. */
  async #keep(event: OutboxEvent, attempts: number, fault: DeliveryFault): Promise<void> {
    const { aside, deadLetters, settings } = this.#options
    if (attempts < settings.maxAttempts) return aside.put(event, attempts, fault)
    await deadLetters.bury(event, attempts, fault)
    if (aside.has(event.id)) await aside.remove(event.id)
  }

  #pause(): void {
    this.#storeErrors++
    this.#pausedUntilMs = this.#options.clock.monotonicMs() + REREAD_MS
  }

  #wakeInTime(): void {
    this.#cancelWake?.()
    this.#cancelWake = null
    const { aside, clock, intake, settings } = this.#options
    const isFree = this.#active < settings.concurrency
    const deliverMs = this.#isPaused ? this.#pausedUntilMs : isFree ? aside.nextMs : null
    const times = [deliverMs, intake.nextMs].filter((time) => time !== null)
    if (times.length === 0) return
    const delayMs = Math.max(0, Math.min(...times) - clock.monotonicMs())
    this.#cancelWake = clock.setTimer(delayMs, () => {
      intake.expire()
      this.pump()
      this.#options.onSettled()
    })
  }
}
