/**
 * Opens a store in a process of its own, and tells how long it took and what it holds in memory: `probe.ts HOW FOLDER`.
 *
 * A process of its own, as opening is what a process does first: nothing is warm, and nothing else is in its memory.
 */
import { isRunRecord, RunTable } from '../../protocol/index.js'
import { openDevice } from './device.js'
import { Plain } from './plain.js'

export type How = 'journals' | 'table' | 'plain'

export interface Probed {
  readonly runs: number
  readonly milliseconds: number
  readonly heapBytes: number
}

const OPEN: Readonly<Record<How, (folder: string) => Promise<() => number>>> = { journals, table, plain }

const [how = '', folder = ''] = process.argv.slice(2)
const before = memory()
const began = performance.now()
const size = await OPEN[how as How](folder)
const milliseconds = performance.now() - began
const probed: Probed = { milliseconds, heapBytes: memory() - before, runs: size() }
process.stdout.write(JSON.stringify(probed))
// Closing is not measured, and there is nothing to keep.
process.exit(0)

/** The journals in memory, their records told and dropped. */
async function journals(folder: string): Promise<() => number> {
  let runs = 0
  const { journals } = await openDevice(folder, {
    onEvent(event) {
      if (event.type === 'records') for (const { kind } of event.records) if (kind === 'created') runs++
    },
  })
  for (const name of journals.names) await journals.load(name)
  return () => (journals.loaded.length > 0 ? runs : 0)
}

/** The journals in memory, their records folded. */
async function table(folder: string): Promise<() => number> {
  let table: RunTable | undefined
  const { journals } = await openDevice(folder, {
    onEvent(event) {
      if (event.type === 'group') table ??= new RunTable(event.group)
      // A view of each run that was touched, as a node makes them.
      if (event.type === 'records' && table !== undefined)
        for (const run of table.addAll(event.records.filter(isRunRecord))) table.view(run)
    },
  })
  for (const name of journals.names) await journals.load(name)
  return () => (journals.loaded.length > 0 ? (table?.size ?? 0) : 0)
}

async function plain(folder: string): Promise<() => number> {
  const layout = await Plain.open(folder)
  return () => layout.size
}

function memory(): number {
  // Twice: what finalizers let go of is free only then.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
