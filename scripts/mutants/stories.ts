/** Short stories in which a certain sort of bug must show. Their seed changes the weather, and when things happen. */
import type { Attack } from '../../sim/byzantine/index.js'
import type { Action, DeviceSpec, Script, Step } from '../../sim/script/types.js'
import { DEVICE_SPEC } from '../../sim/simulation.js'
import { seededRandom } from '../../src/testing/seeded.js'

const SECOND_MS = 1000
const HEARTBEAT = { intervalMs: 5 * SECOND_MS, timeoutMs: 15 * SECOND_MS }

/** What the network is like, by seed: on a line, near, far. */
const NETWORKS = [
  { latencyMs: 2, jitterMs: 1 },
  { latencyMs: 20, jitterMs: 10 },
  { latencyMs: 150, jitterMs: 40 },
] as const

type Moments = readonly (readonly [seconds: number, action: Action])[]

/** Up to two seconds sooner or later, by seed. */
const SPREAD_MS = 2 * SECOND_MS

function story(title: string, devices: readonly Partial<DeviceSpec>[], moments: Moments) {
  return (seed: number): Script => {
    const random = seededRandom(seed * 101 + 5)
    const at = (seconds: number): number => Math.round(seconds * SECOND_MS + random.number() * SPREAD_MS)
    const steps = moments.map(([seconds, action]): Step => ({ ...action, at: at(seconds) }))
    const lastMs = Math.max(...steps.map((step) => Number(step.at)))
    return {
      title: `${title}, seed ${seed}`,
      seed,
      devices: devices.map((spec) => ({ ...DEVICE_SPEC, ...spec })),
      network: random.pick(NETWORKS),
      signatures: 'virtual',
      heartbeat: HEARTBEAT,
      abortGraceMs: 10 * SECOND_MS,
      steps: steps.sort((a, b) => Number(a.at) - Number(b.at)),
      lasts: lastMs + 60 * SECOND_MS,
    }
  }
}

interface WorkOptions {
  /** Attempts at each that fail. */
  readonly fails?: number
  readonly requires?: readonly string[]
}

/** So many runs, each of so many seconds, that a device makes. */
function work(
  device: number,
  run: string,
  count: number,
  seconds: number,
  options: WorkOptions = {},
): Action {
  const { fails = 0, requires } = options
  const job = { ms: seconds * SECOND_MS, fails, hangs: false }
  const settings = { timeoutMs: 500 * SECOND_MS, requires }
  return { do: 'submit', device, run, type: 'render', count, job, options: settings }
}

const THREE = [{}, {}, {}] as const
const FOUR = [{}, {}, {}, {}] as const

function siege(...kinds: readonly Attack[]): Moments {
  return kinds.map((kind, i) => [20 + i * 10, { do: 'attack', device: 3, kind }] as const)
}

