/**
 * The lines that handlers log, kept for each run on the device that it ran on.
 *
 * A line is taken at once and is durable within a second or so: a handler never waits for its log, and a crash may cost
 * the last lines.
 */
import type { RunId } from '../../protocol/index.js'
import type { CancelTimer, Clock } from '../platform/seams.js'
import type { Store } from '../store/store.js'
import { type KeptLine, LogBooks } from './log-books.js'
import { bytesOf, type LogEntry, type LogLine, lineOf } from './log-line.js'

export { LOG_LEVELS, type LogEntry, type LogLevel, type LogLine } from './log-line.js'

/** Lines of one run; the first go. A handler that logs in a loop must not push out the lines of others. */
export const MAX_LOG_LINES = 500

/** Runs whose lines are kept; those that began to log first go. */
export const MAX_LOGGED_RUNS = 2000

/** Milliseconds between two saves. */
export const LOG_SAVE_INTERVAL_MS = 1000

interface RunLog {
  lines: KeptLine[]
  next: number
}

export class RunLogs {
  readonly #clock: Clock
  readonly #books: LogBooks
  /** In the order in which runs began to log. */
  readonly #runs = new Map<RunId, RunLog>()
  #saving: Promise<void> = Promise.resolve()
  #cancelTimer: CancelTimer | null = null
  #isClosed = false
  #storeErrors = 0

  private constructor(store: Store, clock: Clock) {
    this.#clock = clock
    this.#books = new LogBooks(store, ({ run, line }) => this.#lose(run, line))
  }

  /** Reads the lines that are kept in a store. */
  static async open({ store, clock }: { readonly store: Store; readonly clock: Clock }): Promise<RunLogs> {
    const logs = new RunLogs(store, clock)
    await logs.#load()
    return logs
  }

  /** Saves that failed. They are done again. */
  get storeErrors(): number {
    return this.#storeErrors
  }

  /** Takes a line. Never throws: what cannot be kept is left out, and the line says so. */
  add(run: RunId, entry: LogEntry): void {
    if (this.#isClosed) return
    let log = this.#runs.get(run)
    if (log === undefined) {
      log = { lines: [], next: 0 }
      this.#runs.set(run, log)
      if (this.#runs.size > MAX_LOGGED_RUNS) this.#forgetOldest()
    }
    const line = lineOf(entry, log.next++, Math.floor(this.#clock.wallMs()))
    const kept = { run, line, bytes: bytesOf(line) }
    log.lines.push(kept)
    if (log.lines.length > MAX_LOG_LINES) this.#books.drop(log.lines.shift() as KeptLine)
    this.#books.put(kept)
    this.#saveSoon()
  }

  /** The lines of a run that are kept, in order; those that are not durable yet too. */
  async read(run: RunId): Promise<readonly LogLine[]> {
    return this.#runs.get(run)?.lines.map(({ line }) => line) ?? []
  }

  /** Drops the lines of a run. */
  forget(run: RunId): void {
    const log = this.#runs.get(run)
    if (log === undefined) return
    this.#runs.delete(run)
    for (const kept of log.lines) this.#books.erase(kept)
    this.#saveSoon()
  }

  /** Makes durable what was taken so far. */
  flush(): Promise<void> {
    const saved = this.#saving.then(() => this.#books.save())
    this.#saving = saved.catch(() => void this.#storeErrors++)
    return saved
  }

  /** Saves a last time. Lines that come later are let go. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelTimer?.()
    await this.flush()
  }

  #saveSoon(): void {
    if (this.#isClosed || this.#cancelTimer !== null || !this.#books.isDirty) return
    this.#cancelTimer = this.#clock.setTimer(LOG_SAVE_INTERVAL_MS, () => {
      const again = (): void => {
        this.#cancelTimer = null
        this.#saveSoon()
      }
      this.flush().then(again, again)
    })
  }

  #forgetOldest(): void {
    const [oldest] = this.#runs.keys()
    if (oldest !== undefined) this.forget(oldest)
  }

  #lose(run: RunId, line: LogLine): void {
    const log = this.#runs.get(run)
    if (log === undefined) return
    log.lines = log.lines.filter((kept) => kept.line !== line)
    if (log.lines.length === 0) this.#runs.delete(run)
  }

  async #load(): Promise<void> {
    const byRun = new Map<RunId, KeptLine[]>()
    for (const kept of await this.#books.load()) {
      const lines = byRun.get(kept.run)
      if (lines === undefined) byRun.set(kept.run, [kept])
      else lines.push(kept)
    }
    const logs = [...byRun].map(([run, lines]) => ({ run, lines: this.#inOrder(lines) }))
    logs.sort((a, b) => (a.lines[0]?.line.at ?? 0) - (b.lines[0]?.line.at ?? 0))
    for (const { run, lines } of logs) {
      this.#runs.set(run, { lines, next: (lines[lines.length - 1]?.line.line ?? -1) + 1 })
      if (this.#runs.size > MAX_LOGGED_RUNS) this.#forgetOldest()
    }
    this.#saveSoon()
  }

  /** Sorted, each number once, and no more than may be kept. */
  #inOrder(lines: KeptLine[]): KeptLine[] {
    lines.sort((a, b) => a.line.line - b.line.line)
    const isKept = ({ line }: KeptLine, i: number): boolean => line.line !== lines[i + 1]?.line.line
    const once = lines.filter(isKept)
    const kept = new Set(once.slice(-MAX_LOG_LINES))
    for (const line of lines) if (!kept.has(line)) this.#books.drop(line)
    return [...kept]
  }
}
