/** Attacks on the Yjs documents below: updates that hurt a plain one, and never get to ours. */
import * as encoding from 'lib0/encoding'
import { encodeCbor } from '../../protocol/cbor.js'
import { HASH_BYTES } from '../../protocol/index.js'
import { stretchesOf } from '../../src/journal/journal.js'
import { writeUpdate } from '../../src/journal/update.js'
import type { Attacker } from './attacker.js'
import { GAP_BATCHES } from './constants.js'
import { logsOfOthers, tailsOf, today } from './known.js'
import { OwnLog } from './own-log.js'

// Yjs, format V1: the info byte of structs that hold nothing.
const GC = 0
const SKIP = 10

/** Elements that a delete set names: more than any log has here. */
const MANY = 10_000

/** Bytes of numbers as Yjs writes them. */
export function varUints(...numbers: readonly number[]): Uint8Array {
  return encoding.encode((encoder) => {
    for (const number of numbers) encoding.writeVarUint(encoder, number)
  })
}

/** A message around any bytes in the place of an update. */
export function wrapped(journal: string, update: Uint8Array): Uint8Array {
  return encodeCbor([1, journal, update])
}

/** Deletes all that others wrote: alone, and behind an append that is right. */
export async function deleteOthers(attacker: Attacker): Promise<void> {
  const { transport } = attacker
  for (const { client, key } of logsOfOthers(attacker).values()) {
    // No structs; of one client one range.
    transport.publish('batches', wrapped(key.journal, varUints(0, 1, client, 1, 0, MANY)))
    const own = new OwnLog(attacker, { journal: key.journal })
    const bait = await own.batch([own.record({ kind: 'created', type: 'bait' })])
    const append = writeUpdate(stretchesOf(own.log, 0, [bait]))
    // It ends with its empty delete set: a zero.
    const update = joined(append.subarray(0, -1), varUints(1, client, 1, 0, MANY))
    transport.publish('batches', wrapped(key.journal, update))
  }
}

/** Takes the place where others write next: what they write would then count as known. */
export function muteOthers(attacker: Attacker): void {
  const { transport } = attacker
  for (const { log, head } of tailsOf(attacker)) {
    const next = head.sequence + 1
    for (const info of [GC, SKIP]) {
      for (const length of [1, MANY, 2 ** 50]) {
        const update = varUints(1, 1, log.client, next, info, length, 0)
        transport.publish('batches', wrapped(log.key.journal, update))
      }
    }
  }
}

/**
 * Updates that begin where nobody has got to: its own without their beginning, others' at the end of all numbers. And one
 * that begins in the right place, signed, but names another batch before it than there is.
 */
export async function gap(attacker: Attacker): Promise<void> {
  const { transport } = attacker
  const journal = today(attacker)
  const own = new OwnLog(attacker, { journal })
  for (let i = 0; i < GAP_BATCHES; i++) {
    const message = await own.append([own.record({ kind: 'created', type: 'late' })])
    if (i >= 2) transport.publish('batches', message)
  }
  for (const { client, key } of logsOfOthers(attacker).values()) {
    const last = Number.MAX_SAFE_INTEGER - 1
    const place = last % 256 === 0 ? last - 1 : last
    const head = varUints(1, 1, client, place)
    const element = varUints(client, place - 1, 1, 116, 1, 7, 0)
    transport.publish('batches', wrapped(key.journal, joined(head, Uint8Array.of(0x88), element)))
  }
  await unchained(attacker)
}

async function unchained(attacker: Attacker): Promise<void> {
  const { transport, random } = attacker
  const own = new OwnLog(attacker, { journal: today(attacker) })
  transport.publish('batches', await own.append([own.record({ kind: 'created', type: 'chained' })]))
  const records = [own.record({ kind: 'created', type: 'unchained' })]
  const sequence = own.log.head.sequence + 1
  const bytes = own.log.codec.encode({ sequence, previous: random.bytes(HASH_BYTES), records })
  transport.publish('batches', own.message([await own.sign(bytes)], sequence))
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
