import { describe, expect, test } from 'vitest'
import { scriptText } from '../../../sim/cli/script-text.js'
import { type JsonSchema, scriptJsonSchema } from '../../../sim/script/json-schema.js'
import { readScript } from '../../../sim/script/read.js'
import { ScriptError } from '../../../sim/script/script-error.js'
import { scriptOfSeed } from '../../../sim/swarm/swarm.js'

/** What is said about a script. */
function complaint(text: string): { readonly code: string; readonly lines: readonly string[] } {
  try {
    readScript(text, 'town.json')
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error
    return { code: error.code, lines: error.message.split('\n') }
  }
  throw new Error('It was taken.')
}

/** A script of two devices, with a step on each line from the second on. */
function withSteps(...steps: readonly string[]): string {
  return `{ "devices": [{}, {}], "lasts": "1h", "steps": [\n${steps.join(',\n')}\n]}`
}

describe('a script', () => {
  test('is read, with what it leaves out filled in', () => {
    const script = readScript(
      withSteps('{ "do": "submit", "at": "5m", "device": 1, "run": "mail" }'),
      'town.json',
    )
    expect(script).toMatchObject({ seed: 1, heartbeat: { intervalMs: 30_000, timeoutMs: 90_000 } })
    expect(script.steps[0]).toMatchObject({
      type: 'work',
      count: 1,
      job: { ms: 1000, fails: 0, hangs: false },
    })
  })

  test('may begin with a byte order mark', () => {
    expect(readScript(`\uFEFF${withSteps()}`, 'town.json').steps).toEqual([])
    expect(complaint(`\uFEFF${withSteps('{ "do": "wake", "at": 0, "device": 2 }')}`).lines[0]).toContain(
      'town.json:2: ',
    )
  })

  test('that chance drew is the same after it was saved and read', () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const script = scriptOfSeed({ seed })
      expect(readScript(scriptText(script), 'drawn.json')).toEqual(script)
    }
  })
})

describe('what is no JSON is refused with its line', () => {
  test.each([
    ['{\n  "devices": [],\n}', 'town.json:3: This is no JSON. A comma stands before “}”: take it away.'],
    ['{\n  "devices" []\n}', 'town.json:2: This is no JSON. A colon is missing before “[]”.'],
    [
      '{\n  "devices": [{}\n  "steps": []\n}',
      'town.json:3: This is no JSON. A comma or “]” is missing before “"steps": []”.',
    ],
    [
      '{\n\n  devices: []\n}',
      'town.json:3: This is no JSON. The name of a field, in double quotes, is missing before “devices: []”.',
    ],
    [
      "{ 'a': 1 }",
      "town.json:1: This is no JSON. The name of a field, in double quotes, is missing before “'a': 1 }”.",
    ],
    ['{ "a": \'b\' }', 'town.json:1: This is no JSON. Texts stand in double quotes.'],
    [
      '{ "a": "b }',
      'town.json:1: This is no JSON. A text has no end, or a line break or an unknown escape in it.',
    ],
    ['{ "a": 1 }\n{', 'town.json:2: This is no JSON. Something follows the end: “{”.'],
    ['', 'town.json:1: This is no JSON. A value is missing before the end of the file.'],
  ])('%j', (text, message) => {
    expect(complaint(text)).toEqual({ code: 'SCRIPT_NOT_JSON', lines: [message] })
  })
})

describe('a field that cannot be is named with its line, its path and what to write', () => {
  test.each([
    [
      '{ "do": "crash", "at": 0, "device": "two" }',
      'steps[0].device is "two": write a whole number from 0 to 999.',
    ],
    ['{ "do": "crash", "at": 0 }', 'steps[0].device is missing: write a whole number from 0 to 999.'],
    [
      '{ "do": "crash", "at": "90x", "device": 1 }',
      'steps[0].at is "90x": write a time: milliseconds, or a number and ms, s, m, h or d, as "90s".',
    ],
    [
      '{ "do": "crash", "at": 0, "devise": 1, "device": 1 }',
      'steps[0].devise is unknown: did you mean “device”? There are do, at, device.',
    ],
    [
      '{ "do": "sever", "at": 0, "devices": [1] }',
      'steps[0].devices is [1]: write a list of 2, each a whole number from 0 to 999.',
    ],
    [
      '{ "do": "submit", "at": 0, "device": 0, "run": "a", "options": { "reconcile": "first" } }',
      'steps[0].options.reconcile is "first": write one of "earliest", "latest".',
    ],
  ])('%s', (step, message) => {
    expect(complaint(withSteps(step))).toEqual({ code: 'SCRIPT_INVALID', lines: [`town.json:2: ${message}`] })
  })

  test('a step of an unknown kind is told the nearest, and all there are', () => {
    const [line] = complaint(withSteps('{ "do": "crsh", "at": 0, "device": 1 }')).lines
    expect(line).toMatch(
      /^town\.json:2: steps\[0\]\.do is "crsh", which is no step: did you mean “crash”\? There are partition, /,
    )
  })

  test('each of several problems has its line', () => {
    const { lines } = complaint(
      '{\n"devices": [{}],\n"steps": [\n{ "do": "wake", "at": 0,\n"device": -1 },\n{ "do": "wake",\n"at": -5, "device": 0 }]}',
    )
    expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'town.json:5: steps[0].device',
      'town.json:7: steps[1].at',
      'town.json:1: lasts',
    ])
  })

  test('a hundred problems do not fill the screen', () => {
    const steps = Array.from({ length: 100 }, () => '{ "do": "wake", "at": 0, "device": 2 }')
    const { lines } = complaint(withSteps(...steps))
    expect(lines).toHaveLength(9)
    expect(lines.at(-1)).toMatch(/^and \d+ more$/)
  })
})

