import { readdir, readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Complaint, lintSnippets, root, type Snippet } from './lint-snippets.js'

type Said = Pick<Complaint, 'category' | 'message'>

const plugin = (message: string): Said => ({ category: 'plugin', message })
const denied = (name: string): Said => ({
  category: 'lint/style/noRestrictedGlobals',
  message: `global variable ${name}.`,
})
const layer = (message: string): Said => ({ category: 'lint/style/noRestrictedImports', message })

const alone = layer('protocol/ stands alone')
const belowSim = layer('src/ imports only from protocol/')
const belowTests = layer('sim/ imports only from protocol/ and src/')
const notPlain = plugin('Import by a plain relative path or package name')
const invented = plugin('Do not declare globals here')
const replication = plugin('Yjs, level and libp2p belong to')
const host = plugin('take data and return data')
const nodeModule = plugin("Only src/platform/ imports Node's modules")
const seedAlone = plugin('a run depends on its seed alone')
const chance = plugin('Take chance from the Random')
const abortTimer = plugin('AbortSignal.timeout starts a timer')

const deciding = ['protocol', 'protocol/fold', 'src/engine', 'src/engine/deep']
const nodeless = [...deciding, 'src', 'src/node', 'src/network/platform', 'src/platform-like']
const worldless = [...nodeless, 'sim', 'sim/cli']
const layered = [...worldless, 'src/platform']
const free = ['test/node', 'bench', 'scripts', 'examples']

interface Law {
  readonly law: string
  readonly folders: readonly string[]
  readonly refused: readonly (readonly [code: string, said: Said])[]
}

