/** One journal: a Y.Doc that holds the signed batches of its logs, each log in segments of its own. */
import * as Y from 'yjs'
import { type AnyRecord, type LogHead, splitSigned } from '../../protocol/index.js'
import { runAppCode } from './app-code.js'
import { READ_AHEAD, SEGMENT_BATCHES } from './constants.js'
import { type EquivocationProof, Log } from './log.js'
import { logName, rootName } from './names.js'
import { type Stretch, writeUpdate } from './update.js'

/** Who writes into the doc, for those who listen to it. */
const ORIGIN = 'dibs'

export class Journal {
  readonly name: string
  /** For reading and listening. What is written to it directly is not sent, and not kept. */
  readonly doc: Y.Doc
  readonly #group: string
  readonly #logs = new Map<number, Log>()
  readonly #byName = new Map<string, Log>()
  readonly #proofs: readonly EquivocationProof[]
  /** Grows whenever a log of it comes to stand elsewhere. */
  changes = 0

  /** `proofs`: those that are kept of logs in this journal. */
  constructor(group: string, name: string, proofs: readonly EquivocationProof[] = []) {
    this.#group = group
    this.#proofs = proofs
    this.name = name
    // No garbage collection: nothing is ever deleted, and a log must stay readable byte for byte.
    this.doc = new Y.Doc({ gc: false, guid: `dibs/${group}/${name}` })
  }

  get logs(): readonly Log[] {
    return [...this.#logs.values()]
  }

  byClient(client: number): Log | undefined {
    return this.#logs.get(client)
  }

  /** The log of a writer, if the journal has one. */
  known(device: string, incarnation: number): Log | undefined {
    return this.#byName.get(logName({ device, incarnation }))
  }

  /** The log of a writer; a new, empty one is not part of the journal until something is appended. */
  log(device: string, incarnation: number): Log {
    const known = this.known(device, incarnation)
    if (known !== undefined) return known
    const log = new Log(this.#group, { journal: this.name, device, incarnation })
    log.proof = this.#proofs.find((proof) => logName(proof.log) === log.name) ?? null
    return log
  }

  /** Appends checked batches: moves the head and writes them into the doc. */
  append(log: Log, elements: readonly Uint8Array[], head: LogHead): readonly Stretch[] {
    const stretches = stretchesOf(log, log.head.sequence + 1, elements)
    // Those who listen to the doc are called within.
    runAppCode(() => Y.applyUpdate(this.doc, writeUpdate(stretches), ORIGIN))
    this.#logs.set(log.client, log)
    this.#byName.set(log.name, log)
    log.head = head
    this.changes++
    return stretches
  }

  /** Its writer was seen to fork it. */
  freeze(log: Log, proof: EquivocationProof): void {
    log.proof = proof
    this.changes++
  }

  /** The signed batches of a log from one sequence on, at most so many. */
  elements(log: Log, from: number, count: number): readonly Uint8Array[] {
    const found: Uint8Array[] = []
    const end = Math.min(from + count, log.head.sequence + 1)
    for (let at = from; at < end; ) {
      const segment = Math.floor(at / SEGMENT_BATCHES)
      const start = at % SEGMENT_BATCHES
      const stop = Math.min(SEGMENT_BATCHES, start + end - at)
      found.push(...(this.doc.getArray(rootName(log.key, segment)).slice(start, stop) as Uint8Array[]))
      at += stop - start
    }
    return found
  }

  /** The records of a log from one sequence to another, batch by batch. */
  *records(log: Log, from: number, to: number): Generator<readonly AnyRecord[]> {
    for (let at = from; at <= to; at += READ_AHEAD) {
      for (const signed of this.elements(log, at, Math.min(READ_AHEAD, to - at + 1)))
        yield log.codec.decode(splitSigned(signed).bytes, { trusted: true }).records
    }
  }

  destroy(): void {
    this.doc.destroy()
  }
}

/** Cuts elements at the bounds of segments. */
export function stretchesOf(log: Log, first: number, elements: readonly Uint8Array[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (let done = 0; done < elements.length; ) {
    const from = first + done
    const place = from % SEGMENT_BATCHES
    const part = elements.slice(done, done + SEGMENT_BATCHES - place)
    const root = place === 0 ? rootName(log.key, from / SEGMENT_BATCHES) : null
    stretches.push({ client: log.client, from, root, elements: part })
    done += part.length
  }
  return stretches
}
