/** Plays seeds in a process of its own, which may hang or die. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Scratch } from './scratch.js'
import type { TrialReport, TrialTask } from './trial.js'

/** Milliseconds for one seed, the start of the process included. What takes longer is taken not to end. */
export const SEED_MS = 60_000

/** The last seed that was played. */
export interface Played {
  readonly seed: number
  /** What it came to; null if it did not end. */
  readonly report: TrialReport | null
  /** Of all seeds that were played, the start of the process included. */
  readonly tookMs: number
}

/** Plays up to the first seed with a violation, or the first that takes too long. */
export function playSeeds({ folder }: Scratch, task: TrialTask): Promise<Played> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(folder, 'scripts/mutants/trial.ts'), JSON.stringify(task)],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const began = performance.now()
  return new Promise((resolve, reject) => {
    let last: TrialReport | null = null
    let errors = ''
    const nextSeed = (): number => (last?.seed ?? task.from - 1) + 1
    const end = (seed: number, report: TrialReport | null): void =>
      resolve({ seed, report, tookMs: performance.now() - began })
    const late = (): void => {
      child.kill('SIGKILL')
      end(nextSeed(), null)
    }
    let timer = setTimeout(late, SEED_MS)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4000)
    })
    createInterface({ input: child.stdout }).on('line', (line) => {
      last = JSON.parse(line) as TrialReport
      clearTimeout(timer)
      timer = setTimeout(late, SEED_MS)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      if (code === 0 && last !== null) end(last.seed, last)
      else if (code === 1) end(nextSeed(), died(nextSeed(), errors))
      else reject(new Error(`A trial ended with ${code}. ${errors}`))
    })
  })
}

/** The process died of an error that nobody caught: the law that nothing throws was broken. */
function died(seed: number, errors: string): TrialReport {
  const line = errors.split('\n').find((text) => text.includes('Error')) ?? errors
  return { seed, violated: [{ invariant: 'no-fault', line: line.slice(0, 500) }] }
}