const laws: readonly Law[] = [
  {
    law: 'every folder is linted at all',
    folders: [...layered, ...free],
    refused: [['debugger', { category: 'lint/suspicious/noDebugger', message: 'debugger' }]],
  },
  {
    law: 'protocol/ imports from no other folder',
    folders: ['protocol', 'protocol/fold'],
    refused: [
      ["import { open } from '../src/node/index.js'\nopen()", alone],
      ["import { open } from './../../src/index.js'\nopen()", alone],
      ["import type { Node } from '../src/node/index.js'\nexport type Mine = Node", alone],
      ["import { type Node, open } from '../src/node/index.js'\nexport const mine: Node = open()", alone],
      ["import '../sim/world.js'", alone],
      ["import * as world from '../sim/world.js'\nworld.run()", alone],
      ["export * from '../src/node/index.js'", alone],
      ["export { run as walk } from '../sim/world.js'", alone],
      ["export type { Node } from '../src/node/index.js'", alone],
      ["export const late = import('../src/node/index.js')", alone],
      ["import { helper } from '../test/helper.js'\nhelper()", alone],
      ["import { measure } from '../bench/measure.js'\nmeasure()", alone],
      ["import { generate } from '../scripts/generate.js'\ngenerate()", alone],
      ["import { demo } from '../examples/demo.js'\ndemo()", alone],
    ],
  },
  {
    law: 'src/ imports from protocol/ only',
    folders: ['src', 'src/engine', 'src/node', 'src/platform'],
    refused: [
      ["import { run } from '../../sim/world.js'\nrun()", belowSim],
      ["import type { World } from '../../sim/world.js'\nexport type Mine = World", belowSim],
      ["export * from '../../sim/world.js'", belowSim],
      ["export type { World } from '../../sim/world.js'", belowSim],
      ["export const late = import('../../sim/world.js')", belowSim],
      ["import { helper } from '../../test/helper.js'\nhelper()", belowSim],
      ["import { measure } from '../../bench/measure.js'\nmeasure()", belowSim],
      ["import { generate } from '../../scripts/generate.js'\ngenerate()", belowSim],
      ["import { demo } from '../../examples/demo.js'\ndemo()", belowSim],
    ],
  },
  {
    law: 'sim/ imports from protocol/ and src/ only',
    folders: ['sim', 'sim/cli'],
    refused: [
      ["import { helper } from '../test/helper.js'\nhelper()", belowTests],
      ["import type { Helper } from '../test/helper.js'\nexport type Mine = Helper", belowTests],
      ["export * from '../bench/measure.js'", belowTests],
      ["export const late = import('../scripts/generate.js')", belowTests],
      ["import { demo } from '../examples/demo.js'\ndemo()", belowTests],
    ],
  },
  {
    law: 'an import says plainly what it imports',
    folders: layered,
    refused: [
      ["export const late = import('y' + 'js')", notPlain],
      ['export const late = import(`yjs`)', notPlain],
      ['export const late = (name: string) => import(name)', notPlain],
      ["export const late = import('./a.json', { with: { type: 'json' } })", notPlain],
      ["export type Doc = import('yjs').Doc", notPlain],
      ["export type Fs = typeof import('node:fs')", notPlain],
      ["import { run } from 'dibs/sim'\nrun()", notPlain],
      ["import { run } from 'dibs'\nrun()", notPlain],
      ["export * from '#sim/world.js'", notPlain],
      ["import '/sim/world.js'", notPlain],
      ["import 'file:///sim/world.js'", notPlain],
      ["import 'data:text/javascript,0'", notPlain],
      ["import 'blob:0'", notPlain],
      ["import 'https://example.org/world.js'", notPlain],
      ["export * from '../dist/index.js'", notPlain],
      ["export const late = import('../../node_modules/yjs/dist/yjs.mjs')", notPlain],
    ],
  },
  {
    law: 'nobody declares a global to get around the rules',
    folders: layered,
    refused: [
      ['declare const performance: { now(): number }\nexport const at = performance.now()', invented],
      ['declare let process: { pid: number }\nexport const id = process.pid', invented],
      ['declare function setTimeout(f: () => void): number\nsetTimeout(() => {})', invented],
      ['declare class Date { now(): number }\nexport const at = new Date().now()', invented],
      ['export declare const performance: { now(): number }\nexport const at = performance.now()', invented],
      ['declare global { const clock: number }\nexport const at = clock', invented],
      [
        'declare const a: unique symbol, crypto: { id(): string }\nexport const b = [a, crypto.id()]',
        invented,
      ],
    ],
  },
  {
    law: 'what decides knows nothing of Yjs, level or libp2p',
    folders: deciding,
    refused: [
      ["import * as Y from 'yjs'\nexport const doc = new Y.Doc()", replication],
      ["import type { Doc } from 'yjs'\nexport type Mine = Doc", replication],
      ["export * from 'yjs'", replication],
      ["export { Doc } from 'yjs'", replication],
      ["export const late = import('yjs')", replication],
      ["export const late = async () => (await import('yjs')).Doc", replication],
      ["import yjs = require('yjs')\nexport const doc = yjs", replication],
      ["import 'yjs/src/index.js'", replication],
      ["import 'y-protocols/sync'", replication],
      ["import 'lib0/encoding'", replication],
      ["import { Level } from 'level'\nexport const store = new Level('x')", replication],
      ["import 'classic-level'", replication],
      ["import 'memory-level'", replication],
      ["import 'abstract-level'", replication],
      ["import 'browser-level'", replication],
      ["import 'libp2p'", replication],
      ["import type { PeerId } from '@libp2p/interface'\nexport type Mine = PeerId", replication],
      ["export { noise } from '@chainsafe/libp2p-noise'", replication],
    ],
  },
  {
    law: 'what decides has no I/O and no Buffer',
    folders: deciding,
    refused: [
      ["export const bytes = Buffer.from('x')", host],
      ['export const bytes = (size: number): Buffer => make(size)', host],
      ['export const B = Buffer', host],
      ['export const { from } = Buffer', host],
      ['export const all = { Buffer }', host],
      ["console.log('x')", host],
      ["export const answer = fetch('x')", host],
      ["export const socket = new WebSocket('x')", host],
      ['export const request = new XMLHttpRequest()', host],
      ['export const { onLine } = navigator', host],
      ["export const kept = localStorage.getItem('x')", host],
      ["export const kept = sessionStorage.getItem('x')", host],
      ["export const opened = indexedDB.open('x')", host],
    ],
  },
  {
    law: "only src/platform/ imports Node's modules",
    folders: nodeless,
    refused: [
      ["import { readFile } from 'node:fs/promises'\nexport const read = readFile", nodeModule],
      ["import type { Stats } from 'node:fs'\nexport type Mine = Stats", nodeModule],
      ["export * from 'node:path'", nodeModule],
      ["export { randomUUID } from 'node:crypto'", nodeModule],
      ["export const late = import('node:timers/promises')", nodeModule],
      ["import fs = require('node:fs')\nexport const read = fs", nodeModule],
      ["import { join } from 'path'\nexport const glue = join", nodeModule],
      ["import type { Stats } from 'fs'\nexport type Mine = Stats", nodeModule],
      ["export { setTimeout } from 'timers/promises'", nodeModule],
      ["export const late = import('crypto')", nodeModule],
      ["export * from 'events'", nodeModule],
      ["import { test } from 'node:test'\nexport const t = test", nodeModule],
      ...builtinModules.map((name) => [`import '${name}'`, nodeModule] as const),
    ],
  },
  {
    law: 'sim/ takes no clock, timer or chance from Node',
    folders: ['sim', 'sim/cli'],
    refused: [
      ["import { randomUUID } from 'node:crypto'\nexport const id = randomUUID()", seedAlone],
      ["export { setTimeout } from 'node:timers/promises'", seedAlone],
      ["import { performance as p } from 'node:perf_hooks'\nexport const at = p.now()", seedAlone],
      ["export const late = import('node:process')", seedAlone],
      ["export * from 'crypto'", seedAlone],
    ],
  },
  {
    law: 'time comes from the Clock',
    folders: worldless,
    refused: [
      ['export const at = Date.now()', denied('Date')],
      ['export const at = new Date()', denied('Date')],
      ['export const at = new Date(0)', denied('Date')],
      ["export const at = Date.parse('2020-01-01')", denied('Date')],
      ["export const at = Date['now']()", denied('Date')],
      ['export const { now } = Date', denied('Date')],
      ['const D = Date\nexport const at = D.now()', denied('Date')],
      ['export const clocks = { Date }', denied('Date')],
      ['export const at = (clock = Date) => clock.now()', denied('Date')],
      ['export class Later extends Date {}', denied('Date')],
      ['export const age = (born: Date) => born', denied('Date')],
      ['export const at = Reflect.construct(Date, [])', denied('Date')],
      ['export const at = performance.now()', denied('performance')],
      ['export const { timeOrigin } = performance', denied('performance')],
      ['export const at = Temporal.Now.instant()', denied('Temporal')],
      ['export const at = new Intl.DateTimeFormat().format()', denied('Intl')],
    ],
  },
  {
    law: 'timers come from the Clock',
    folders: worldless,
    refused: [
      ['setTimeout(() => {}, 1)', denied('setTimeout')],
      ['const later = setTimeout\nlater(() => {}, 1)', denied('setTimeout')],
      ['export const timers = { setTimeout }', denied('setTimeout')],
      ['export { setTimeout }', denied('setTimeout')],
      ['export type Handle = ReturnType<typeof setTimeout>', denied('setTimeout')],
      ['export const stop = (id: number) => clearTimeout(id)', denied('clearTimeout')],
      ['setInterval(() => {}, 1)', denied('setInterval')],
      ['export const stop = (id: number) => clearInterval(id)', denied('clearInterval')],
      ['setImmediate(() => {})', denied('setImmediate')],
      ['export const stop = (id: number) => clearImmediate(id)', denied('clearImmediate')],
      ['requestAnimationFrame(() => {})', denied('requestAnimationFrame')],
      ['requestIdleCallback(() => {})', denied('requestIdleCallback')],
      ['export const pause = () => scheduler.wait(1)', denied('scheduler')],
      ['export const pause = (cell: Int32Array) => Atomics.wait(cell, 0, 0, 1)', denied('Atomics')],
      ['export const signal = AbortSignal.timeout(1)', abortTimer],
      ["export const signal = AbortSignal['timeout'](1)", abortTimer],
      ['export const signal = AbortSignal?.timeout(1)', abortTimer],
      ['export const { timeout } = AbortSignal', abortTimer],
      ['const Signal = AbortSignal\nexport const signal = Signal.timeout(1)', abortTimer],
      ['export const all = { AbortSignal }', abortTimer],
    ],
  },
  {
    law: 'chance comes from Random',
    folders: worldless,
    refused: [
      ['export const roll = Math.random()', chance],
      ['export const roll = Math.random', chance],
      ["export const roll = Math['random']()", chance],
      ['export const roll = Math?.random()', chance],
      ['export const roll = (Math).random()', chance],
      ['export const roll = (Math as typeof Math).random()', chance],
      ['export const { random } = Math', chance],
      ['const M = Math\nexport const roll = M.random()', chance],
      ['export const all = { Math }', chance],
      ['export const all = { ...Math }', chance],
      ['export const roll = (m = Math) => m.random()', chance],
      ["export const roll = Reflect.get(Math, 'random')", chance],
      ["import { randomBytes } from '@noble/hashes/utils.js'\nexport const roll = randomBytes(8)", chance],
      ["import { randomBytes as dice } from '@noble/hashes/utils.js'\nexport const roll = dice(8)", chance],
      [
        "import {\n  bytesToHex,\n  randomBytes,\n} from '@noble/hashes/utils.js'\nbytesToHex(randomBytes(8))",
        chance,
      ],
      ["import * as u from '@noble/hashes/utils.js'\nexport const roll = u.randomBytes(8)", chance],
      ["export { randomBytes } from '@noble/hashes/utils.js'", chance],
      ["export * from '@noble/hashes/utils.js'", chance],
      ["export const late = import('@noble/hashes/utils.js')", chance],
      ['export const id = crypto.randomUUID()', denied('crypto')],
      ['export const { subtle } = crypto', denied('crypto')],
      ['const c = crypto\nexport const id = c.randomUUID()', denied('crypto')],
    ],
  },
  {
    law: 'the process, the global object and code from strings are out of reach',
    folders: worldless,
    refused: [
      ['export const home = process.env', denied('process')],
      ['export const { hrtime } = process', denied('process')],
      ['export const at = globalThis.Date.now()', denied('globalThis')],
      ["export const at = globalThis['performance'].now()", denied('globalThis')],
      ['globalThis.setTimeout(() => {}, 1)', denied('globalThis')],
      ['const { Date: D } = globalThis\nexport const at = D.now()', denied('globalThis')],
      ['const world = globalThis\nexport const at = world.Date.now()', denied('globalThis')],
      ['export const at = global.Date.now()', denied('global')],
      ['export const at = window.performance.now()', denied('window')],
      ['export const roll = self.crypto.randomUUID()', denied('self')],
      ["export const at = new Function('return Date.now()')()", denied('Function')],
      ["export const at = Function('return Date.now()')()", denied('Function')],
      ["export const at = eval('Date.now()')", denied('eval')],
      ["export const fs = require('node:fs')", denied('require')],
    ],
  },
]

