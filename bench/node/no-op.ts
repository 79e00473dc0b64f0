/** A node that does nothing, as fast as it can, and the books that show that it did each thing once. */
import { createNode, type DibsNode, type NodeOptions } from '../../src/index.js'
import { turn } from '../../src/platform/turn.js'
import { drop, newFolder } from '../journal/folders.js'

export const TYPE = 'media.thumbnail'

/** `durable`: level in a folder, every commit synced before it counts. `in memory`: the same without a disk. */
export type Kept = 'durable' | 'in memory'

export interface Opened {
  readonly node: DibsNode
  readonly close: () => Promise<void>
}

export async function open(kept: Kept, options: Omit<NodeOptions, 'storage'> = {}): Promise<Opened> {
  const folder = kept === 'durable' ? newFolder('node') : null
  const node = await createNode({ ...options, storage: folder ?? 'memory' })
  const close = async (): Promise<void> => {
    await node.close()
    if (folder !== null) drop(folder)
  }
  return { node, close }
}

export function inputOf(n: number): { readonly n: number; readonly file: string } {
  return { n, file: `photo-${n}.jpg` }
}

/** Counts how often the handler of each run was started. */
export class Ledger {
  readonly #starts: Uint8Array
  readonly #started: Promise<void>
  #allStarted: () => void = () => undefined
  #count = 0

  constructor(runs: number) {
    this.#starts = new Uint8Array(runs)
    this.#started = new Promise((resolve) => {
      this.#allStarted = resolve
    })
  }

  readonly handler = (input: unknown): null => {
    const { n } = input as { readonly n: number }
    this.#starts[n] = (this.#starts[n] ?? 0) + 1
    if (++this.#count === this.#starts.length) this.#allStarted()
    return null
  }

  /** Resolves once all runs are done as this node sees it, each of them once. */
  async drained(node: DibsNode): Promise<void> {
    const runs = this.#starts.length
    await this.#started
    // Only the last few results are waited for like this: it keeps a core busy.
    while (node.runs.count({ state: 'completed' }) < runs) await turn()
    const wrong = this.#starts.findIndex((starts) => starts !== 1)
    if (wrong >= 0) throw new Error(`Run ${wrong} was started ${this.#starts[wrong]} times.`)
    const { completed, doubleExecutions } = node.metrics().counts.group
    if (completed !== runs || doubleExecutions > 0)
      throw new Error(`${completed} of ${runs} runs were completed, ${doubleExecutions} of them twice.`)
  }
}

/** Submits runs, so many callers at once, each waiting until its run is stored. */
export async function submitAll(node: DibsNode, runs: number, submitters: number): Promise<void> {
  let begun = 0
  const submit = async (): Promise<void> => {
    while (begun < runs) await node.submit(TYPE, inputOf(begun++))
  }
  await Promise.all(Array.from({ length: submitters }, submit))
}

export function count(n: number): string {
  return n.toLocaleString('en-US')
}
