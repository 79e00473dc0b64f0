/**
 * Opens a node on a folder in a process of its own, and tells how long it took and what it holds in memory:
 * `probe.ts HOW FOLDER`.
 */
import { join } from 'node:path'
import { Level } from 'level'
import { createNode } from '../../src/index.js'

/** `store`: reads every byte of the store and does nothing with it. */
export type How = 'node' | 'store'

export interface Probed {
  readonly runs: number
  readonly milliseconds: number
  readonly heapBytes: number
}

const OPEN: Readonly<Record<How, (folder: string) => Promise<() => number>>> = { node, store }

const [how = '', folder = ''] = process.argv.slice(2)
const before = memory()
const began = performance.now()
const size = await OPEN[how as How](folder)
const milliseconds = performance.now() - began
const probed: Probed = { milliseconds, heapBytes: memory() - before, runs: size() }
process.stdout.write(JSON.stringify(probed))
// Closing is not measured, and there is nothing to keep.
process.exit(0)

async function node(storage: string): Promise<() => number> {
  const opened = await createNode({ storage })
  return () => opened.runs.count()
}

async function store(storage: string): Promise<() => number> {
  const level = new Level<Uint8Array, Uint8Array>(join(storage, 'store', 'level'), {
    createIfMissing: false,
    keyEncoding: 'view',
    valueEncoding: 'view',
  })
  let bytes = 0
  for await (const value of level.values()) bytes += value.length
  if (bytes === 0) throw new Error('There is nothing in the store.')
  return () => 0
}

function memory(): number {
  // Twice: what finalizers let go of is free only then.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