const honest: readonly Snippet[] = [
  ...layered.flatMap((folder) => [
    { folder, code: "import { z } from 'zod'\nexport const Name = z.string()" },
    { folder, code: "import type { Level } from './level.js'\nexport type Mine = Level" },
    { folder, code: "export * from './simple.js'" },
    { folder, code: "export type { Test } from './test-vector.js'" },
    { folder, code: "export const late = import('./late.js')" },
    { folder, code: "import { bytesToHex } from '@noble/hashes/utils.js'\nexport const hex = bytesToHex" },
    { folder, code: 'export const top = (a: number, b: number) => Math.floor(Math.max(a, b))' },
    { folder, code: 'export const rounded = (all: number[]) => all.map(Math.round)' },
    { folder, code: 'export const either = (all: AbortSignal[]): AbortSignal => AbortSignal.any(all)' },
    { folder, code: 'export const isSignal = (it: unknown) => it instanceof AbortSignal' },
    { folder, code: 'export const stop = new AbortController()' },
    { folder, code: 'export const soon = (f: () => void) => queueMicrotask(f)' },
    { folder, code: 'export const at = (clock: { now(): number }) => clock.now()' },
    { folder, code: 'export const later = (setTimeout: (f: () => void) => void) => setTimeout(() => {})' },
    { folder, code: 'export const roll = (random: { random(): number }) => random.random()' },
    {
      folder,
      code: 'declare const brand: unique symbol\nexport type Id = string & { readonly [brand]: true }',
    },
    { folder, code: 'export declare const mark: unique symbol' },
    { folder, code: "export const text = 'Date.now() and Math.random() and node:fs' // Date, yjs" },
    { folder, code: 'export const bytes = new TextEncoder().encode(String(new Uint8Array(2)))' },
  ]),
  { folder: 'src/node', code: "import { fold } from '../../protocol/index.js'\nexport const view = fold" },
  {
    folder: 'src/engine',
    code: "import type { Clock } from '../platform/clock.js'\nexport type Mine = Clock",
  },
  { folder: 'src/network', code: 'export const bytes = (all: Uint8Array[]) => Buffer.concat(all)' },
  { folder: 'sim', code: "import { engine } from '../src/engine/index.js'\nexport const mine = engine" },
  { folder: 'sim', code: "import { fold } from '../protocol/index.js'\nexport const view = fold" },
  { folder: 'sim', code: "import { writeFile } from 'node:fs/promises'\nexport const write = writeFile" },
  { folder: 'src/platform', code: "import { webcrypto } from 'node:crypto'\nexport const c = webcrypto" },
  { folder: 'src/platform', code: 'export const now = () => Date.now() + performance.now()' },
  { folder: 'src/platform', code: 'export const timer = (f: () => void) => globalThis.setTimeout(f, 1)' },
  { folder: 'src/platform', code: 'export const roll = () => Math.random() + process.pid' },
  { folder: 'src/platform', code: 'export const signal = () => AbortSignal.timeout(1)' },
  ...free.flatMap((folder) => [
    { folder, code: "import { run } from '../sim/world.js'\nexport const mine = run" },
    { folder, code: "import { helper } from '../test/helper.js'\nexport const mine = helper" },
    { folder, code: "import { readFile } from 'node:fs/promises'\nexport const read = readFile" },
    { folder, code: 'export const now = () => Date.now() + performance.now() + Math.random()' },
    { folder, code: 'export const timer = (f: () => void) => globalThis.setTimeout(f, process.pid)' },
  ]),
]

