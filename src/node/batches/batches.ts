/** All batches of a device: begun, resumed after a restart, and kept for a while after their end. */
import type { Draft } from '../../../protocol/index.js'
import { CapacityError, InputError, NodeError } from '../errors.js'
import { invalidOption, unknownOption } from '../invalid-option.js'
import { Batch, type BatchHost } from './batch.js'
import {
  BATCH_ID_BYTES,
  BATCHES_KEPT,
  MAX_BATCH_ITEMS,
  MAX_BATCH_NAME_LENGTH,
  MAX_BATCHES_OPEN,
} from './constants.js'
import type { BatchesOptions, BatchHandle, BatchProgress, StartBatchOptions } from './options.js'
import { chunksOf } from './plan.js'
import { type BatchHead, Shelf } from './shelf.js'

export class Batches {
  readonly #options: BatchesOptions
  readonly #shelf: Shelf
  readonly #host: BatchHost
  /** In the order in which they began. */
  readonly #batches = new Map<string, Batch>()
  /** Those that are being planned. */
  #planning = 0
  #tidying: Promise<void> = Promise.resolve()
  #isClosed = false
  #storeErrors = 0

  private constructor(options: BatchesOptions) {
    this.#options = options
    this.#shelf = new Shelf(options.store)
    this.#host = { ...options, shelf: this.#shelf, onEnd: (batch) => this.#tidy(batch) }
  }

  /** Reads what is kept in a store. Nothing is submitted before `resumeAll`. */
  static async open(options: BatchesOptions): Promise<Batches> {
    const batches = new Batches(options)
    const loaded = await batches.#shelf.load()
    const inOrder = [...loaded].sort((a, b) => a.head.startedAt - b.head.startedAt)
    for (const { head, results } of inOrder) {
      batches.#batches.set(head.id, new Batch(batches.#host, head, results, head.endedAt === null))
    }
    return batches
  }

  /** Clearing away that failed. It is done again at the next start. */
  get storeErrors(): number {
    return this.#storeErrors
  }

  /** Goes on with every batch that has not ended. Answers how many. */
  resumeAll(): number {
    const open = this.#open
    for (const batch of open) batch.go()
    return open.length
  }

  /**
   * Begins a batch. Once this resolves the whole plan is durable, and every item will be submitted, also after a crash.
   *
   * Throws `INVALID_OPTIONS`, `QUEUE_FULL` or `NODE_CLOSED`; or what the store threw, and then there is no batch.
   */
  async start(items: readonly Draft<'created'>[], options: StartBatchOptions = {}): Promise<BatchHandle> {
    const name = checkStart(items, options)
    if (this.#isClosed) throw new NodeError('NODE_CLOSED', 'The node was closed. No batch was begun.')
    if (this.#open.length + this.#planning >= MAX_BATCHES_OPEN)
      throw new CapacityError(
        'QUEUE_FULL',
        `${MAX_BATCHES_OPEN} batches are under way already. No other was begun: wait for one of them, or cancel it.`,
      )
    this.#planning++
    try {
      const head = await this.#plan(items, name)
      const batch = new Batch(this.#host, head, [], false)
      this.#batches.set(head.id, batch)
      if (this.#isClosed) await batch.close()
      else batch.go()
      return handleOf(batch)
    } finally {
      this.#planning--
    }
  }

  /** Throws `BATCH_NOT_FOUND`. */
  get(id: string): BatchHandle {
    const batch = this.#batches.get(id)
    if (batch === undefined)
      throw new InputError('BATCH_NOT_FOUND', `No batch with the id ${id} is known on this device.`, { id })
    return handleOf(batch)
  }

  /** Those under way and the last that ended, the newest first. */
  list(): readonly BatchProgress[] {
    return [...this.#batches.values()].map((batch) => batch.progress()).reverse()
  }

  /** Stops all of them where they are. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#batches.values()].map((batch) => batch.close()))
    await this.#tidying
  }

  get #open(): readonly Batch[] {
    return [...this.#batches.values()].filter(({ isEnded }) => !isEnded)
  }

  async #plan(items: readonly Draft<'created'>[], name: string | null): Promise<BatchHead> {
    const { random, clock } = this.#options
    const id = [...random.bytes(BATCH_ID_BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    const chunks: number[] = []
    for (const chunk of chunksOf(items)) {
      await this.#shelf.putPlan(id, chunks.length, chunk)
      chunks.push(chunk.length)
    }
    const startedAt = Math.floor(clock.wallMs())
    const head: BatchHead = { id, name, startedAt, chunks, cancelled: null, endedAt: null }
    await this.#shelf.putHead(head)
    return head
  }

  /** Clears away what an ended batch needs no more, and the batches that ended long ago. */
  #tidy(ended: Batch): void {
    const over = [...this.#batches.values()].filter(({ isEnded }) => isEnded)
    const oldest = over.slice(0, Math.max(0, over.length - BATCHES_KEPT))
    for (const batch of oldest) this.#batches.delete(batch.head.id)
    this.#tidying = this.#tidying
      .then(async () => {
        await this.#shelf.dropPlan(ended.head)
        for (const batch of oldest) await this.#shelf.drop(batch.head)
      })
      .catch(() => void this.#storeErrors++)
  }
}

function handleOf(batch: Batch): BatchHandle {
  return {
    id: batch.head.id,
    done: batch.done,
    progress: () => batch.progress(),
    watch: () => batch.watch(),
    runs: () => batch.runs(),
    cancel: ({ runs = false } = {}) => batch.cancel(runs),
  }
}

function checkStart(items: readonly Draft<'created'>[], options: StartBatchOptions): string | null {
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_BATCH_ITEMS)
    throw invalidOption('items', items, `a list of 1 to ${MAX_BATCH_ITEMS} items`)
  for (const option of Object.keys(options)) if (option !== 'name') throw unknownOption(option, ['name'])
  const { name } = options
  if (name === undefined) return null
  if (typeof name !== 'string' || name === '' || name.length > MAX_BATCH_NAME_LENGTH)
    throw invalidOption('name', name, `text of 1 to ${MAX_BATCH_NAME_LENGTH} characters`)
  return name
}
