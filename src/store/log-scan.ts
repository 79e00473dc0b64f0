/** The part of the scan that follows each log: dense sequences from 0, every checksum right, packs that hold. */
import { PACK_ENTRIES } from './constants.js'
import type { Sealer } from './entry.js'
import { logOfPrefix, type Position, positionOf, prefixLength } from './keys.js'
import type { Log, Logs } from './logs.js'
import { decodePack } from './pack.js'
import type { FindingCode } from './store.js'
import type { Verdicts } from './verdicts.js'

interface Current extends Log {
  /** Why nothing more of this log can be kept. */
  broken: FindingCode | null
  /** The latest pack's entries, to tell whether a single entry beside it is the same. */
  pack: readonly Uint8Array[]
}

export class LogScan {
  readonly #sealer: Sealer
  readonly #logs: Logs
  readonly #verdicts: Verdicts
  #current: Current | null = null

  constructor(sealer: Sealer, logs: Logs, verdicts: Verdicts) {
    this.#sealer = sealer
    this.#logs = logs
    this.#verdicts = verdicts
  }

  /** Takes the next key of kind `entry`, in order. */
  visit(key: Uint8Array, value: Uint8Array): void {
    const log = this.#logOf(key)
    const position = log === null ? null : positionOf(key)
    if (log === null || position === null) {
      this.#verdicts.find('UNREADABLE', null, null, `A key is none that dibs writes. ${QUARANTINED}`)
      this.#verdicts.reject('UNREADABLE', key, value)
    } else if (log.broken !== null) {
      this.#verdicts.reject(log.broken, key, value)
    } else if (position.sequence < log.next) {
      this.#visitCovered(log, position, key, value)
    } else {
      this.#visitNext(log, position, key, value)
    }
  }

  #visitNext(log: Current, position: Position, key: Uint8Array, value: Uint8Array): void {
    const broken = this.#follow(log, position, key, value)
    if (broken === null) {
      this.#verdicts.keep(value)
      return
    }
    const { code, what } = broken
    log.broken = code
    this.#verdicts.find(
      code,
      log.key,
      log.next,
      `${what}. What stands before is kept; the rest of the log was put into quarantine and will be asked of peers.`,
    )
    this.#verdicts.reject(code, key, value)
  }

  // Lets the log go on with this row. Answers with what is wrong if it cannot.
  #follow(
    log: Current,
    { sequence, packed }: Position,
    key: Uint8Array,
    value: Uint8Array,
  ): { code: FindingCode; what: string } | null {
    if (sequence > log.next) {
      return { code: 'HOLE', what: `The entries ${log.next} to ${sequence - 1} are missing` }
    }
    const body = this.#sealer.unseal(key, value)
    if (body === null) return { code: 'CHECKSUM', what: `The entry ${sequence} does not match its checksum` }
    if (!packed) {
      log.next++
      return null
    }
    const entries = decodePack(body)
    if (entries === null) return { code: 'UNREADABLE', what: `The pack at ${sequence} is none` }
    log.pack = entries
    log.next += PACK_ENTRIES
    if (log.nextSegment === sequence / PACK_ENTRIES) log.nextSegment++
    return null
  }

  // A single entry whose sequence a pack holds too: an old table that a repair brought back. The pack stands.
  #visitCovered(log: Current, position: Position, key: Uint8Array, value: Uint8Array): void {
    const body = this.#sealer.unseal(key, value)
    const packed = position.packed ? undefined : log.pack[position.sequence % PACK_ENTRIES]
    const isSame =
      body !== null && packed?.length === body.length && packed.every((byte, i) => byte === body[i])
    if (isSame) {
      this.#verdicts.drop(key)
      return
    }
    const what = `The entry ${position.sequence} is there twice and differs`
    this.#verdicts.find('UNREADABLE', log.key, position.sequence, `${what}: the pack stands. ${QUARANTINED}`)
    this.#verdicts.reject('UNREADABLE', key, value)
  }

  #logOf(key: Uint8Array): Current | null {
    const length = prefixLength(key)
    const { prefix } = this.#current ?? {}
    if (prefix !== undefined && prefix.length === length && startsWith(key, prefix)) return this.#current
    this.end()
    if (length <= 0) return null
    const ownPrefix = new Uint8Array(key.subarray(0, length))
    const log = logOfPrefix(ownPrefix)
    // A log that was met before is out of its place: LevelDB's tables are no longer in order.
    if (log !== null && this.#logs.get(log) === undefined) {
      this.#current = { key: log, prefix: ownPrefix, next: 0, nextSegment: 0, broken: null, pack: [] }
    }
    return this.#current
  }

  /** The last key was seen. */
  end(): void {
    if (this.#current !== null && this.#current.next > 0) {
      const { key, prefix, next, nextSegment } = this.#current
      this.#logs.add({ key, prefix, next, nextSegment })
    }
    this.#current = null
  }
}

const QUARANTINED = 'It was put into quarantine and is used for nothing.'

function startsWith(key: Uint8Array, prefix: Uint8Array): boolean {
  for (let i = prefix.length - 1; i >= 0; i--) if (key[i] !== prefix[i]) return false
  return true
}