describe('steps have to go with the rest', () => {
  const submit = '{ "do": "submit", "at": 0, "device": 0, "run": "mail" }'
  const three = '{ "do": "submit", "at": 0, "device": 0, "run": "mail", "count": 3 }'

  test.each([
    [
      'a device that there is not',
      ['{ "do": "wake", "at": 0, "device": 2 }'],
      '2: steps[0].device is 2, and there are 2 devices: write 0 to 1.',
    ],
    [
      'the same among sides',
      ['{ "do": "partition", "at": 0, "sides": [[0], [1, 7]] }'],
      '2: steps[0].sides[1][1] is 7, and there are 2 devices: write 0 to 1.',
    ],
    [
      'a device on two sides',
      ['{ "do": "partition", "at": 0, "sides": [[0], [1, 0]] }'],
      '2: steps[0].sides[1][1] is 0 once more: name each device once.',
    ],
    [
      'a device cut from itself',
      ['{ "do": "sever", "at": 0, "devices": [1, 1] }'],
      '2: steps[0].devices[1] is 1 once more: name each device once.',
    ],
    [
      'an admin who does what an admin may',
      ['{ "do": "attack", "at": 0, "device": 0, "kind": "revoke-others" }'],
      '2: steps[0].kind is “revoke-others” by device 0, an admin, who has the right to: let a member or an observer do it.',
    ],
    [
      'a step after the end',
      ['{ "do": "wake", "at": "61m", "device": 0 }'],
      '2: steps[0].at is 61m, after the end: write at most 1h, or a longer “lasts”.',
    ],
    [
      'a run that nobody submits',
      [submit, '{ "do": "cancel", "at": 0, "device": 0, "run": "mial" }'],
      '3: steps[1].run is “mial”, which no submit makes: did you mean “mail”?',
    ],
    [
      'one of several runs, without its number',
      [three, '{ "do": "pause", "at": 0, "device": 0, "run": "mail" }'],
      '3: steps[1].run is “mail”, which no submit makes: did you mean “mail.1”?',
    ],
    [
      'a name used twice',
      [submit, submit],
      '3: steps[1].run is “mail”, which another submit has: give each a name of its own.',
    ],
  ])('%s is refused', (_, steps, message) => {
    expect(complaint(withSteps(...steps))).toEqual({
      code: 'SCRIPT_INVALID',
      lines: [`town.json:${message}`],
    })
  })

  test('one of several runs may be named by its number', () => {
    expect(
      readScript(withSteps(three, '{ "do": "pause", "at": 0, "device": 0, "run": "mail.3" }'), 'town.json')
        .steps,
    ).toHaveLength(2)
  })

  test('a timeout is longer than its interval', () => {
    const text =
      '{ "devices": [{}], "heartbeat": { "intervalMs": 900, "timeoutMs": 900 }, "steps": [], "lasts": 1 }'
    expect(complaint(text).lines[0]).toContain('heartbeat.timeoutMs is 900, no longer than the interval')
  })
})

test('the schema for editors says of every field what it is for', () => {
  const bare: string[] = []
  const look = (schema: JsonSchema, path: string): void => {
    for (const [name, part] of Object.entries(schema.properties ?? {})) {
      if (part.description === undefined) bare.push(`${path}.${name}`)
      look(part, `${path}.${name}`)
    }
    if (schema.items) look(schema.items, path)
    for (const part of schema.oneOf ?? []) look(part, path)
  }
  look(scriptJsonSchema(), '')
  expect(bare).toEqual([])
})
