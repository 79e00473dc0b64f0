/** Every example in a doc comment passes the compiler. Those that need nothing but dibs run, and print what they say. */
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completed, examplesUnder } from './examples.js'
import { asSaid } from './programs.js'
import { folderOf, type Outcome, removeFolder, runPrograms, typeFaults } from './run-programs.js'

const NODE = ["import { createNode } from 'dibs'", 'await using node = await createNode()']
const THUMBNAIL = [
  "import { defineRun } from 'dibs'",
  "import { z } from 'zod'",
  "const input = z.object({ file: z.string() }), output = z.object({ url: z.string() }), file = 'ana.png'",
  "const thumbnail = defineRun({ type: 'media.thumbnail', input, output })",
]

/**
 * What examples leave out. One without `declare` runs. Imports from `/` are of what apps do not see, and begin at the
 * project's root.
 */
const PRELUDES: Readonly<Record<string, readonly string[]>> = {
  'src/index.ts createNode': ["import { createNode } from 'dibs'"],
  'src/webhook.ts webhook': [...NODE, "import { webhook } from 'dibs'", "const secret = 'between us'"],
  'src/node/define-run.ts defineRun': ["import { defineRun } from 'dibs'", "import { z } from 'zod'"],
  'src/node/errors.ts PermanentError': [
    ...NODE,
    "import { defineRun, PermanentError } from 'dibs'",
    "import { z } from 'zod'",
    "const send = defineRun({ type: 'mail.send', input: z.object({ to: z.string() }) })",
    'const post = async (to: string) => ({ to })',
  ],
  'src/node/node.ts handle': [
    ...NODE,
    ...THUMBNAIL,
    'const render = async (file: string, _: AbortSignal, __: unknown) => file',
  ],
  'src/node/node.ts submit': [
    ...NODE,
    ...THUMBNAIL,
    'node.handle(thumbnail, async ({ file }) => ({ url: file }))',
  ],
  'src/node/outbox/outbox.ts': [
    "import { openOutbox, type OutboxEvent, type OutboxOptions } from 'dibs'",
    "import type { JournalEvent } from '/src/journal/library.js'",
    'declare const options: OutboxOptions',
    'const { store, clock, random, source, viewOf } = options',
    "declare const event: Extract<JournalEvent, { type: 'records' }>",
    'declare function notify(event: OutboxEvent, options: { idempotencyKey: string }): Promise<void>',
  ],
  'src/node/outbox/webhook.ts webhook': [
    "import type { Outbox } from 'dibs'",
    "import { webhook } from '/src/node/outbox/webhook.js'",
    "import { systemClock as clock } from 'dibs/testing'",
    'declare const outbox: Outbox, secret: string',
  ],
  'src/node/rules/match.ts where': ["import type { EventMatch } from 'dibs'"],
  'src/node/rules/repository-webhook.ts fromRepositoryWebhook': [
    ...NODE,
    "import { fromRepositoryWebhook } from 'dibs'",
    "const delivery = '17', text = JSON.stringify({ action: 'opened' })",
  ],
  'src/node/rules/rule.ts Rule': ["import type { Rule } from 'dibs'"],
  'src/node/rules/rules.ts ingest': [
    "import { Rules } from 'dibs'",
    "const rules = new Rules(() => Promise.reject(new Error('There is no rule.'))), from = 'ana'",
  ],
  'src/node/run.ts result': [
    ...NODE,
    ...THUMBNAIL,
    'node.handle(thumbnail, async ({ file }) => ({ url: file }))',
    'const run = await node.submit(thumbnail, { file }), { signal } = new AbortController()',
  ],
  'src/node/runs.ts list': NODE,
  'src/node/typed-events.ts': [
    "import { TypedEvents } from '/src/node/typed-events.js'",
    'declare const signal: AbortSignal',
    'declare function greet(name: string): void',
  ],
  'src/testing/store-suite.ts': [
    "import type { Store } from 'dibs'",
    'declare const MyStore: new () => Store',
  ],
  'src/testing/test-group.ts': ["import { createTestGroup } from 'dibs/testing'"],
  'src/testing/transport-suite.ts': [
    "import type { GroupId } from 'dibs/protocol'",
    "import type { TransportMember } from 'dibs/testing'",
    "import { setTimeout as sleep } from 'node:timers/promises'",
    'declare const group: GroupId',
    'declare function myTransports(count: number): Promise<TransportMember[]>',
  ],
  'src/testing/virtual-time.ts': [
    "import { VirtualTime } from 'dibs/testing'",
    'const beat = () => undefined',
  ],
  'src/network/memory-network.ts': [
    "import type { TransportHost } from 'dibs'",
    "import { MemoryNetwork, systemClock } from 'dibs/testing'",
    'declare const hostOfAna: TransportHost, hostOfBen: TransportHost',
  ],
  'src/engine/step.ts': [
    "import type { Beacon, Effect, Now } from '/src/engine/index.js'",
    "import type { EngineSettings } from '/src/engine/config.js'",
    "import { createEngine, step } from '/src/engine/step.js'",
    "import type { GroupView } from 'dibs/protocol'",
    'declare const settings: EngineSettings, now: Now, groupView: GroupView, beacon: Beacon',
    'const { group, device, incarnation, viewOf, recordsOf } = settings',
    'declare function carryOut(effect: Effect): void',
  ],
  'src/journal/journals.ts': [
    "import { type JournalsOptions, openJournals } from '/src/journal/journals.js'",
    "import type { DeviceId } from 'dibs/protocol'",
    'declare const options: Required<JournalsOptions>, me: DeviceId, from: DeviceId, bytes: Uint8Array',
    'const { store, signer, verifier, clock, random, group, publish, onEvent } = options',
  ],
  'src/store/open.ts openLevelStore': [
    "import { nodePlatform } from '/src/platform/node/index.js'",
    "import { openLevelStore } from '/src/store/open.js'",
    "import type { LogKey } from 'dibs'",
    'declare const log: LogKey, signed: Uint8Array',
  ],
  'sim/byzantine/attack.ts': [
    "import { attack } from '/sim/byzantine/index.js'",
    "import type { Attacker } from '/sim/byzantine/attacker.js'",
    'declare const attacker: Attacker',
  ],
  'sim/scenarios/scenario.ts': ["import { splitBrain } from '/sim/scenarios/split-brain.js'"],
  'sim/simulation.ts createSimulation': ["import { createSimulation } from 'dibs/sim'"],
  'protocol/index.ts': [
    "import { choose, foldGroup, foldRun, needsOf } from 'dibs/protocol'",
    "import type { Candidate, DeviceRecord, GroupId, RunRecord } from 'dibs/protocol'",
    'declare const group: GroupId, records: RunRecord[], deviceRecords: DeviceRecord[]',
    'declare const candidates: Candidate[], nowMs: number',
  ],
  'protocol/choose/choose.ts choose': [
    "import { type Candidate, choose, type GroupId, needsOf, type RunView } from 'dibs/protocol'",
    'declare const group: GroupId, view: RunView, candidates: Candidate[], nowMs: number',
  ],
  'protocol/clock.ts': [
    "import { receive, tick } from 'dibs/protocol'",
    'const nowMs = 1_767_268_800_000, record = { stamp: tick(0, nowMs) }',
  ],
}

