/**
 * Where the lines of logs lie on disk: in *books*. All new lines, of whatever run, go into the open book; a full one is
 * closed and never grows again. So a second of logging costs one small write, not one for each run that logged.
 */
import { decodeCbor, encodeCbor } from '../../protocol/cbor.js'
import { MAX_PAYLOAD_DEPTH, type RunId } from '../../protocol/index.js'
import type { Store } from '../store/store.js'
import { bytesOf, type LogLine } from './log-line.js'

/** Bytes of a book. Small, because the open one is written again with every save; far under the store's limit for items. */
export const LOG_BOOK_BYTES: number = 64 * 1024

/** Books that are kept. With their size this bounds what logs take, in memory and on disk: 16 MiB. */
export const MAX_LOG_BOOKS = 256

/** Bytes of lines in all books. Half of what they hold, or there would be no room to clear out sparse ones. */
export const MAX_LOG_BYTES: number = (LOG_BOOK_BYTES * MAX_LOG_BOOKS) / 2

/** A line that is kept, and where. */
export interface KeptLine {
  readonly run: RunId
  readonly line: LogLine
  /** An upper bound of what it takes. */
  readonly bytes: number
}

interface Book {
  readonly name: string
  /** What was ever put in. */
  bytes: number
  /** What is still of use, in order. */
  readonly lines: Set<KeptLine>
  isDirty: boolean
}

const PREFIX = 'logs/'
const VERSION = 1
// The book, its list, a pair, the line; then its data.
const DEPTH = MAX_PAYLOAD_DEPTH + 4
const NAME_DIGITS = 12

export class LogBooks {
  readonly #store: Store
  /** Called for lines that had to go for want of room. */
  readonly #onLost: (lost: KeptLine) => void
  /** The oldest first; lines go into the last. */
  readonly #books: Book[] = []
  readonly #bookOf = new Map<KeptLine, Book>()
  readonly #removed = new Set<string>()
  #liveBytes = 0
  #next = 0

  constructor(store: Store, onLost: (lost: KeptLine) => void) {
    this.#store = store
    this.#onLost = onLost
  }

  get isDirty(): boolean {
    return this.#removed.size > 0 || this.#books.some(({ isDirty }) => isDirty)
  }

  /** The lines of every book, in no order; one may come twice if the process ended while it was moved. */
  async load(): Promise<readonly KeptLine[]> {
    const all: KeptLine[] = []
    for (const [name, bytes] of await this.#store.items(PREFIX)) {
      const number = Number(name.slice(PREFIX.length))
      if (Number.isSafeInteger(number)) this.#next = Math.max(this.#next, number + 1)
      const [version, pairs] = decodeCbor(bytes, DEPTH) as readonly unknown[]
      // A later version wrote it: it is left alone.
      if (version !== VERSION) continue
      // Full, so that the next line begins a new one: what is on disk is not written again.
      const book: Book = { name, bytes: LOG_BOOK_BYTES, lines: new Set(), isDirty: false }
      this.#books.push(book)
      for (const [run, line] of pairs as readonly (readonly [RunId, LogLine])[]) {
        const kept: KeptLine = { run, line, bytes: bytesOf(line) }
        this.#place(kept, book)
        all.push(kept)
      }
    }
    return all
  }

  put(kept: KeptLine): void {
    this.#place(kept, this.#openBook(kept.bytes))
    this.#makeRoom()
  }

  /** Takes a line out. It is gone from disk with the next save of its book, which need not be soon. */
  drop(kept: KeptLine): void {
    const book = this.#bookOf.get(kept)
    if (book === undefined) return
    this.#bookOf.delete(kept)
    book.lines.delete(kept)
    this.#liveBytes -= kept.bytes
    const isOpen = book === this.#books[this.#books.length - 1]
    if (book.lines.size === 0 && !isOpen) this.#remove(book)
  }

  /** Takes a line out, and off the disk with the next save. */
  erase(kept: KeptLine): void {
    const book = this.#bookOf.get(kept)
    if (book !== undefined) book.isDirty = true
    this.drop(kept)
  }

  /** Resolves once all is durable. Must not be called while it runs. */
  async save(): Promise<void> {
    const removed = [...this.#removed]
    for (const book of this.#books.filter(({ isDirty }) => isDirty)) {
      // What comes while it is written makes it dirty again.
      book.isDirty = false
      try {
        await this.#store.putItem(book.name, encodeBook(book))
      } catch (error) {
        book.isDirty = true
        throw error
      }
    }
    // Only now, and only those from before: what was moved out of them is safe.
    for (const name of removed) {
      await this.#store.putItem(name, null)
      this.#removed.delete(name)
    }
  }

  #place(kept: KeptLine, book: Book): void {
    book.lines.add(kept)
    this.#bookOf.set(kept, book)
    this.#liveBytes += kept.bytes
  }

  #openBook(bytes: number): Book {
    let book = this.#books[this.#books.length - 1]
    if (book === undefined || book.bytes + bytes > LOG_BOOK_BYTES) {
      const name = PREFIX + String(this.#next++).padStart(NAME_DIGITS, '0')
      book = { name, bytes: 0, lines: new Set(), isDirty: false }
      this.#books.push(book)
    }
    book.bytes += bytes
    book.isDirty = true
    return book
  }

  /** The oldest lines go if there are too many; else the oldest books are sparse, and what is left in them moves on. */
  #makeRoom(): void {
    while (this.#liveBytes > MAX_LOG_BYTES || this.#books.length > MAX_LOG_BOOKS) {
      const [oldest] = this.#books
      if (oldest === undefined) return
      const isLost = this.#liveBytes > MAX_LOG_BYTES
      for (const kept of [...oldest.lines]) {
        this.drop(kept)
        if (isLost) this.#onLost(kept)
        else this.#place(kept, this.#openBook(kept.bytes))
      }
      if (this.#books[0] === oldest) this.#remove(oldest)
    }
  }

  #remove(book: Book): void {
    this.#books.splice(this.#books.indexOf(book), 1)
    this.#removed.add(book.name)
    book.isDirty = false
  }
}

function encodeBook({ lines }: Book): Uint8Array {
  return encodeCbor([VERSION, [...lines].map(({ run, line }) => [run, line])])
}
