/** Opening a node with many runs, and the memory that each of them takes. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createNode } from '../../src/index.js'
import { drop, newFolder } from '../journal/folders.js'
import { against, progress, rowOf, type Table } from '../measure.js'
import { count, Ledger, submitAll, TYPE } from './no-op.js'
import type { How, Probed } from './probe.js'

const REPEATS = 3
const RUNS = 100_000
const PROBE = fileURLToPath(new URL('probe.ts', import.meta.url))

export async function openingTables(): Promise<readonly [times: Table, heaps: Table]> {
  const [waiting, ended] = [await folderOf(false), await folderOf(true)]
  const probes = {
    waiting: probe('node', waiting),
    ended: probe('node', ended),
    waitingStore: probe('store', waiting),
    endedStore: probe('store', ended),
  }
  drop(waiting)
  drop(ended)
  const time = (what: string, of: readonly Probed[]) =>
    rowOf(
      what,
      of.map(({ milliseconds }) => milliseconds / 1000),
    )
  const heap = (what: string, of: readonly Probed[]) =>
    rowOf(
      what,
      of.map(({ heapBytes }) => heapBytes / RUNS),
    )
  const stores = {
    waiting: time(`${count(RUNS)} waiting, the store alone`, probes.waitingStore),
    ended: time(`${count(RUNS)} ended, the store alone`, probes.endedStore),
  }
  return [
    {
      title: 'Opening a node',
      unit: 's',
      against: 'the store alone',
      repeats: REPEATS,
      note: 'In a new process, from `createNode` to a node that works: every journal loaded and its chain checked, every record folded, indexes made. The store alone: every byte of it read by level, and nothing done with it.',
      rows: [
        against(time(`${count(RUNS)} waiting`, probes.waiting), stores.waiting),
        stores.waiting,
        against(time(`${count(RUNS)} ended`, probes.ended), stores.ended),
        stores.ended,
      ],
    },
    {
      title: 'Memory of a run in a node',
      unit: 'bytes of heap and buffers after a collection',
      repeats: REPEATS,
      note: `In a new process with ${count(RUNS)} runs, the node itself included. A run that waits has one record and stands in the line; one that has ended has five, and its view is made when somebody looks.`,
      rows: [heap('waiting', probes.waiting), heap('ended', probes.ended)],
    },
  ]
}

async function folderOf(isDone: boolean): Promise<string> {
  progress(`making ${count(RUNS)} runs`)
  const folder = newFolder('node')
  const node = await createNode({ storage: folder, slots: 256 })
  const ledger = new Ledger(RUNS)
  if (isDone) node.handle(TYPE, ledger.handler, { concurrency: 256 })
  await submitAll(node, RUNS, 256)
  if (isDone) await ledger.drained(node)
  await node.close()
  return folder
}

function probe(how: How, folder: string): readonly Probed[] {
  progress(`opening ${count(RUNS)} runs: ${how}`)
  return Array.from({ length: REPEATS }, () => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--expose-gc', '--import', 'tsx', PROBE, how, folder],
      { encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`The probe failed: ${stderr}`)
    const probed = JSON.parse(stdout) as Probed
    if (how === 'node' && probed.runs !== RUNS)
      throw new Error(`${probed.runs} runs were opened, not ${RUNS}.`)
    return probed
  })
}
