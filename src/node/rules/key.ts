/** The idempotency key of what a rule makes of an event. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { MAX_KEY_LENGTH } from '../../../protocol/index.js'
import type { OutsideEvent } from './event.js'

/**
 * `rule:source:id`, to be read by people; a hash of it if it is too long. Sources count on their own: the 17th mail is
 * not the 17th order. Every device comes to the same key, so one event makes one run wherever it comes in.
 */
export function keyOf(rule: string, { source, id }: OutsideEvent): string {
  // Escaped, so that no colon in a name makes two events look the same.
  const key = `${encodeURIComponent(rule)}:${encodeURIComponent(source)}:${id}`
  return key.length <= MAX_KEY_LENGTH ? key : `sha256:${bytesToHex(sha256(utf8ToBytes(key)))}`
}
