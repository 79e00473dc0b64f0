/**
 * The one shape of Yjs update (format V1) that journals exchange: appends to logs, nothing else.
 *
 * An element of a log is one signed batch, and takes one tick of its client's Yjs clock: so the clock is the batch's
 * sequence. A segment's first element has the segment's array as its parent; any other has the element before it as its
 * origin. No deletions, no garbage, no skips, no other content. So the bytes follow from what is appended, and a reader
 * takes them only if writing what it read gives the same bytes. Hostile bytes never get to Yjs itself.
 */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { equalBytes } from '../../protocol/index.js'
import { MAX_MESSAGE_BATCHES, MAX_MESSAGE_STRETCHES, SEGMENT_BATCHES } from './constants.js'
import { Refusal } from './errors.js'

/** Consecutive elements of one client, within one segment. */
export interface Stretch {
  readonly client: number
  /** Sequence of the first element. */
  readonly from: number
  /** The segment's array; only where the stretch begins it. */
  readonly root: string | null
  readonly elements: readonly Uint8Array[]
}

// Yjs: the info byte has the kind of content in its low bits, and whether there is an origin in its top bit.
const CONTENT_ANY = 8
const HAS_ORIGIN = 0x80
const PARENT_IS_ROOT = 1
/** lib0's mark of bytes among other values. */
const ANY_BYTES = 116

/** The update that appends these stretches. Those of a client are together, in order; clients descend. */
export function writeUpdate(stretches: readonly Stretch[]): Uint8Array {
  const clients = byClient(stretches)
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, clients.length)
  for (const parts of clients) {
    const first = parts[0] as Stretch
    encoding.writeVarUint(encoder, parts.length)
    encoding.writeVarUint(encoder, first.client)
    encoding.writeVarUint(encoder, first.from)
    for (const part of parts) writeStretch(encoder, part)
  }
  encoding.writeVarUint(encoder, 0)
  return encoding.toUint8Array(encoder)
}

function byClient(stretches: readonly Stretch[]): readonly (readonly Stretch[])[] {
  const clients = new Map<number, Stretch[]>()
  for (const stretch of stretches) {
    const parts = clients.get(stretch.client)
    if (parts === undefined) clients.set(stretch.client, [stretch])
    else parts.push(stretch)
  }
  return [...clients.entries()].sort(([a], [b]) => b - a).map(([, parts]) => parts)
}

function writeStretch(encoder: encoding.Encoder, { client, from, root, elements }: Stretch): void {
  if (root === null) {
    encoding.writeUint8(encoder, CONTENT_ANY | HAS_ORIGIN)
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, from - 1)
  } else {
    encoding.writeUint8(encoder, CONTENT_ANY)
    encoding.writeVarUint(encoder, PARENT_IS_ROOT)
    encoding.writeVarString(encoder, root)
  }
  encoding.writeVarUint(encoder, elements.length)
  for (const element of elements) {
    encoding.writeUint8(encoder, ANY_BYTES)
    encoding.writeVarUint8Array(encoder, element)
  }
}

/** The stretches that an update appends. Throws a `Refusal` (`MALFORMED`) for any other bytes. */
export function readUpdate(bytes: Uint8Array): readonly Stretch[] {
  const stretches = parse(bytes)
  if (!equalBytes(writeUpdate(stretches), bytes)) throw malformed('it is not in its canonical form')
  return stretches
}

function parse(bytes: Uint8Array): readonly Stretch[] {
  try {
    const decoder = decoding.createDecoder(bytes)
    const stretches = readClients(decoder)
    if (decoding.readVarUint(decoder) !== 0) throw malformed('it deletes')
    if (decoding.hasContent(decoder)) throw malformed('bytes are left over')
    return stretches
  } catch (error) {
    throw error instanceof Refusal ? error : malformed('it ends early or holds no numbers')
  }
}

function readClients(decoder: decoding.Decoder): readonly Stretch[] {
  const stretches: Stretch[] = []
  let room = MAX_MESSAGE_BATCHES
  const clients = decoding.readVarUint(decoder)
  for (let i = 0; i < clients; i++) {
    const parts = decoding.readVarUint(decoder)
    const client = decoding.readVarUint(decoder)
    let from = decoding.readVarUint(decoder)
    if (parts === 0) throw malformed('it names a client and appends nothing')
    for (let part = 0; part < parts; part++) {
      if (stretches.length >= MAX_MESSAGE_STRETCHES) throw malformed('it touches too many logs')
      const stretch = readStretch(decoder, client, from, room)
      stretches.push(stretch)
      from += stretch.elements.length
      room -= stretch.elements.length
    }
  }
  return stretches
}

function readStretch(decoder: decoding.Decoder, client: number, from: number, room: number): Stretch {
  const place = from % SEGMENT_BATCHES
  const root = readParent(decoder, client, from)
  const count = decoding.readVarUint(decoder)
  if (count === 0 || count > room || place + count > SEGMENT_BATCHES)
    throw malformed('its elements do not fit a segment')
  const elements: Uint8Array[] = []
  for (let i = 0; i < count; i++) {
    if (decoding.readUint8(decoder) !== ANY_BYTES) throw malformed('an element is not bytes')
    // A copy: the message's buffer is the network's.
    elements.push(decoding.readVarUint8Array(decoder).slice())
  }
  return { client, from, root, elements }
}

function readParent(decoder: decoding.Decoder, client: number, from: number): string | null {
  const info = decoding.readUint8(decoder)
  if (from % SEGMENT_BATCHES === 0) {
    if (info !== CONTENT_ANY || decoding.readVarUint(decoder) !== PARENT_IS_ROOT)
      throw malformed('a segment does not begin')
    return decoding.readVarString(decoder)
  }
  const follows =
    info === (CONTENT_ANY | HAS_ORIGIN) &&
    decoding.readVarUint(decoder) === client &&
    decoding.readVarUint(decoder) === from - 1
  if (!follows) throw malformed('an element does not follow the one before it')
  return null
}

function malformed(why: string): Refusal {
  return new Refusal('MALFORMED', `The update is no append to a journal: ${why}.`)
}
