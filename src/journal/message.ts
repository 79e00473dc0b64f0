/** A message between devices: `[1, journal, update]` in CBOR. */
import { decodeCbor, encodeCbor, equalBytes } from '../../protocol/cbor.js'
import { MAX_MESSAGE_BYTES } from './constants.js'
import { Refusal } from './errors.js'
import { isJournalName } from './names.js'
import { readUpdate, type Stretch, writeUpdate } from './update.js'

const MESSAGE_VERSION = 1

export interface Message {
  readonly journal: string
  readonly stretches: readonly Stretch[]
}

export function writeMessage({ journal, stretches }: Message): Uint8Array {
  return encodeCbor([MESSAGE_VERSION, journal, writeUpdate(stretches)])
}

/** Throws a `Refusal` for bytes that are no message. */
export function readMessage(bytes: Uint8Array): Message {
  if (bytes.length > MAX_MESSAGE_BYTES) {
    throw new Refusal('TOO_LARGE', `A message of ${bytes.length} bytes is over ${MAX_MESSAGE_BYTES}.`)
  }
  const [version, journal, update, ...rest] = parts(bytes)
  const fits =
    version === MESSAGE_VERSION && isJournalName(journal) && update instanceof Uint8Array && rest.length === 0
  if (!fits || !equalBytes(encodeCbor([version, journal, update]), bytes)) {
    throw new Refusal('MALFORMED', 'The bytes are no message.')
  }
  return { journal, stretches: readUpdate(update) }
}

function parts(bytes: Uint8Array): readonly unknown[] {
  try {
    const value = decodeCbor(bytes, 1)
    return Array.isArray(value) ? value : []
  } catch {
    throw new Refusal('MALFORMED', 'The bytes are no CBOR.')
  }
}
