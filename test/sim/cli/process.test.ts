/** The command as people start it: in a process of its own. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../../sim/outcome.js'
import { runSeed } from '../../../sim/swarm/swarm.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const QUIET = '--devices 2 --runs 3 --hours 0.1 --faults none'

function dibs(
  args: string,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'bin/dibs.ts', ...args.split(' ').filter(Boolean)],
    { cwd: root },
  )
  let [out, err] = ['', '']
  child.stdout.on('data', (data: Buffer) => {
    out += data
  })
  child.stderr.on('data', (data: Buffer) => {
    err += data
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}

describe('dibs', () => {
  test('says what it is, and what it cannot do yet', async () => {
    const [help, version, other] = await Promise.all([dibs('--help'), dibs('--version'), dibs('gateway')])
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(version).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
    expect(other).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('there is no command “gateway” yet'),
    })
  }, 300_000)

  test('plays seeds in processes of their own', async () => {
    const { code, out } = await dibs(`sim swarm --seeds 1-2 --workers 2 --json ${QUIET}`)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ seeds: 2, runs: 6, violations: {} })
  }, 300_000)
})

test('a seed comes out the same twice in one process, in another process, and beside another simulation', async () => {
  const options = { seed: 11, devices: 3, runs: 6, hours: 0.2, faults: ['partitions', 'crashes'] } as const
  const elsewhere = dibs(
    'sim run --seed 11 --devices 3 --runs 6 --hours 0.2 --faults partitions,crashes --json',
  )
  const { outcome: alone } = await runSeed(options)
  const { outcome: again } = await runSeed(options)
  const [{ outcome: beside }] = await Promise.all([runSeed(options), runSeed({ ...options, seed: 12 })])
  const other = JSON.parse((await elsewhere).out) as Outcome
  expect(alone.records).toBeGreaterThan(0)
  for (const outcome of [again, beside, other]) {
    expect(outcome.digest).toBe(alone.digest)
    expect(outcome.logDigest).toBe(alone.logDigest)
  }
}, 300_000)
