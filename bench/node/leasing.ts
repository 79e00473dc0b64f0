/** Pulling the next run, with few and with many that wait. */
import type { DibsNode } from '../../src/index.js'
import { against, progress, REPEATS, type Row, rowOf, type Table } from '../measure.js'
import { count, inputOf, open, TYPE } from './no-op.js'

const SIZES = [1000, 10_000, 100_000] as const
/** Leases of one repetition. */
const LEASES = 500
/** Repetitions that are not counted: the engine compiles what is used often, and here each is used once a lease. */
const WARM_UP = 4
const PROJECTS = Array.from({ length: 10 }, (_, i) => `project-${i}`)
const PRIORITIES = ['low', 'normal', 'high'] as const

export async function leasingTable(): Promise<Table> {
  const rows: Row[] = []
  for (const size of SIZES) rows.push(await at(size))
  const [first, ...more] = rows
  if (first === undefined) throw new Error('Nothing was measured.')
  return {
    title: 'Pulling a run and completing it',
    unit: 'µs for each, one after the other, in memory',
    against: 'the same with 1,000',
    note: `\`leaseNext\` by project and capability, then \`complete\`; ${LEASES} for each figure, among runs of ${PROJECTS.length} projects and three priorities. In memory, so that what grows would show: two commits each, signed. Flat means × 1.`,
    rows: [first, ...more.map((row) => against(row, first))],
  }
}

async function at(size: number): Promise<Row> {
  const what = `${count(size)} waiting`
  progress(`leasing: ${what}`)
  const { node, close } = await open('in memory', { slots: 24, capabilities: ['sharp'] })
  const figures: number[] = []
  let made = 0
  for (let i = -WARM_UP; i < REPEATS; i++) {
    // No collection in between: it throws away what was compiled, and the figures would double.
    made = await fill(node, made, size)
    const began = performance.now()
    for (let n = 0; n < LEASES; n++) await pull(node, n)
    if (i >= 0) figures.push(((performance.now() - began) * 1000) / LEASES)
  }
  await close()
  return rowOf(what, figures)
}

async function pull(node: DibsNode, n: number): Promise<void> {
  const lease = await node.leaseNext({
    project: PROJECTS[n % PROJECTS.length] as string,
    capabilities: ['sharp'],
  })
  if (lease === null) throw new Error('There was nothing to pull.')
  await lease.complete(null)
}

/** Submits until so many wait. */
async function fill(node: DibsNode, made: number, size: number): Promise<number> {
  let next = made
  const end = made + size - node.runs.count({ state: 'created' })
  const submit = async (): Promise<void> => {
    while (next < end) {
      const n = next++
      await node.submit(TYPE, inputOf(n), {
        project: PROJECTS[n % PROJECTS.length],
        requires: ['sharp'],
        priority: PRIORITIES[n % PRIORITIES.length],
      })
    }
  }
  await Promise.all(Array.from({ length: 256 }, submit))
  return end
}
