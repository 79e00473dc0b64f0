/** Children, started ahead: while one round is checked, the next one's child loads its code. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Line, readLines } from './lines.js'
import type { Order } from './order.js'

/** A child that acknowledges nothing for so long is stuck. */
const STUCK_MS = 20_000

export class Children {
  readonly #program: string
  #next: ChildProcessWithoutNullStreams

  constructor(program: string) {
    this.#program = program
    this.#next = start(program)
  }

  /** Lets a child live and kills it. Answers with all that it said. */
  async live(order: Order): Promise<readonly Line[]> {
    const child = this.#next
    this.#next = start(this.#program)
    return live(child, order)
  }

  async close(): Promise<void> {
    await kill(this.#next)
  }
}

// Detached: an interrupt from the keyboard is for the parent, and no way for a child to end.
function start(program: string): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [program], { stdio: 'pipe', detached: true })
}

async function live(child: ChildProcessWithoutNullStreams, order: Order): Promise<readonly Line[]> {
  let said = ''
  let complaints = ''
  let timer: NodeJS.Timeout | undefined = setTimeout(() => child.kill('SIGKILL'), STUCK_MS)
  let isAcknowledging = false
  child.stderr.on('data', (chunk) => {
    complaints += String(chunk)
  })
  child.stdout.on('data', (chunk) => {
    said += String(chunk)
    if (isAcknowledging || !/^acknowledged /m.test(said)) return
    isAcknowledging = true
    clearTimeout(timer)
    timer = setTimeout(() => child.kill('SIGKILL'), order.killAfterMs)
  })
  child.stdin.write(`${JSON.stringify(order)}\n`)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  const lines = readLines(said)
  // Only the kill ends a child: one that ended by itself has failed.
  return code === null && isAcknowledging && complaints === ''
    ? lines
    : [...lines, ['failed', `code ${code}`, complaints || 'It acknowledged nothing.']]
}

async function kill(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}
