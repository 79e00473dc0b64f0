import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Args } from '../../../sim/cli/args.js'
import { COMMANDS } from '../../../sim/cli/commands.js'
import { printPlayed } from '../../../sim/cli/play-command.js'
import { failureOf, failureText } from '../../../sim/cli/script-text.js'
import type { Outcome } from '../../../sim/outcome.js'
import { SCENARIOS } from '../../../sim/scenarios/index.js'
import { brokenOff, scriptOfSeed } from '../../../sim/swarm/swarm.js'
import { systemClock } from '../../../src/platform/index.js'
import { dibsSim, workerThat } from './fake-terminal.js'

/** A short, quiet simulation. */
const QUIET = '--devices 2 --runs 3 --hours 0.1 --faults none --heartbeat 30/90'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dibs-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string, text?: string): string => {
  const path = join(folder, name)
  if (text !== undefined) writeFileSync(path, text)
  return path
}

describe('help', () => {
  test('lists all commands, within 80 columns', async () => {
    const { code, out, err } = await dibsSim('--help')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const name of Object.keys(COMMANDS)) expect(out).toContain(`  ${name}`)
    expect(widest(out)).toBeLessThanOrEqual(80)
  })

  test.each(Object.keys(COMMANDS))('of %s names its options, within 80 columns', async (name) => {
    const { code, out } = await dibsSim([name, '--help'])
    expect(code).toBe(0)
    for (const option of Object.keys(COMMANDS[name]?.options ?? {})) expect(out).toContain(`--${option}`)
    expect(widest(out)).toBeLessThanOrEqual(80)
  })
})

