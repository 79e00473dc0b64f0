/**
 * The scan at open: meets every key once, checks every checksum, and tells good from bad. It changes nothing. What it
 * found goes into one write, made by `mend`.
 */
import type { OnProgress } from '../platform/seams.js'
import { AtomicWrite } from './atomic-write.js'
import { CHECKSUM_BYTES, FORMAT_VERSION } from './constants.js'
import type { Database } from './database.js'
import { Digest } from './digest.js'
import type { Sealer } from './entry.js'
import { StoreError } from './errors.js'
import { isQuarantineKey, KIND, nameOf, quarantineKey } from './keys.js'
import type { Ledger } from './ledger.js'
import { LogScan } from './log-scan.js'
import { Logs } from './logs.js'
import { decodeQuarantined, encodeQuarantined } from './quarantine.js'
import { decodeState, type StoreState } from './state.js'
import type { Finding, FindingCode, LogKey } from './store.js'
import type { Verdicts } from './verdicts.js'

export interface ScanResult {
  readonly ledger: Ledger
  readonly findings: readonly Finding[]
  /** The write that quarantines what is bad and says how things stand; `null` if all is well as it is. */
  readonly mend: AtomicWrite | null
}

/** `witnessed`: how many writes the store is known to have seen; `null` if that is not known. */
export async function scan(
  database: Database,
  sealer: Sealer,
  witnessed: number | null,
  onProgress?: OnProgress,
): Promise<ScanResult> {
  const scanner = new Scanner(sealer)
  for await (const rows of database.rows({})) {
    for (const [key, value] of rows) scanner.visit(key, value)
    onProgress?.({ what: 'open', done: scanner.keys, total: scanner.expectedKeys })
  }
  return scanner.finish(witnessed)
}

class Scanner implements Verdicts {
  keys = 0
  readonly #sealer: Sealer
  readonly #logs = new Logs()
  readonly #logScan: LogScan
  readonly #items = new Map<string, Uint8Array>()
  readonly #stubs = new Map<string, Uint8Array>()
  readonly #findings: Finding[] = []
  readonly #rejected: { code: FindingCode; key: Uint8Array; value: Uint8Array }[] = []
  readonly #dropped: Uint8Array[] = []
  readonly #seen = new Digest()
  readonly #kept = new Digest()
  #keptKeys = 0
  #state: StoreState | null = null

  constructor(sealer: Sealer) {
    this.#sealer = sealer
    this.#logScan = new LogScan(sealer, this.#logs, this)
  }

  get expectedKeys(): number | null {
    return this.#state?.keys ?? null
  }

  visit(key: Uint8Array, value: Uint8Array): void {
    if (key[0] === KIND.state && key.length === 1) {
      this.#visitState(key, value)
      return
    }
    this.keys++
    this.#seen.toggle(value)
    switch (key[0]) {
      case KIND.entry:
        this.#logScan.visit(key, value)
        break
      case KIND.stub:
        this.#visitNamed(this.#stubs, key, value)
        break
      case KIND.item:
        this.#visitNamed(this.#items, key, value)
        break
      case KIND.quarantine:
        this.#visitQuarantined(key, value)
        break
      default:
        this.#unreadable(key, value, 'A key is none that dibs writes')
    }
  }

  // The state record's key sorts before all others, so a newer format is refused before anything else is looked at.
  #visitState(key: Uint8Array, value: Uint8Array): void {
    const body = this.#sealer.unseal(key, value)
    const state = body === null ? null : decodeState(body)
    if (state === null) this.#unreadable(key, value, 'The record of what the store holds is damaged')
    else if (state.format > FORMAT_VERSION) throw newerFormat(state.format)
    else this.#state = state
  }

  #visitNamed(names: Map<string, Uint8Array>, key: Uint8Array, value: Uint8Array): void {
    const name = nameOf(key)
    if (name === null) {
      this.#unreadable(key, value, 'A key is none that dibs writes')
    } else if (this.#sealer.unseal(key, value) === null) {
      this.#unreadable(key, value, `What was kept under the name ${JSON.stringify(name)} is damaged`)
    } else {
      names.set(name, value.slice(0, CHECKSUM_BYTES))
      this.keep(value)
    }
  }

  #visitQuarantined(key: Uint8Array, value: Uint8Array): void {
    const body = isQuarantineKey(key) ? this.#sealer.unseal(key, value) : null
    if (body !== null && decodeQuarantined(body) !== null) this.keep(value)
    else this.#unreadable(key, value, 'Something in quarantine is itself damaged')
  }

  #unreadable(key: Uint8Array, value: Uint8Array, what: string): void {
    this.find('UNREADABLE', null, null, `${what}. It was put into quarantine and is used for nothing.`)
    this.reject('UNREADABLE', key, value)
  }

  keep(value: Uint8Array): void {
    this.#keptKeys++
    this.#kept.toggle(value)
  }

  reject(code: FindingCode, key: Uint8Array, value: Uint8Array): void {
    this.#rejected.push({ code, key, value })
  }

  drop(key: Uint8Array): void {
    this.#dropped.push(key)
  }

  find(code: FindingCode, log: LogKey | null, sequence: number | null, message: string): void {
    this.#findings.push({ code, log, sequence, message })
  }

  finish(witnessed: number | null): ScanResult {
    this.#logScan.end()
    const writes = this.#state?.writes ?? 0
    this.#findLosses(writes, witnessed)
    // Never below what was witnessed: the next write must not look like one of those that were lost.
    const state: StoreState = {
      format: FORMAT_VERSION,
      writes: Math.max(writes, witnessed ?? 0),
      keys: this.#keptKeys,
      digest: this.#kept,
    }
    const ledger: Ledger = { logs: this.#logs, items: this.#items, stubs: this.#stubs, state }
    const isWell = this.#state !== null && this.#findings.length === 0 && this.#dropped.length === 0
    return { ledger, findings: this.#findings, mend: isWell ? null : this.#mend(state) }
  }

  #findLosses(writes: number, witnessed: number | null): void {
    if (witnessed === null) {
      this.find(
        'UNREADABLE',
        null,
        null,
        'The witness file is damaged, so it cannot be told whether the latest writes are all there. Nothing was thrown ' +
          'away; what may be missing will be asked of peers.',
      )
    }
    if (witnessed !== null && witnessed > writes) {
      const lost = witnessed - writes
      this.find('TAIL_LOST', null, null, `The last ${lost} of ${witnessed} writes are missing. ${AFTER_LOSS}`)
    } else if (this.#state === null ? this.keys > 0 : !this.#seen.equals(this.#state.digest)) {
      this.find(
        'TAIL_LOST',
        null,
        null,
        `Some writes are missing, or came back after a deletion. ${AFTER_LOSS}`,
      )
    }
  }

  #mend(state: StoreState): AtomicWrite {
    const mend = new AtomicWrite(state, this.#sealer)
    for (const key of this.#dropped) mend.discard(key)
    this.#rejected.forEach(({ code, key, value }, number) => {
      mend.discard(key)
      mend.put(quarantineKey(mend.writes, number), encodeQuarantined(code, key, value))
    })
    return mend
  }
}

const AFTER_LOSS =
  'What is there was checked and is kept; what is missing of journals will be asked of peers.'

function newerFormat(format: number): StoreError {
  return new StoreError(
    'STORE_NEWER_FORMAT',
    `The store has format ${format}; this dibs knows formats up to ${FORMAT_VERSION}. Nothing was touched. Start the ` +
      'newer dibs that wrote it.',
    { details: { format, supported: FORMAT_VERSION } },
  )
}
