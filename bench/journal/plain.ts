/**
 * The plain layout, to compare with: all runs in one Y.Doc, each a nested Y.Map; nothing signed, nothing checked. Each
 * update is put under a key of its own, one after the other, as y-leveldb does; `flush` merges them into one.
 */
import { Level } from 'level'
import * as Y from 'yjs'

const DEVICE = '12D3KooWK99VoVxNE7XzyBwXEzW7xhK7Gpv85r9F3V3fyKSUKPH5'

export class Plain {
  readonly doc: Y.Doc = new Y.Doc()
  readonly #runs: Y.Map<unknown> = this.doc.getMap('runs')
  readonly #level: Level<string, Uint8Array>
  readonly #isSynced: boolean
  #last: Promise<void> = Promise.resolve()
  #updates = 0
  #bytes = 0

  private constructor(level: Level<string, Uint8Array>, isSynced: boolean) {
    this.#level = level
    this.#isSynced = isSynced
  }

  static async open(folder: string, { isSynced = true } = {}): Promise<Plain> {
    const level = new Level<string, Uint8Array>(folder, { valueEncoding: 'view' })
    const plain = new Plain(level, isSynced)
    const updates = await level.values().all()
    plain.doc.transact(() => {
      for (const update of updates) Y.applyUpdate(plain.doc, update)
    })
    plain.#updates = updates.length
    plain.doc.on('update', (update: Uint8Array) => plain.#keep(update))
    return plain
  }

  get size(): number {
    return this.#runs.size
  }

  /** Bytes of all updates: what would have been sent. */
  get published(): number {
    return this.#bytes
  }

  #keep(update: Uint8Array): void {
    const key = updateKey(this.#updates++)
    this.#bytes += update.length
    this.#last = this.#last.then(() => this.#level.put(key, update, { sync: this.#isSynced }))
  }

  /** The same lives as `live` gives to journals: one transaction, then another. */
  async live(runs: number, submitters: number): Promise<void> {
    let begun = this.size
    const end = begun + runs
    const submit = async (): Promise<void> => {
      while (begun < end) await this.#liveOne(begun++)
    }
    await Promise.all(Array.from({ length: submitters }, submit))
  }

  async #liveOne(n: number): Promise<void> {
    const id = String(n).padStart(24, '0')
    const run = new Y.Map<unknown>()
    this.doc.transact(() => {
      this.#runs.set(id, run)
      set(run, { type: 'media.thumbnail', input: { file: `photo-${n}.jpg` }, creator: DEVICE })
      set(run, { createdAt: Date.now(), target: DEVICE, reason: 'created', assignedAt: Date.now() })
      set(run, { claimedAt: Date.now(), startedAt: Date.now(), state: 'running' })
    })
    await this.#last
    this.doc.transact(() =>
      set(run, { output: { url: `/thumbs/${n}` }, completedAt: Date.now(), state: 'completed' }),
    )
    await this.#last
  }

  /** Takes in another's updates. */
  async receive(update: Uint8Array): Promise<void> {
    Y.applyUpdate(this.doc, update)
    await this.#last
  }

  /** Merges all updates into one, and lets LevelDB forget the rest. */
  async flush(): Promise<void> {
    await this.#last
    await this.#level.clear()
    await this.#level.put(updateKey(0), Y.encodeStateAsUpdate(this.doc), { sync: true })
    this.#updates = 1
    const { compactRange } = this.#level as { compactRange?(start: string, end: string): Promise<void> }
    await compactRange?.call(this.#level, '', '~')
  }

  async close(): Promise<void> {
    await this.#last
    await this.#level.close()
    this.doc.destroy()
  }
}

function set(run: Y.Map<unknown>, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) run.set(name, value)
}

function updateKey(clock: number): string {
  return `v1/runs/update/${String(clock).padStart(10, '0')}`
}