describe('what makes no sense is refused with 2, and said plainly', () => {
  test.each([
    ['runn', 'There is no command “dibs sim runn”. Did you mean “run”?'],
    ['constructor', 'There is no command “dibs sim constructor”. There are run, '],
    ['run --sed 7', 'There is no option --sed. Did you mean --seed?'],
    ['run -s 7', 'There is no option -s.'],
    ['run --seed seven', '--seed takes a whole number from 0 to 4294967295, not “seven”.'],
    ['run --seed', '--seed takes <n>: what all chance follows from'],
    ['run --json=yes', '--json takes nothing, not “yes”.'],
    ['run seven', '“seven” is too much: only options follow.'],
    ['run --devices 0', '--devices takes a whole number from 1 to 1000, not “0”.'],
    ['run --hours -1', '--hours takes '],
    ['run --faults crash', 'not “crash”. Did you mean crashes?'],
    [
      'run --heartbeat 90/30',
      '--heartbeat takes two numbers of seconds, interval/timeout, the timeout longer, as 30/90, not “90/30”.',
    ],
    ['run --script a.json --runs 5', '--runs and --script do not go together: the script says it.'],
    ['run --log - --json', '--log - and --json would both print'],
    ['swarm', '--seeds is missing. It takes seeds, as 1-200 or 3,7,20-30.'],
    ['swarm --seeds 9-1', '--seeds takes seeds, as 1-200 or 3,7,20-30, not “9-1”.'],
    ['replay', '<file> is missing.'],
    ['compare --seeds 1', '--a is missing. It takes a file.'],
    ['scenario split-brian', 'There is no scenario “split-brian”. Did you mean “split-brain”?'],
  ])('dibs sim %s', async (args, message) => {
    const { code, out, err } = await dibsSim(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toContain('--help” says what there is.')
  })

  test('so is a script that cannot be played', async () => {
    const { code, err } = await dibsSim([
      'run',
      '--script',
      file('bad.json', '{ "devices": [{}],\n"steps": 5, "lasts": 1 }'),
    ])
    expect(code).toBe(2)
    expect(err).toContain('bad.json:2: steps is 5: write a list of 0 to 100000.')
  })
})

test('a file that is not there is an error, 1', async () => {
  const { code, err } = await dibsSim(['replay', file('missing.json')])
  expect(code).toBe(1)
  expect(err).toContain('missing.json cannot be read: ENOENT')
})

describe('run', () => {
  test('prints a table within 80 columns, and how to play it again', async () => {
    const { code, out, err } = await dibsSim(`run --seed 3 ${QUIET}`)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('runs         3: 3 completed, 0 failed, 0 cancelled, 0 waiting')
    expect(out).toContain('No invariant was violated.')
    expect(out).toContain(`  dibs sim run --seed 3 ${QUIET}\n`)
    // A command stays in one line, to be copied.
    expect(widest(out.split('It took')[0] ?? '')).toBeLessThanOrEqual(80)
    expect(out).not.toContain('\u001b')
  })

  test('colours only where it may', async () => {
    expect((await dibsSim(`run --seed 3 ${QUIET}`, { hasColour: true })).out).toContain(
      '\u001b[32mNo invariant',
    )
  })

  test('shows how far it is to whoever watches, and leaves nothing of it', async () => {
    const { err, out } = await dibsSim(`run --seed 3 ${QUIET}`, { isWatched: true })
    expect(err).toMatch(/█.* % {2}simulated/)
    expect(err.endsWith('\r\u001b[K')).toBe(true)
    expect(out).not.toContain('█')
  })

  test('prints one object with --json, and the same again for the same seed, whatever else is written', async () => {
    const plain = await dibsSim(`run --seed 3 --json ${QUIET}`)
    const [log, report, save] = [file('a.log'), file('a.html'), file('a.json')]
    const more = await dibsSim([
      ...`run --seed 3 --json ${QUIET}`.split(' '),
      '--log',
      log,
      '--report',
      report,
      '--save',
      save,
    ])
    expect(more.out).toBe(plain.out)
    expect(JSON.parse(plain.out)).toMatchObject({ seed: 3, runs: 3, completed: 3, violations: [] })
    expect(readFileSync(log, 'utf8')).toMatch(/^00:00:00\.\d{3} /)
    expect(readFileSync(report, 'utf8')).toContain('<!doctype html>')
    const again = await dibsSim(['run', '--script', save, '--json'])
    expect(again.out).toBe(plain.out)
  })

  test('prints the log with --log -', async () => {
    const { out } = await dibsSim(`run --seed 3 --log - ${QUIET}`)
    expect(out).toMatch(/^00:00:00\.\d{3} /)
    expect(out).toContain('No invariant was violated.')
  })

  test('ends with 3 if an invariant was violated, and says which, its law, and what led to it', () => {
    let out = ''
    const print = (text: string): void => {
      out += text
    }
    const terminal = { print, tell: () => undefined, hasColour: false }
    const code = printPlayed(
      { outcome: { ...violated(4), title: null }, lines: ['00:00:01.000 a line'], simulation: null },
      'dibs sim run --seed 4',
      new Args([], new Map()),
      {
        ...terminal,
        args: [],
        isWatched: false,
        clock: systemClock,
        startWorker: workerThat(() => undefined),
        cores: 1,
      },
      5,
    )
    expect(code).toBe(3)
    expect(out).toContain('violated: one-owner at 00:01:00.000, device 2, run run-7\n')
    expect(out).toContain('  Devices that are connected and have the same records')
    expect(out).toContain('two of them did\n')
    expect(out).toContain('  00:00:01.000 a line\n')
    expect(widest(out)).toBeLessThanOrEqual(80)
  })
})

describe('replay', () => {
  test('says whether a failure comes out as it did', async () => {
    const options = {
      seed: 3,
      devices: 2,
      runs: 3,
      hours: 0.1,
      faults: [],
      heartbeat: { intervalMs: 30_000, timeoutMs: 90_000 },
    }
    const outcome = JSON.parse((await dibsSim(`run --seed 3 --json ${QUIET}`)).out) as Outcome
    const same = file('same.json', failureText(failureOf(scriptOfSeed(options), outcome)))
    expect((await dibsSim(['replay', same])).out).toContain('the digests are the same.')
    const other = file('other.json', failureText(failureOf(scriptOfSeed(options), violated(3))))
    const { out } = await dibsSim(['replay', other])
    expect(out.replaceAll('\n', ' ')).toContain('the digests differ. No longer violated: one-owner.')
  })
})

describe('shrink', () => {
  test('has nothing to do for a script that violates nothing', async () => {
    const save = file('quiet.json')
    await dibsSim([...`run --seed 3 ${QUIET} --save`.split(' '), save])
    const { code, err } = await dibsSim(['shrink', save])
    expect(code).toBe(2)
    expect(err).toContain('quiet.json violates nothing: there is nothing to shrink.')
  })
})

describe('swarm', () => {
  test('adds up what came of all seeds', async () => {
    const { code, out } = await dibsSim(`swarm --seeds 1,3-4 ${QUIET}`)
    expect(code).toBe(0)
    expect(out).toMatch(/^seeds {7}3$/m)
    expect(out).toMatch(/^runs {8}\d+$/m)
    expect(out).toContain('No invariant was violated.')
  })

  test('ends with 3 if a seed goes wrong: it says what and how to play it again, and keeps the shortest script', async () => {
    const startWorker = workerThat((task, say) => {
      const { script } = task
      if (script.seed !== 2)
        return say({
          what: 'played',
          outcome: { ...violated(script.seed), violations: [] },
          lines: [],
          goesOn: false,
        })
      say({ what: 'played', outcome: violated(2), lines: ['a long story'], goesOn: true })
      say({
        what: 'shrunk',
        minimum: {
          script: { ...script, steps: [] },
          outcome: violated(2),
          lines: ['a short story'],
          tries: 9,
        },
      })
    })
    const keep = join(folder, 'kept')
    const args = ['swarm', '--seeds', '1-3', '--faults', 'none', '--keep', keep]
    const { code, out } = await dibsSim(args, { startWorker })
    expect(code).toBe(3)
    expect(out).toContain('Seed 2 violated: one-owner at 00:01:00.000, device 2, run run-7')
    expect(out).toContain('    a short story\n')
    expect(out).toContain(`the shortest:  dibs sim replay ${join(keep, 'seed-2.json')}\n`)
    expect(out).toContain('all of it:     dibs sim run --seed 2 --faults none\n')
    expect(out).toMatch(/^violations {2}one-owner 1$/m)
    expect(JSON.parse(readFileSync(join(keep, 'seed-2.json'), 'utf8'))).toMatchObject({
      expected: { violated: ['one-owner'] },
      script: { seed: 2, steps: [] },
    })
    const json = await dibsSim([...args, '--json'], { startWorker })
    expect(json.code).toBe(3)
    expect(JSON.parse(json.out)).toMatchObject({
      seeds: 3,
      violations: { 'one-owner': 1 },
      failed: [{ seed: 2 }],
    })
  })

  test('begins no more seeds once its minutes are over', async () => {
    let nowMs = 0
    const clock = { ...systemClock, monotonicMs: () => nowMs }
    const startWorker = workerThat(({ script }, say) => {
      nowMs += 40_000
      say({ what: 'played', outcome: { ...violated(script.seed), violations: [] }, lines: [], goesOn: false })
    })
    const { out } = await dibsSim('swarm --seeds 1-1000 --workers 1 --minutes 1.5 --json', {
      clock,
      startWorker,
    })
    expect(JSON.parse(out)).toMatchObject({ seeds: 3 })
  })
})

describe('compare', () => {
  const base = { devices: 2, runs: 3, hours: 0.1, faults: 'none' }

  test('shows two configurations side by side, and the difference', async () => {
    const a = file(
      'config-a.json',
      JSON.stringify({ ...base, heartbeat: { intervalMs: 30_000, timeoutMs: 90_000 } }),
    )
    const b = file(
      'config-b.json',
      JSON.stringify({ ...base, heartbeat: { intervalMs: 5000, timeoutMs: 15_000 } }),
    )
    const { code, out } = await dibsSim(['compare', '--a', a, '--b', b, '--seeds', '1-2'])
    expect(code).toBe(0)
    expect(out).toMatch(/^completed +6 +6 +0$/m)
    expect(out).toMatch(/^messages .*\+.* %$/m)
    expect(widest(out)).toBeLessThanOrEqual(80)
    const same = await dibsSim(['compare', '--a', a, '--b', a, '--seeds', '2', '--json'])
    const { a: ofA, b: ofB } = JSON.parse(same.out) as { readonly a: unknown; readonly b: unknown }
    expect(ofA).toEqual(ofB)
  })

  test('refuses a configuration with a field that there is not', async () => {
    const a = file('config-c.json', '{\n  "hartbeat": {} }')
    const { code, err } = await dibsSim(['compare', '--a', a, '--b', a, '--seeds', '1'])
    expect(code).toBe(2)
    expect(err).toContain('config-c.json:2: hartbeat is unknown: did you mean “heartbeat”?')
  })
})

test('schema prints a JSON schema', async () => {
  const { code, out } = await dibsSim('schema')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    $schema: expect.any(String),
    required: ['devices', 'steps', 'lasts'],
  })
})

