/** Attacks with bytes alone: what is no message, no frame and no batch, and more messages than anyone wants. */
import { encodeCbor } from '../../protocol/cbor.js'
import {
  type AnyRecord,
  type DeviceId,
  MAX_BATCH_RECORDS,
  MAX_PAYLOAD_BYTES,
  SIGNATURE_BYTES,
} from '../../protocol/index.js'
import { encodeSummary } from '../../src/journal/heads.js'
import { writeMessage } from '../../src/journal/message.js'
import { MAX_PUBLISHED_BYTES } from '../../src/network/constants.js'
import { FRAME, writeFrame } from '../../src/network/sync-frames.js'
import type { Attacker } from './attacker.js'
import { FLOOD_BATCHES, FLOOD_GARBAGE, MAX_GARBAGE_BYTES } from './constants.js'
import { hand, withChannel } from './hand.js'
import { today } from './known.js'
import { varUints, wrapped } from './on-documents.js'
import { OwnLog } from './own-log.js'

/** What has the form of nothing, or of something else: messages, batches, frames. */
export async function malformed(attacker: Attacker): Promise<void> {
  const { transport } = attacker
  for (const bytes of [...oddMessages(attacker), ...(await oddBatches(attacker))])
    transport.publish('batches', bytes)
  for (const device of attacker.others()) await talkNonsense(attacker, device)
}

function oddMessages(attacker: Attacker): readonly Uint8Array[] {
  const { random } = attacker
  const journal = today(attacker)
  const empty = varUints(0, 0)
  // Format V2: 85 million structs in 21 bytes.
  const bomb = Uint8Array.of(...new Uint8Array(10), ...varUints(1, 85_000_000), ...new Uint8Array(6))
  const names = ['2026-02-30', '__proto__', '', 'group ', '../group', '9999-99-99', 'x'.repeat(1000)]
  const root = { client: 5, from: 0, root: '__proto__', elements: [random.bytes(80)] }
  return [
    wrapped(journal, bomb),
    wrapped(journal, varUints(Number.MAX_SAFE_INTEGER)),
    wrapped(journal, varUints(1, Number.MAX_SAFE_INTEGER, 5, 0)),
    wrapped(journal, random.bytes(300)),
    writeMessage({ journal, stretches: [root] }),
    ...names.map((name) => wrapped(name, empty)),
    encodeCbor([2, journal, empty]),
    encodeCbor([1, journal, empty, 'more']),
    encodeCbor({ journal, update: empty }),
    // Lists within lists, deeper than any stack.
    new Uint8Array(100_000).fill(0x81),
    // A list of four thousand million items, and none of them there.
    Uint8Array.of(0x9a, 0xff, 0xff, 0xff, 0xff),
    new Uint8Array(0),
  ]
}

/** Rightly signed, and no batches. */
async function oddBatches(attacker: Attacker): Promise<readonly Uint8Array[]> {
  const evil: Record<string, unknown> = Object.fromEntries([['__proto__', { isAdmin: true }]])
  const oddities = [
    [1, 0, 'previous', 0, []],
    [1, 0, 'previous', 0, [[1, 0, 'odd', evil]]],
    [1, 0, 'previous', 0, [[1, 0, 'odd', 'x'.repeat(MAX_PAYLOAD_BYTES + 1)]]],
    [1, 0, 'previous', 0, [[1, 0, '']]],
    [1, 0, 'previous', 0, [[2, 0, 7, 0, 0]]],
    [1, 0, 'previous', Number.MAX_SAFE_INTEGER, [[1, Number.MAX_SAFE_INTEGER, 'odd']]],
    [9, 0, 'previous', 0, [[1, 0, 'odd']]],
    'no batch',
  ]
  const messages: Uint8Array[] = []
  for (const oddity of oddities) {
    const own = new OwnLog(attacker, { journal: today(attacker) })
    const parts = Array.isArray(oddity)
      ? oddity.map((part) => (part === 'previous' ? own.log.id : part))
      : oddity
    messages.push(own.message([await own.sign(encodeCbor(parts))], 0))
  }
  return messages
}

/** Begins syncs, and goes on with what does not belong there. */
async function talkNonsense(attacker: Attacker, device: DeviceId): Promise<void> {
  const { random } = attacker
  const openings = [
    [random.bytes(2000)],
    [new Uint8Array(0)],
    [Uint8Array.of(99)],
    [writeFrame(FRAME.END)],
    [writeFrame(FRAME.SUMMARY, random.bytes(64))],
    [writeFrame(FRAME.SUMMARY, encodeCbor([1, [['__proto__', random.bytes(16)]]]))],
    [writeFrame(FRAME.SUMMARY, encodeSummary(new Map())), writeFrame(FRAME.HEADS, random.bytes(64))],
    [writeFrame(FRAME.SUMMARY, encodeSummary(new Map())), writeFrame(FRAME.MESSAGE, random.bytes(64))],
  ]
  for (const frames of openings) {
    await withChannel(attacker, device, async (channel) => {
      for (const frame of frames) await channel.send(frame)
      await channel.receive()
    })
  }
  await hand(attacker, device, [random.bytes(500)])
}

/** Garbage, oversize, and batches that are right and of no use. What is stored of it is bounded by `FLOOD_BATCHES`. */
export async function flood(attacker: Attacker): Promise<void> {
  const { transport, random } = attacker
  for (let i = 0; i < FLOOD_GARBAGE; i++) {
    const bytes = i % 100 === 0 ? MAX_GARBAGE_BYTES : 1 + random.below(256)
    transport.publish('batches', random.bytes(bytes))
    transport.publish('beacons', random.bytes(SIGNATURE_BYTES + random.below(256)))
  }
  for (const bytes of [MAX_PUBLISHED_BYTES, MAX_PUBLISHED_BYTES + 1])
    transport.publish('batches', new Uint8Array(bytes).fill(random.below(256)))
  // Each in a log of its own, so that none waits for another: logs cost more than batches.
  for (let i = 0; i < FLOOD_BATCHES; i++) {
    const log = new OwnLog(attacker, { journal: today(attacker) })
    transport.publish('batches', await log.append(useless(log, i)))
  }
}

/** Reports on runs that never were, and kinds that are not known; the first batch has as many as one may have. */
function useless(log: OwnLog, i: number): readonly AnyRecord[] {
  if (i === 0) return Array.from({ length: MAX_BATCH_RECORDS }, () => log.unknown(1_000_000, []))
  const { id } = log.unknown(1_000_000, [])
  return [
    log.record({ kind: 'progressed', run: id, assignment: id, data: i }),
    log.record({ kind: 'expedited', run: id, priority: 1000 }),
    log.unknown(1_000_000 + i, [i, 'x'.repeat(100)]),
  ]
}
