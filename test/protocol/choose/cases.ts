/** Named cases of the chooser: what the tests talk about, and what `protocol/vectors` is made from. Plain data. */
import type {
  Candidate,
  ChooseConfig,
  ChooseInput,
  Exclusion,
  GroupId,
  LineInput,
} from '../../../protocol/index.js'
import { ana, ben, cid, dee, eve, GROUP, obi } from '../story.js'
import { candidate, choice, equals, NOW } from './candidates.js'

export interface ChooseCase {
  readonly name: string
  readonly input: ChooseInput
  readonly config?: Partial<ChooseConfig>
}

export interface ElectCase {
  readonly name: string
  readonly group: GroupId
  readonly candidates: readonly Candidate[]
}

export interface LineCase {
  readonly name: string
  readonly input: LineInput
}

const HOUR = 3_600_000
const ben0 = candidate({ device: ben })
const cid0 = candidate({ device: cid })

/** Ben's n refusals of the run, the last one so long ago. */
function refusals(count: number, agoMs: number): readonly Exclusion[] {
  return Array.from({ length: count }, (_, i) => ({ device: ben, at: NOW - agoMs - i, why: 'declined' }))
}

export const CHOOSE_CASES: readonly ChooseCase[] = [
  { name: 'no devices at all', input: choice([]) },
  { name: 'one idle device', input: choice([ben0]) },
  {
    name: 'the less loaded of two',
    input: choice([candidate({ device: ben, beacon: { active: 3 } }), cid0]),
  },
  {
    name: 'assigned but unclaimed work is load',
    input: choice([candidate({ device: ben, pending: 2 }), cid0]),
  },
  {
    name: 'a machine busy with other things is loaded',
    input: choice([candidate({ device: ben, beacon: { load: 0.8 } }), cid0]),
  },
  {
    name: 'the better connected of two',
    input: choice([candidate({ device: ben, quality: 0.4 }), cid0]),
  },
  {
    name: 'the higher ranked of two',
    input: choice([candidate({ device: ben, class: 'phone' }), candidate({ device: cid, class: 'server' })]),
  },
  {
    name: 'the one with more of the preferred capabilities',
    input: choice(
      [
        candidate({ device: ben, capabilities: ['gpu'] }),
        candidate({ device: cid, capabilities: ['disk', 'gpu'] }),
      ],
      { prefers: ['gpu', 'disk', 'camera'] },
    ),
  },
  { name: 'a tie of five equal devices', input: choice(equals(5)) },
  {
    name: 'a name in the sentence',
    input: choice([candidate({ device: ben, name: 'Ben’s laptop' }), candidate({ device: cid, quality: 0 })]),
  },
  {
    name: 'weights: an idle device with a bad link, by default',
    input: choice([
      candidate({ device: ben, quality: 0.3 }),
      candidate({ device: cid, beacon: { active: 9 } }),
    ]),
  },
  {
    name: 'weights: the same, where only the link counts',
    input: choice([
      candidate({ device: ben, quality: 0.3 }),
      candidate({ device: cid, beacon: { active: 9 } }),
    ]),
    config: { weights: { load: 0, quality: 100, rank: 0, capability: 0 } },
  },
  {
    name: 'weights: fractions of a point round to thousandths',
    input: choice([
      candidate({ device: ben, quality: 1 / 3, slots: 7, pending: 2 }),
      candidate({ device: cid, quality: 2 / 3, slots: 3, pending: 1 }),
    ]),
    config: { weights: { load: 12.3456, quality: 7.00005, rank: 0.5, capability: 0.0004 } },
  },
  {
    name: 'coordinator: asked for, though busier',
    input: choice([candidate({ device: ben, class: 'server', beacon: { active: 9 } }), cid0], {
      coordinator: true,
    }),
  },
  {
    name: 'coordinator: asked for, but draining',
    input: choice([candidate({ device: ben, class: 'server', beacon: { draining: true } }), cid0], {
      coordinator: true,
    }),
  },
  {
    name: 'coordinator: goes before the willing creator',
    input: choice(
      [candidate({ device: ana }), candidate({ device: ben, class: 'server' })],
      { coordinator: true },
      { local: { device: ana, willing: true } },
    ),
  },
  {
    name: 'local: the creator keeps it, though busier',
    input: choice(
      [candidate({ device: ana, beacon: { active: 9 } }), ben0],
      {},
      { local: { device: ana, willing: true } },
    ),
  },
  {
    name: 'local: the creator is not willing',
    input: choice(
      [candidate({ device: ana, beacon: { active: 9 } }), ben0],
      {},
      { local: { device: ana, willing: false } },
    ),
  },
  {
    name: 'local: the creator is willing and full',
    input: choice(
      [candidate({ device: ana, beacon: { active: 10 } }), ben0],
      {},
      { local: { device: ana, willing: true } },
    ),
  },
  {
    name: 'membership: a stranger, a revoked device, an observer and a member',
    input: choice([
      candidate({ device: eve, role: null }),
      candidate({ device: cid, revoked: true }),
      candidate({ device: obi, role: 'observer' }),
      candidate({ device: dee, quality: 0.1 }),
    ]),
  },
  {
    name: 'projects: another, none said, this one',
    input: choice(
      [
        candidate({ device: ben, projects: ['borealis'] }),
        candidate({ device: cid, projects: ['atlas'] }),
        candidate({ device: dee }),
      ],
      { project: 'atlas' },
    ),
  },
  {
    name: 'capabilities: one of two required',
    input: choice(
      [
        candidate({ device: ben, capabilities: ['gpu'] }),
        candidate({ device: cid, capabilities: ['disk', 'gpu'] }),
      ],
      { requires: ['gpu', 'disk'] },
    ),
  },
  {
    name: 'handlers: for another type, for none, not said, for this type',
    input: choice([
      candidate({ device: ana, handles: ['media.resize'] }),
      candidate({ device: ben, handles: [] }),
      candidate({ device: cid, quality: 0.1 }),
      candidate({ device: dee, handles: ['media.resize', 'test.job'] }),
    ]),
  },
  {
    name: 'privacy: local_only stays with its creator',
    input: choice([candidate({ device: ana, quality: 0 }), ben0], { privacy: ['local_only'] }),
  },
  {
    name: 'privacy: a label needs a clearance',
    input: choice([candidate({ device: ben, clearances: ['trusted_only'] }), cid0], {
      privacy: ['trusted_only'],
    }),
  },
  { name: 'approval: missing', input: choice([ben0, cid0], { approved: false }) },
  {
    name: 'beacons: stale, never heard, just fresh enough',
    input: choice([
      candidate({ device: ben, beacon: { ageMs: 90_001 } }),
      candidate({ device: cid, beacon: null }),
      candidate({ device: dee, beacon: { ageMs: 90_000 } }),
    ]),
  },
  {
    name: 'draining: no new work',
    input: choice([candidate({ device: ben, beacon: { draining: true } })]),
  },
  {
    name: 'slots: full with what it was given and has not claimed',
    input: choice([candidate({ device: ben, slots: 3, pending: 1, beacon: { active: 2 } })]),
  },
  {
    name: 'slots: reserved ones are not for a run of normal priority',
    input: choice([candidate({ device: ben, slots: 3, reserved: 2, pending: 1 })]),
  },
  {
    name: 'slots: reserved ones are for a run of high priority',
    input: choice([candidate({ device: ben, slots: 3, reserved: 2, pending: 1 })], { priority: 10 }),
  },
  {
    name: 'slots: the priority for reserved ones is a setting',
    input: choice([candidate({ device: ben, slots: 3, reserved: 2, pending: 1 })], { priority: 1 }),
    config: { reservedFromPriority: 1 },
  },
  { name: 'circuit: open', input: choice([candidate({ device: ben, circuitOpen: true }), cid0]) },
  {
    name: 'battery: low, enough, unknown, low on mains',
    input: choice(
      [
        candidate({ device: ana, beacon: { onMains: false, battery: 0.49 } }),
        candidate({ device: ben, beacon: { onMains: false, battery: 0.5 } }),
        candidate({ device: cid, beacon: { onMains: false, battery: null } }),
        candidate({ device: dee, beacon: { onMains: true, battery: 0.01 } }),
      ],
      { minBattery: 0.5 },
    ),
  },
  {
    name: 'exclusion: declined a moment ago',
    input: choice([ben0, candidate({ device: cid, quality: 0 })], { exclusions: refusals(1, 1000) }),
  },
  {
    name: 'exclusion: decayed',
    input: choice([ben0], { exclusions: refusals(1, 300_000) }),
  },
  {
    name: 'exclusion: the third lasts three times as long',
    input: choice([ben0], { exclusions: refusals(3, 899_999) }),
  },
  {
    name: 'exclusion: none lasts longer than eight times',
    input: choice([ben0], { exclusions: refusals(20, 2_400_000) }),
  },
  {
    name: 'exclusion: cleared by a change of membership',
    input: choice([ben0], { exclusions: refusals(2, 1000) }, { membershipChangedAt: NOW - 500 }),
  },
  {
    name: 'everything is wrong with one device',
    input: choice(
      [
        candidate({
          device: ben,
          role: 'observer',
          revoked: true,
          projects: [],
          handles: [],
          circuitOpen: true,
          slots: 0,
          beacon: { ageMs: HOUR, draining: true, onMains: false, battery: 0 },
        }),
      ],
      {
        project: 'atlas',
        requires: ['gpu'],
        privacy: ['local_only'],
        approved: false,
        minBattery: 0.2,
        exclusions: refusals(1, 1000),
      },
    ),
  },
]

