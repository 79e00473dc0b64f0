import { describe, expect, test } from 'vitest'
import { Pool, type StartWorker } from '../../../sim/swarm/pool.js'
import type { PoolAnswer, PoolTask } from '../../../sim/swarm/pool-task.js'
import { brokenOff, scriptOfSeed } from '../../../sim/swarm/swarm.js'
import { VirtualTime } from '../../../src/testing/index.js'
import { workerThat } from '../cli/fake-terminal.js'

const task = (seed: number): PoolTask => ({
  script: scriptOfSeed({ seed, runs: 1, faults: [] }),
  shrinkTries: 5,
})
const played = ({ script }: PoolTask): PoolAnswer => ({
  what: 'played',
  outcome: { ...brokenOff(script, ''), violations: [], runs: script.seed },
  lines: [],
  goesOn: false,
})

describe('a pool', () => {
  test('has no more workers than it was given, and each plays one script at a time', async () => {
    const time = new VirtualTime()
    let [workers, busy, most] = [0, 0, 0]
    const start: StartWorker = (listener) => {
      workers++
      return workerThat(async (asked, say) => {
        most = Math.max(most, ++busy)
        await Promise.resolve()
        busy--
        say(played(asked))
      })(listener)
    }
    const pool = new Pool({ workers: 2, start, clock: time.clock() })
    const results = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => pool.play(task(seed))))
    expect(results.map(({ outcome }) => outcome.runs)).toEqual([1, 2, 3, 4, 5, 6])
    expect({ workers, most }).toEqual({ workers: 2, most: 2 })
  })

  test('gives up a worker that hangs, and plays the next script with a new one', async () => {
    const time = new VirtualTime()
    let [started, ended] = [0, 0]
    const start: StartWorker = (listener) => {
      started++
      return {
        ask: (asked) => {
          if (asked.script.seed !== 1) listener.onAnswer(played(asked))
        },
        end: () => {
          ended++
        },
      }
    }
    const pool = new Pool({ workers: 1, start, clock: time.clock(), patienceMs: 60_000 })
    const [hung, next] = [pool.play(task(1)), pool.play(task(2))]
    await time.advance(60_000)
    expect((await hung).outcome.violations).toMatchObject([
      { invariant: 'no-fault', message: 'It did not end within 60 s.' },
    ])
    expect((await next).outcome.runs).toBe(2)
    expect({ started, ended }).toEqual({ started: 2, ended: 1 })
  })

  test('keeps what a worker found before it hung while shortening', async () => {
    const time = new VirtualTime()
    const violated = brokenOff(task(1).script, 'a bug')
    const start = workerThat((_, say) =>
      say({ what: 'played', outcome: violated, lines: ['a line'], goesOn: true }),
    )
    const pool = new Pool({ workers: 1, start, clock: time.clock(), patienceMs: 60_000 })
    const result = pool.play(task(1))
    await time.advance(60_000)
    expect(await result).toEqual({ outcome: violated, lines: ['a line'], minimum: null })
  })

  test('tells of a worker that died', async () => {
    const start: StartWorker = (listener) => ({
      ask: () => listener.onEnd('Its process ended with SIGSEGV.'),
      end: () => undefined,
    })
    const pool = new Pool({ workers: 1, start, clock: new VirtualTime().clock() })
    expect((await pool.play(task(1))).outcome.violations[0]?.message).toBe('Its process ended with SIGSEGV.')
  })
})
