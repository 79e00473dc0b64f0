/** An event that could not be delivered, as it stands on disk. */
import { encodeCbor } from '../../../protocol/cbor.js'
import { MAX_PAYLOAD_DEPTH } from '../../../protocol/index.js'
import { decodeList } from './decode.js'
import type { DeliveryFault } from './delivery.js'
import type { OutboxEvent } from './events.js'

export interface Letter {
  readonly event: OutboxEvent
  /** Deliveries that failed. */
  readonly attempts: number
  /** When it is tried again; of a dead letter, when it was given up. Milliseconds since 1970. */
  readonly at: number
  readonly lastError: DeliveryFault | null
}

const VERSION = 1
/** Letter, event, data, and the error that may hold details. */
const DEPTH = MAX_PAYLOAD_DEPTH + 4

export function encodeLetter({ event, attempts, at, lastError }: Letter): Uint8Array {
  return encodeCbor([VERSION, event, attempts, at, lastError])
}

/** Undefined for one that a later version wrote, or that is damaged: it is left alone. */
export function decodeLetter(bytes: Uint8Array): Letter | undefined {
  const [version, event, attempts, at, lastError] = decodeList(bytes, DEPTH)
  if (version !== VERSION) return undefined
  return {
    event: event as OutboxEvent,
    attempts: attempts as number,
    at: at as number,
    lastError: lastError as DeliveryFault | null,
  }
}