export const ELECT_CASES: readonly ElectCase[] = [
  {
    name: 'class comes first',
    group: GROUP,
    candidates: [
      candidate({ device: ana, class: 'browser', beacon: { uptimeMs: 99 * HOUR } }),
      candidate({ device: ben, class: 'phone' }),
      candidate({ device: cid, class: 'desktop', beacon: { onMains: false, uptimeMs: 0, stability: 0 } }),
      candidate({ device: dee, class: 'server', beacon: { onMains: false, uptimeMs: 0, stability: 0 } }),
    ],
  },
  {
    name: 'of one class, mains goes before battery',
    group: GROUP,
    candidates: [
      candidate({ device: ben, beacon: { onMains: false, battery: 1, uptimeMs: 99 * HOUR } }),
      candidate({ device: cid, beacon: { onMains: true, uptimeMs: 0, stability: 0 } }),
    ],
  },
  {
    name: 'then the longer uptime, in hours, up to a day',
    group: GROUP,
    candidates: [
      candidate({ device: ana, beacon: { uptimeMs: 3 * HOUR - 1, stability: 0.9 } }),
      candidate({ device: ben, beacon: { uptimeMs: 3 * HOUR, stability: 0.2 } }),
      candidate({ device: cid, beacon: { uptimeMs: 24 * HOUR, stability: 0.5 } }),
      candidate({ device: dee, beacon: { uptimeMs: 999 * HOUR, stability: 0.4 } }),
    ],
  },
  {
    name: 'then stability, in tenths',
    group: GROUP,
    candidates: [
      candidate({ device: ben, beacon: { stability: 0.79 } }),
      candidate({ device: cid, beacon: { stability: 0.8 } }),
      candidate({ device: dee, beacon: { stability: 0.89 } }),
    ],
  },
  { name: 'equal devices go by their hash with the group', group: GROUP, candidates: equals(5) },
  {
    name: 'only live members and admins stand for election',
    group: GROUP,
    candidates: [
      candidate({ device: ana, role: 'admin', class: 'phone' }),
      candidate({ device: ben, class: 'server', beacon: { ageMs: 90_001 } }),
      candidate({ device: cid, class: 'server', revoked: true }),
      candidate({ device: dee, class: 'server', beacon: null }),
      candidate({ device: eve, class: 'server', role: null }),
      candidate({ device: obi, class: 'server', role: 'observer' }),
    ],
  },
]

