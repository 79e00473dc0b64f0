/**
 * The child: waits for an order on its input, then commits until it is killed, and prints what was acknowledged.
 *
 * A pipe is written at once, so what is printed has left the process before the next line runs.
 */
import type { AnyRecord } from '../../protocol/index.js'
import { dayOf, GROUP_JOURNAL, type Journals } from '../../src/journal/index.js'
import type { Store } from '../../src/store/store.js'
import { type Begun, beginRun } from './begin-run.js'
import { type Device, openDevice } from './device.js'
import { type Line, writeLine } from './lines.js'
import type { Order } from './order.js'
import { mulberry32 } from './plan.js'

/** Bytes of a run's input at the most: some cross LevelDB's blocks of 32 KiB. */
const MOST_INPUT_BYTES = 48 * 1024

let acknowledgedFirst: () => void = () => undefined
const firstAcknowledgement = new Promise<void>((resolve) => {
  acknowledgedFirst = resolve
})
let isClosing = false

await live(await readOrder()).catch(fail)

async function readOrder(): Promise<Order> {
  // No parent, no child: nothing is left behind, whatever happens to the parent.
  process.stdin.once('close', () => process.exit(1))
  return new Promise((resolve) => {
    let text = ''
    process.stdin.on('data', (chunk) => {
      text += String(chunk)
      if (text.endsWith('\n')) resolve(JSON.parse(text) as Order)
    })
  })
}

async function live(order: Order): Promise<void> {
  const device = await openDevice(order.folder, order)
  const { journals } = device
  tell(['open', String(journals.incarnation)])
  const chance = mulberry32(order.seed)
  for (let i = 0; i < order.submitters; i++) submit(device, chance).catch(fail)
  await firstAcknowledgement
  await new Promise((resolve) => setTimeout(resolve, order.choreAfterMs))
  await doChore(order, device)
}

async function submit({ journals, me }: Device, chance: () => number): Promise<never> {
  for (;;) {
    const blob = 'x'.repeat(Math.floor(chance() ** 8 * MOST_INPUT_BYTES))
    let begun: Begun | undefined
    const records = await journals.commit((write) => {
      begun = beginRun(write, me, blob)
    })
    acknowledge(records, records)
    const { run, assignment } = begun as Begun
    acknowledge(records, await journals.commit((write) => void write({ kind: 'completed', run, assignment })))
  }
}

/** The records of a run are in the journal of the day on which it was created. */
function acknowledge([created]: readonly AnyRecord[], records: readonly AnyRecord[]): void {
  tell(['acknowledged', dayOf(created?.stamp ?? 0), ...records.map(({ id }) => id)])
  acknowledgedFirst()
}

async function doChore({ chore }: Order, { store, journals }: Device): Promise<void> {
  if (chore === 'compact') await store.compact()
  if (chore === 'evict') await evictOldest(store, journals)
  if (chore === 'unload') for (const name of days(journals)) await journals.unload(name)
  if (chore === 'close') {
    isClosing = true
    await journals.close()
    await store.close()
  }
  tell(['done', chore])
}

/** Today's journal stays: its runs have not ended. */
async function evictOldest(store: Store, journals: Journals): Promise<void> {
  const stubs = await store.stubs()
  const [oldest] = days(journals)
    .slice(0, -1)
    .filter((name) => !stubs.has(name))
  if (oldest === undefined) return
  tell(['evicting', oldest])
  await journals.evict(oldest)
  tell(['evicted', oldest])
}

/** The days of which there are journals, the oldest first. */
function days({ names }: Journals): readonly string[] {
  return names.filter((name) => name !== GROUP_JOURNAL)
}

function fail(error: unknown): void {
  // Whoever commits while the journals close is told so: no failure.
  if (!isClosing) tell(['failed', error instanceof Error ? (error.stack ?? error.message) : String(error)])
}

function tell(line: Line): void {
  process.stdout.write(writeLine(line))
}
