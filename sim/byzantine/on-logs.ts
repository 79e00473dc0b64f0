/** Attacks on who wrote what: in another's name, a second time, or in two versions. */
import { type AnyRecord, type RunView, SIGNATURE_BYTES } from '../../protocol/index.js'
import { writeMessage } from '../../src/journal/message.js'
import { rootName } from '../../src/journal/names.js'
import { type Attacker, pause } from './attacker.js'
import { ARRIVAL_MS, MAX_REPLAYED, REPLAYS } from './constants.js'
import { hand } from './hand.js'
import { journalOf, openRuns, tailsOf, today } from './known.js'
import { OwnLog, type Write } from './own-log.js'

/** Batches in the names of the others: new logs of theirs, and more of those that they have. */
export async function forge(attacker: Attacker): Promise<void> {
  const { transport, random } = attacker
  const journal = today(attacker)
  for (const device of attacker.others()) {
    const theirs = new OwnLog(attacker, { journal, device })
    const signed = await theirs.batch([theirs.record({ kind: 'created', type: 'forged' }) as AnyRecord])
    transport.publish('batches', theirs.message([signed], 0))
    const guessed = signed.slice()
    guessed.set(random.bytes(SIGNATURE_BYTES))
    transport.publish('batches', theirs.message([guessed], 0))
    // Its name over a client that is the forger's own.
    const { client } = new OwnLog(attacker, { journal }).log
    const stretch = { client, from: 0, root: rootName(theirs.log.key, 0), elements: [signed] }
    transport.publish('batches', writeMessage({ journal, stretches: [stretch] }))
  }
  for (const { log, head } of tailsOf(attacker)) {
    const theirs = new OwnLog(attacker, log.key)
    theirs.continueFrom(head)
    const message = await theirs.write((write) => write({ kind: 'created', type: 'forged' }))
    if (message !== null) transport.publish('batches', message)
  }
}

/** What it heard, again and again, in any order. */
export function replay({ transport, heard, random }: Attacker): void {
  const some = heard().slice(-MAX_REPLAYED)
  for (let i = 0; i < some.length * REPLAYS; i++) {
    const { topic, bytes } = random.pick(some)
    transport.publish(topic, bytes)
  }
}

/** One log in two versions: half of the others get one in which open runs are called off, the rest another. */
export async function equivocate(attacker: Attacker): Promise<void> {
  const { transport } = attacker
  const log = new OwnLog(attacker, { journal: today(attacker) })
  const before = await log.write((write) => write({ kind: 'created', type: 'forked' }))
  if (before !== null) transport.publish('batches', before)
  const views = openRuns(attacker).filter((view) => journalOf(view) === today(attacker))
  for (const { run } of views) for (const { stamp } of attacker.recordsOf(run)) log.see(stamp)
  const branches = [
    await branch(log, views, ({ run }, write) => write({ kind: 'cancelled', run, reason: 'left' })),
    await branch(log, views, ({ run }, write) => write({ kind: 'expedited', run, priority: 1 })),
  ]
  await pause(attacker, ARRIVAL_MS)
  const others = attacker.others()
  const handed = others.map((device, i) =>
    hand(attacker, device, [branches[i < others.length / 2 ? 0 : 1] as Uint8Array]),
  )
  await Promise.all(handed)
}

async function branch(
  log: OwnLog,
  views: readonly RunView[],
  say: (view: RunView, write: Write) => void,
): Promise<Uint8Array> {
  const records: AnyRecord[] = []
  const write: Write = (draft) => {
    const record = log.record(draft)
    records.push(record as unknown as AnyRecord)
    return record
  }
  write({ kind: 'created', type: 'forked' })
  for (const view of views) say(view, write)
  return log.message([await log.batch(records)], log.log.head.sequence + 1)
}