export const STORIES = {
  /** Runs are cancelled on one side of a split, and end on the other. */
  'called-off': story('Runs are called off behind a wall', THREE, [
    [5, work(1, 'good', 1, 40)],
    [6, work(1, 'bad', 1, 30, { fails: 9 })],
    [
      12,
      {
        do: 'partition',
        sides: [[0], [1, 2]],
      },
    ],
    [20, { do: 'cancel', device: 0, run: 'good' }],
    [21, { do: 'cancel', device: 0, run: 'bad' }],
    [70, { do: 'heal' }],
  ]),
  /** Both sides of a split do the same runs to the end. */
  'both-end': story('A run is done on both sides of a wall', THREE, [
    [5, work(1, 'twice', 3, 45)],
    [
      12,
      {
        do: 'partition',
        sides: [[0, 2], [1]],
      },
    ],
    [110, { do: 'heal' }],
  ]),
  /** An owner dies, and both sides of a split give its runs to one of theirs; they meet while both are at it. */
  'two-heirs': story(
    'Runs of a dead owner are taken over on both sides of a wall',
    [...FOUR, {}],
    [
      [5, work(4, 'long', 3, 200)],
      [12, { do: 'crash', device: 4 }],
      [
        13,
        {
          do: 'partition',
          sides: [
            [0, 1],
            [2, 3],
          ],
        },
      ],
      [75, { do: 'heal' }],
    ],
  ),
  /** Everyone works; then the network is cut in two, so that the revoked one is with somebody who does not know. */
  'put-out': story('One is put out behind a wall', FOUR, [
    [
      10,
      {
        do: 'partition',
        sides: [
          [0, 1],
          [2, 3],
        ],
      },
    ],
    [30, { do: 'revoke', device: 3 }],
    [40, work(3, 'late', 4, 10)],
    [45, work(2, 'other', 8, 70)],
    [90, { do: 'heal' }],
  ]),
  /** A member turns evil while others work. */
  forger: story('One writes in the names of others', FOUR, [
    [5, work(1, 'long', 4, 40)],
    [8, work(2, 'more', 4, 40)],
    ...siege('forge', 'forge', 'replay', 'forge'),
    [85, work(1, 'after', 3, 5)],
  ]),
  breaker: story('One signs what does not follow', FOUR, [
    [5, work(1, 'long', 4, 40)],
    ...siege('gap', 'gap'),
    [60, work(1, 'after', 3, 5)],
  ]),
  liar: story('One says what only others may say', FOUR, [
    [5, work(1, 'long', 4, 60)],
    [8, work(2, 'more', 4, 60)],
    ...siege('complete-all', 'steal-held', 'complete-all', 'rewrite'),
  ]),
  eraser: story('One deletes what others wrote', FOUR, [
    [5, work(1, 'long', 4, 60)],
    [8, work(2, 'more', 4, 60)],
    [15, { do: 'partition', sides: [[0], [1, 2, 3]] }],
    [18, work(1, 'unseen', 3, 5)],
    ...siege('delete-others', 'mute-others', 'delete-others'),
    [60, { do: 'heal' }],
    [75, work(1, 'after', 3, 5)],
  ]),
  /** The owners fall silent for good: several could take over, one shall. */
  deaths: story(
    'Owners die',
    [...FOUR, {}, {}],
    [
      [5, work(1, 'a', 4, 200)],
      [6, work(2, 'b', 4, 200)],
      [30, { do: 'crash', device: 1 }],
      [70, { do: 'crash', device: 2 }],
    ],
  ),
  /** What was lost last is followed by nothing that would show the gap. */
  lossy: story(
    'Every other message is lost',
    [{}, {}],
    [
      [4, { do: 'network', loss: 0.5 }],
      ...[10, 16, 22, 28, 34].map((at) => [at, work(at % 4 === 0 ? 0 : 1, `run-${at}`, 1, 2)] as const),
    ],
  ),
  /** Nobody can do what a device asks for; it starts again; then somebody comes who can. */
  orphans: story(
    'Runs wait while their maker starts again',
    [{ capabilities: ['gpu'] }, {}],
    [
      [5, { do: 'crash', device: 0 }],
      [35, work(1, 'waits', 3, 5, { requires: ['gpu'] })],
      [45, { do: 'crash', device: 1 }],
      [50, { do: 'restart', device: 1 }],
      [90, { do: 'restart', device: 0 }],
    ],
  ),
  /** Attempts fail, and the next cannot be written for a while. */
  'full-disk': story('A disk is full while runs are to be tried again', THREE, [
    [5, work(1, 'bad', 4, 3, { fails: 3 })],
    [7, work(1, 'worse', 4, 2, { fails: 3 })],
    [10, { do: 'disk', device: 1, full: true }],
    [40, { do: 'disk', device: 1, full: false }],
  ]),
  /** The lid is shut for longer than the timeout, and opened while others do what was going on. */
  nap: story(
    'A laptop sleeps over its work',
    [{}, { profile: 'laptop' }, {}],
    [
      [5, work(1, 'long', 3, 150)],
      [20, { do: 'sleep', device: 1, for: 50 * SECOND_MS }],
      [100, { do: 'sleep', device: 1, for: 30 * SECOND_MS }],
    ],
  ),
  /** A device comes back to a group in which others hold runs. */
  newcomers: story('Devices start again and again', THREE, [
    [5, work(0, 'a', 4, 120)],
    [6, work(2, 'b', 4, 120)],
    [20, { do: 'crash', device: 1 }],
    [24, { do: 'restart', device: 1 }],
    [40, { do: 'crash', device: 1 }],
    [44, { do: 'restart', device: 1 }],
    [60, { do: 'crash', device: 1 }],
    [64, { do: 'restart', device: 1 }],
  ]),
} as const satisfies Readonly<Record<string, (seed: number) => Script>>

export type StoryName = keyof typeof STORIES
