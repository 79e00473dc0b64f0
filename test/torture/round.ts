/** Rounds: a child lives and is killed, its store is opened and checked, the next child goes on with the same store. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check } from './check.js'
import { Children } from './children.js'
import { Memory } from './memory.js'
import type { Plan } from './plan.js'

export interface RoundReport {
  readonly plan: Plan
  readonly problems: readonly string[]
  /** Records that this round's child acknowledged. */
  readonly acknowledged: number
  /** Whether the chore was killed halfway. */
  readonly isChoreCut: boolean
  readonly records: number
  readonly tailsLost: number
}

/** Carries out the rounds of one device, one after the other. Leaves nothing running, and nothing on disk. */
export async function* tortureDevice(program: string, plans: readonly Plan[]): AsyncGenerator<RoundReport> {
  const folder = await mkdtemp(join(tmpdir(), 'dibs-torture-'))
  const children = new Children(program)
  const memory = new Memory()
  try {
    for (const plan of plans) {
      const lines = await children.live({ ...plan, folder })
      const complaints = memory.take(lines)
      const checked = await check(folder, plan, memory)
      const acknowledged = lines.flatMap((line) => (line[0] === 'acknowledged' ? line.slice(2) : []))
      yield {
        ...checked,
        plan,
        problems: [...complaints, ...checked.problems],
        acknowledged: acknowledged.length,
        isChoreCut: plan.chore !== 'none' && !lines.some(([kind]) => kind === 'done'),
      }
    }
  } finally {
    await children.close()
    await rm(folder, { recursive: true, force: true })
  }
}
