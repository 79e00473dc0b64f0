/** What happened, a line each: the last lines are kept, and all of them go into a digest. */
import { nodePlatform } from '../src/platform/node/index.js'
import { MAX_LOG_LINES } from './constants.js'
import type { TraceEntry } from './trace.js'

/** Lines that are hashed together. */
const CHUNK_LINES = 512

export class EventLog {
  readonly #entries: TraceEntry[] = []
  readonly #onLine: ((line: string) => void) | null
  #chunk: string[] = []
  #digest = new Uint8Array(32)
  /** Lines in all, those that are no longer kept included. */
  count = 0

  constructor(onLine: ((line: string) => void) | null) {
    this.#onLine = onLine
  }

  add(entry: TraceEntry): void {
    const line = lineOf(entry)
    this.count++
    this.#entries.push(entry)
    if (this.#entries.length > 2 * MAX_LOG_LINES) this.#entries.splice(0, MAX_LOG_LINES)
    this.#onLine?.(line)
    this.#chunk.push(line)
    if (this.#chunk.length >= CHUNK_LINES) this.#seal()
  }

  /** The last lines. */
  get entries(): readonly TraceEntry[] {
    return this.#entries.slice(-MAX_LOG_LINES)
  }

  /** SHA-256 of all lines so far, as hex. */
  get digest(): string {
    this.#seal()
    return hexOf(this.#digest)
  }

  #seal(): void {
    if (this.#chunk.length === 0) return
    const lines = new TextEncoder().encode(this.#chunk.join('\n'))
    const both = new Uint8Array(32 + lines.length)
    both.set(this.#digest)
    both.set(lines, 32)
    this.#digest = nodePlatform.sha256(both).slice()
    this.#chunk = []
  }
}

/** `00:12:30.250  2  record     assigned run-7 to 3 (timeout)` */
export function lineOf({ atMs, place, kind, run, text }: TraceEntry): string {
  const who = place === null ? '-' : String(place)
  return `${timeOf(atMs)}  ${who.padStart(3)}  ${kind.padEnd(9)} ${run === null ? '' : `${run} `}${text}`
}

/** Hours, minutes, seconds and milliseconds since the beginning. */
export function timeOf(ms: number): string {
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0')
  const whole = Math.floor(ms)
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}.${String(whole % 1000).padStart(3, '0')}`
}

export function hexOf(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0')
  return hex
}
