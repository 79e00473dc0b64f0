/** Two nodes in one process, over the network in memory: one submits, the other has the handler. */
import { createNode, type DibsNode } from '../../src/index.js'
import { turn } from '../../src/platform/turn.js'
import { MemoryNetwork, systemClock } from '../../src/testing/index.js'
import { drop, newFolder } from '../journal/folders.js'
import { progress, rowOf, type Table } from '../measure.js'
import { count, inputOf, type Kept, Ledger, submitAll, TYPE } from './no-op.js'

const REPEATS = 5
const ALONE = 500
const RUNS = 8000
const AT_ONCE = 24
const SUBMITTERS = 64

interface Pair {
  readonly ana: DibsNode
  readonly ben: DibsNode
  readonly network: MemoryNetwork
  readonly close: () => Promise<void>
}

interface Figures {
  readonly p50: number
  readonly p99: number
  readonly result: number
  readonly publishes: number
  readonly rate: number
  readonly publishesTogether: number
}

export async function twoNodesTables(): Promise<readonly Table[]> {
  const figures: Record<Kept, Figures[]> = { durable: [], 'in memory': [] }
  for (let i = 0; i <= REPEATS; i++)
    for (const kept of ['durable', 'in memory'] as const) {
      progress(`two nodes: ${kept}, turn ${i} of ${REPEATS}`)
      const one = { ...(await oneAtATime(kept)), ...(await together(kept)) }
      if (i > 0) figures[kept].push(one)
    }
  const row = (kept: Kept, what: string, of: keyof Figures) =>
    rowOf(
      `${kept}, ${what}`,
      figures[kept].map((each) => each[of]),
    )
  return [
    {
      title: 'Two nodes: from submit on one to the start of the handler on the other',
      unit: 'ms',
      repeats: REPEATS,
      note: `${ALONE} runs for each figure, one at a time, in one process with no network between. Durable: three commits, two before the handler starts and one with the result, each signed, synced and checked by the other device.`,
      rows: (['durable', 'in memory'] as const).flatMap((kept) => [
        row(kept, 'p50', 'p50'),
        row(kept, 'p99', 'p99'),
        row(kept, 'the result back, p50', 'result'),
      ]),
    },
    {
      title: 'Two nodes: delegated, done and known to be done',
      unit: 'runs/s',
      repeats: REPEATS,
      note: `${count(RUNS)} runs by ${SUBMITTERS} submitters, ${AT_ONCE} at once; both nodes share one core of one process. Each was checked to be started once and completed once.`,
      rows: [row('durable', 'both nodes', 'rate'), row('in memory', 'both nodes', 'rate')],
    },
    {
      title: 'Two nodes: messages published for a run',
      unit: 'messages, beacons not counted',
      repeats: REPEATS,
      note: 'One at a time: the assignment, the claim, the result. Together: whoever waits goes in one message.',
      rows: [
        row('durable', 'one at a time', 'publishes'),
        row('durable', `${SUBMITTERS} submitters`, 'publishesTogether'),
      ],
    },
  ]
}

async function pair(kept: Kept): Promise<Pair> {
  const network = new MemoryNetwork({ clock: systemClock })
  const folders: string[] = []
  const storage = (): string => {
    if (kept === 'in memory') return 'memory'
    const folder = newFolder('node')
    folders.push(folder)
    return folder
  }
  const ana = await createNode({ storage: storage(), transport: network.transport() })
  const ben = await createNode({
    storage: storage(),
    group: ana.group.id,
    transport: network.transport(),
    slots: AT_ONCE,
  })
  await ana.group.admit(ben.device)
  const close = async (): Promise<void> => {
    await ana.close()
    await ben.close()
    for (const folder of folders) drop(folder)
  }
  return { ana, ben, network, close }
}

/** Resolves once the first node would give a run to the other. */
async function ready({ ana, ben }: Pair): Promise<void> {
  while ((await ana.evaluate(TYPE)).winner !== ben.device) await turn()
}

async function oneAtATime(kept: Kept): Promise<Pick<Figures, 'p50' | 'p99' | 'result' | 'publishes'>> {
  const both = await pair(kept)
  const { ana, ben, network } = both
  const [waits, results]: [number[], number[]] = [[], []]
  let since = 0
  ben.handle(TYPE, () => {
    waits.push(performance.now() - since)
    return null
  })
  await ready(both)
  const before = network.messages.batches
  for (let n = 0; n < ALONE; n++) {
    since = performance.now()
    const run = await ana.submit(TYPE, inputOf(n))
    await run.result()
    results.push(performance.now() - since)
  }
  const publishes = (network.messages.batches - before) / ALONE
  await both.close()
  return { p50: share(waits, 0.5), p99: share(waits, 0.99), result: share(results, 0.5), publishes }
}

async function together(kept: Kept): Promise<Pick<Figures, 'rate' | 'publishesTogether'>> {
  const both = await pair(kept)
  const { ana, ben, network } = both
  const ledger = new Ledger(RUNS)
  ben.handle(TYPE, ledger.handler, { concurrency: AT_ONCE })
  await ready(both)
  const before = network.messages.batches
  globalThis.gc?.()
  const began = performance.now()
  await submitAll(ana, RUNS, SUBMITTERS)
  await ledger.drained(ana)
  const rate = RUNS / ((performance.now() - began) / 1000)
  const publishesTogether = (network.messages.batches - before) / RUNS
  await both.close()
  return { rate, publishesTogether }
}

function share(figures: readonly number[], of: number): number {
  const sorted = [...figures].sort((a, b) => a - b)
  return sorted[Math.ceil(of * sorted.length) - 1] ?? 0
}