const offences = laws.flatMap(({ folders, refused }) =>
  refused.flatMap(([code]) => folders.map((folder) => ({ folder, code }))),
)

let verdicts = new Map<string, readonly Complaint[]>()
const key = ({ folder, code }: Snippet) => `${folder}\n${code}`
const verdict = (snippet: Snippet) => {
  const complaints = verdicts.get(key(snippet))
  if (complaints === undefined) throw new Error(`not linted: ${key(snippet)}`)
  return complaints
}

beforeAll(async () => {
  const snippets = [...offences, ...honest]
  const complaints = await lintSnippets(snippets)
  verdicts = new Map(snippets.map((snippet, index) => [key(snippet), complaints[index] ?? []]))
})

for (const { law, folders, refused } of laws) {
  describe(law, () => {
    test.for(refused)('refused: %s', ([code, said]) => {
      const isSaid = ({ severity, category, message }: Complaint) =>
        severity === 'error' && category === said.category && message.includes(said.message)
      const open = folders.filter((folder) => !verdict({ folder, code }).some(isSaid))
      expect(open, `folders where nobody said "${said.message}"`).toEqual([])
    })
  })
}

describe('honest code passes', () => {
  test.for(honest)('$folder: $code', (snippet) => {
    expect(verdict(snippet)).toEqual([])
  })
})

