/** How groups grow: what runs cost, and how fast the simulator is, from 3 to 1,000 devices, each with a replica of its own. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { progress, rowOf, type Suite, type Table } from '../measure.js'
import type { TownFigures, TownTask } from './town.js'

/** Megabytes of heap that a simulation may take. */
const HEAP_MB = 7_500

/** Runs of each group that grows. */
const RUNS = 200

/** Devices of those groups. */
const SIZES = [3, 10, 30, 100, 300, 1_000]

/** What one process has to be able to play. */
const LARGE: readonly TownTask[] = [
  { devices: 100, runs: 5_000 },
  { devices: 1_000, runs: 500 },
]

type Played = readonly (readonly [TownTask, TownFigures])[]

interface Column {
  readonly title: string
  readonly unit: string
  readonly note: string
  readonly of: (figures: TownFigures, task: TownTask) => number
}

const COSTS: readonly Column[] = [
  {
    title: 'Messages that devices publish for a run’s whole life',
    unit: 'publishes/run',
    note: `${RUNS} runs of 5 s, made over 4 minutes by all devices in turn; every other run needs what only a third of the devices have. Each run’s result included.`,
    of: ({ published }, { runs }) => published / runs,
  },
  {
    title: 'Messages of a run that each device gets',
    unit: 'messages/run/device',
    note: 'Over all wires, hop by hop, those that come a second time included. Flat means: what a run costs a device does not grow with the group.',
    of: ({ batches }, { runs, devices }) => batches / runs / devices,
  },
  {
    title: 'Bytes of a run that each device gets',
    unit: 'bytes/run/device',
    note: 'Gossip and syncs, without beacons.',
    of: ({ bytes }, { runs, devices }) => (bytes.batches + bytes.frames) / runs / devices,
  },
  {
    title: 'Beacons that each device gets',
    unit: 'beacons/min/device',
    note: 'A beacon of each device every 30 s, and copies by other ways: this does grow with the group.',
    of: ({ beacons, simulatedMs }, { devices }) => (beacons * 60_000) / simulatedMs / devices,
  },
  {
    title: 'Delay from a submit to the result',
    unit: 'ms, median',
    note: 'The work itself takes 5,000 ms of it.',
    of: ({ delayMs }) => delayMs.p50,
  },
  {
    title: 'Delay from a submit to the result, the slowest of a hundred',
    unit: 'ms, p99',
    note: 'The work itself takes 5,000 ms of it.',
    of: ({ delayMs }) => delayMs.p99,
  },
  {
    title: 'Speed of the simulator',
    unit: 'simulated s/s',
    note: 'Start and all checks at the end included.',
    of: ({ simulatedMs, tookMs }) => simulatedMs / tookMs,
  },
]

const SCALE: readonly Column[] = [
  {
    title: 'Large groups in one process: time',
    unit: 'min',
    note: 'To the end of the last run and of all checks. The aim is 15 minutes.',
    of: ({ tookMs }) => tookMs / 60_000,
  },
  {
    title: 'Large groups in one process: memory',
    unit: 'GB, peak',
    note: 'Each device holds its own whole replica. The aim is 8 GB.',
    of: ({ peakBytes }) => peakBytes / 1e9,
  },
]

/** Groups are played in processes of their own, one after the other. */
export async function simulatorSuite(): Promise<Suite> {
  const grown = await playAll(SIZES.map((devices) => ({ devices, runs: RUNS })))
  const large = await playAll(LARGE)
  return {
    name: 'simulator',
    tables: [
      ...COSTS.map((column) => tableOf(column, grown)),
      ...SCALE.map((column) => tableOf(column, large)),
    ],
  }
}

const run = promisify(execFile)

async function playAll(tasks: readonly TownTask[]): Promise<Played> {
  const played: (readonly [TownTask, TownFigures])[] = []
  for (const task of tasks) {
    progress(nameOf(task))
    const file = fileURLToPath(new URL('town.ts', import.meta.url))
    const flags = [`--max-old-space-size=${HEAP_MB}`, '--max-semi-space-size=64', '--import', 'tsx']
    const { stdout } = await run(process.execPath, [...flags, file, JSON.stringify(task)])
    const figures = JSON.parse(stdout) as TownFigures
    if (figures.violations > 0 || figures.completed !== task.runs)
      throw new Error(
        `${nameOf(task)}: ${figures.violations} violations, and ${figures.completed} runs were completed.`,
      )
    played.push([task, figures])
  }
  return played
}

function tableOf({ title, unit, note, of }: Column, played: Played): Table {
  const rows = played.map(([task, figures]) => rowOf(nameOf(task), [of(figures, task)]))
  return { title, unit, note, repeats: 1, rows }
}

function nameOf({ devices, runs }: TownTask): string {
  return `${devices.toLocaleString('en-US')} devices, ${runs.toLocaleString('en-US')} runs`
}
