/** What stories about groups stand on: groups that close themselves, and handlers that end when the test says so. */
import { afterEach } from 'vitest'
import type { Payload, RunRecord } from '../../protocol/index.js'
import type { DibsNode, Handler, RunContext } from '../../src/index.js'
import {
  createTestGroup,
  type TestDeviceOptions,
  type TestGroup,
  type TestGroupOptions,
} from '../../src/testing/index.js'

/** A rhythm for quick stories: silence of three seconds is death. */
export const HEARTBEAT = { intervalMs: 1000, timeoutMs: 3000 } as const

/** Virtual milliseconds after which everyone has heard of everyone, and no one is a newcomer any more. */
const ACQUAINTED_MS = 6000

const open: TestGroup[] = []

afterEach(async () => {
  for (const group of open.splice(0)) await group.close()
})

export interface Options extends Omit<TestGroupOptions, 'device'> {
  readonly device?: TestDeviceOptions | ((place: number) => TestDeviceOptions)
  /** Called for each node before time passes: the place for `handle`. */
  readonly setUp?: (node: DibsNode, place: number) => void
}

/** A group with a quick heartbeat whose devices know each other and each other's handlers. */
export async function quickGroup(count: number, options: Options = {}): Promise<TestGroup> {
  const { device = {}, setUp, ...rest } = options
  const optionsOf = typeof device === 'function' ? device : () => device
  const group = await createTestGroup(count, {
    ...rest,
    device: (place) => ({ heartbeat: HEARTBEAT, ...optionsOf(place) }),
  })
  open.push(group)
  for (const [place, node] of group.nodes.entries()) setUp?.(node, place)
  await group.advance(ACQUAINTED_MS)
  return group
}

/** One attempt at a run, as its handler sees it. */
export interface Call {
  readonly place: number
  readonly input: Payload
  readonly context: RunContext
  end(output?: unknown): void
  fail(error: unknown): void
  /** Why it was told to stop; null if it was not. */
  reason(): string | null
}

/** Handlers that work until the test ends them, and stop when they are told to. */
export class Workshop {
  readonly calls: Call[] = []

  at(place = 0): Handler {
    return (input, context) =>
      new Promise((resolve, reject) => {
        const { signal } = context
        signal.addEventListener('abort', () => reject(signal.reason))
        this.calls.push({
          place,
          input,
          context,
          end: resolve,
          fail: reject,
          reason: () => signal.reason?.code ?? null,
        })
      })
  }

  /** The latest attempt. */
  get last(): Call {
    return this.call(this.calls.length - 1)
  }

  call(index: number): Call {
    const call = this.calls[index]
    if (call === undefined) throw new Error(`There was no attempt ${index}.`)
    return call
  }

  get places(): readonly number[] {
    return this.calls.map(({ place }) => place)
  }
}

/** What is thrown or rejected, as `code`. */
export async function codeOf(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    return String((error as { readonly code?: unknown }).code)
  }
  return 'nothing was thrown'
}

/** Kinds of the records that a node writes or hears of from now on, in order. */
export function recordsSeen(node: DibsNode): RunRecord[] {
  const seen: RunRecord[] = []
  const names = [
    'run:created',
    'run:assigned',
    'run:reassigned',
    'run:claimed',
    'run:started',
    'run:progressed',
    'run:declined',
    'run:released',
    'run:held',
    'run:completed',
    'run:conflict',
    'run:failed',
    'run:attempt-failed',
    'run:cancelled',
    'run:paused',
    'run:resumed',
    'run:approved',
    'run:retried',
    'run:expedited',
  ] as const
  for (const name of names) node.addEventListener(name, ({ detail }) => void seen.push(detail.record))
  return seen
}