describe('the examples of doc comments', () => {
  const examples = examplesUnder(['src', 'protocol', 'sim']).map((example) =>
    completed(example, (PRELUDES[example.name] ?? []).map(rooted)),
  )
  const running = examples.filter(({ code }) => !/^.*\bdeclare /.test(code))
  const all = [...running, ...examples.filter((example) => !running.includes(example))]
  let folder = ''
  let faults = ''
  let outcomes: readonly Outcome[] = []

  beforeAll(async () => {
    folder = folderOf(all)
    faults = await typeFaults(folder)
    outcomes = await runPrograms(folder, running.length)
  })

  afterAll(() => removeFolder(folder))

  it('pass the compiler', () => {
    const named = faults.replaceAll(/\S*program-(\d+)\.ts/g, (_, place) => all[Number(place)]?.page ?? '')
    expect(named).toBe('')
  })

  it.each(running.map(({ name }, place) => [name, place] as const))('run: %s', (_, place) => {
    const { printed = [], error = 'It did not run: the process ended before.' } = outcomes[place] ?? {}
    const { prints } = running[place] ?? { prints: [] }
    expect(error).toBe(null)
    expect(asSaid(printed, prints)).toEqual(prints)
  })

  it('are all there: no prelude is left over', () => {
    const names = new Set(examples.map(({ name }) => name))
    expect(Object.keys(PRELUDES).filter((name) => !names.has(name))).toEqual([])
  })
})

function rooted(line: string): string {
  return line.replace(" from '/", ` from '${resolve('.')}/`)
}