function violated(seed: number): Outcome {
  const outcome = brokenOff(scriptOfSeed({ seed }), '')
  return {
    ...outcome,
    violations: [
      { invariant: 'one-owner', atMs: 60_000, place: 2, run: 'run-7', message: 'two of them did' },
    ],
  }
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length))
}

describe('scenario', () => {
  test('lists them all, within 80 columns', async () => {
    const { code, out } = await dibsSim('scenario')
    expect(code).toBe(0)
    for (const { name } of SCENARIOS) expect(out).toContain(`${name} `)
    expect(widest(out)).toBeLessThanOrEqual(80)
  })

  test('tells one, expectation by expectation, and writes its report', async () => {
    const page = file('laptop-lid.html')
    const { code, out } = await dibsSim(['scenario', 'laptop-lid', '--report', page])
    expect(code).toBe(0)
    expect(out).toMatch(/^ {2}\d\d:\d\d:\d\d {2}yes {2}/m)
    expect(out).toContain('It came out as it should.')
    expect(readFileSync(page, 'utf8')).toContain('dibs sim scenario laptop-lid --seed 1')
  })

  test('tells one to programs', async () => {
    const { out } = await dibsSim('scenario laptop-lid --seed 2 --json')
    expect(JSON.parse(out)).toMatchObject({ name: 'laptop-lid', failures: 0, outcome: { seed: 2 } })
  })
})