const four: readonly Candidate[] = [
  candidate({ device: ana, class: 'server' }),
  candidate({ device: ben, class: 'desktop' }),
  candidate({ device: cid, class: 'laptop' }),
  candidate({ device: dee, class: 'phone' }),
]
const withoutCid: readonly Candidate[] = four.filter(({ device }) => device !== cid)

export const LINE_CASES: readonly LineCase[] = [
  {
    name: 'a live assigner goes first, whatever its rank',
    input: { group: GROUP, candidates: four, assigner: cid },
  },
  {
    name: 'an assigner not heard of lately is not in line',
    input: {
      group: GROUP,
      candidates: [...withoutCid, candidate({ device: cid, class: 'laptop', beacon: { ageMs: 90_001 } })],
      assigner: cid,
    },
  },
  {
    name: 'an assigner that nobody knows is not in line',
    input: { group: GROUP, candidates: four, assigner: eve },
  },
  {
    name: 'the silent owner is excepted',
    input: { group: GROUP, candidates: four, assigner: cid, except: [ana] },
  },
  {
    name: 'an owner that assigned to itself is excepted all the same',
    input: { group: GROUP, candidates: four, assigner: cid, except: [cid] },
  },
  {
    name: 'an assigner that was revoked is not in line',
    input: {
      group: GROUP,
      candidates: [...withoutCid, candidate({ device: cid, revoked: true })],
      assigner: cid,
    },
  },
  { name: 'nobody is there', input: { group: GROUP, candidates: [], assigner: ana } },
]