describe('the rules cannot be switched off from inside', () => {
  const silencer = /biome-ignore\S*\s+lint(?:\s*:|\/plugin|\/style\/noRestricted|\/style\s*:)/

  test('no file in protocol/, src/ or sim/ silences them', async () => {
    const guilty: string[] = []
    for (const folder of ['protocol', 'src', 'sim']) {
      for (const file of await filesUnder(folder)) {
        if (!/\.[cm]?[jt]sx?$/.test(file)) continue
        if (silencer.test(await readFile(join(root, file), 'utf8'))) guilty.push(file)
      }
    }
    expect(guilty).toEqual([])
  })

  test.each([
    '// biome-ignore lint: x',
    '// biome-ignore-all lint/plugin: x',
    '/* biome-ignore lint/style/noRestrictedGlobals: x */',
    '// biome-ignore-start lint/style/noRestrictedImports: x',
    '// biome-ignore lint/style: x',
  ])('%s would be noticed', (comment) => {
    expect(comment).toMatch(silencer)
  })

  test('no folder brings a Biome configuration of its own', async () => {
    const found: string[] = []
    for (const folder of ['protocol', 'src', 'sim']) {
      found.push(...(await filesUnder(folder)).filter((file) => /\.?biome\.jsonc?$/.test(file)))
    }
    expect(found).toEqual([])
  })
})

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name).slice(root.length))
}
