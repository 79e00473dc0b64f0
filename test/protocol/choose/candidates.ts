/** Devices and runs for the chooser: each builder makes one that can take, or be taken, and changes what it is told. */
import fc from 'fast-check'
import {
  type BeaconFacts,
  type Candidate,
  type ChooseInput,
  DEVICE_CLASSES,
  type DeviceId,
  type Exclusion,
  type RunId,
  type RunNeeds,
  recordId,
  stampOf,
} from '../../../protocol/index.js'
import { ana, device, FOUNDED, GROUP, START } from '../story.js'

/** The present, for every choice of these tests. */
export const NOW: number = START + 3_600_000

/** The id of the n-th run that ana created. */
export function runId(n: number): RunId {
  return recordId({ device: ana, incarnation: FOUNDED }, stampOf(START + n))
}

const BEACON: BeaconFacts = {
  ageMs: 5000,
  active: 0,
  load: 0,
  draining: false,
  onMains: true,
  battery: null,
  uptimeMs: 7_200_000,
  stability: 1,
}

type Overrides = Pick<Candidate, 'device'> &
  Partial<Omit<Candidate, 'beacon'>> & { readonly beacon?: Partial<BeaconFacts> | null }

/** An idle laptop of a member, well connected. */
export function candidate({ beacon = {}, ...overrides }: Overrides): Candidate {
  return {
    role: 'member',
    revoked: false,
    clearances: [],
    class: 'laptop',
    capabilities: [],
    slots: 10,
    reserved: 0,
    pending: 0,
    quality: 1,
    circuitOpen: false,
    ...overrides,
    beacon: beacon === null ? null : { ...BEACON, ...beacon },
  }
}

/** A run of ana's that any device may do. */
export function needs(overrides: Partial<RunNeeds> = {}): RunNeeds {
  return {
    run: runId(1),
    type: 'test.job',
    priority: 0,
    requires: [],
    prefers: [],
    privacy: [],
    creator: ana,
    approved: true,
    coordinator: false,
    minBattery: 0,
    exclusions: [],
    ...overrides,
  }
}

export function choice(
  candidates: readonly Candidate[],
  run: Partial<RunNeeds> = {},
  rest: Partial<ChooseInput> = {},
): ChooseInput {
  return { group: GROUP, run: needs(run), candidates, nowMs: NOW, ...rest }
}

/** Devices that differ in nothing but their keys. */
export function equals(count: number): readonly Candidate[] {
  return Array.from({ length: count }, (_, i) => candidate({ device: device(`equal ${i}`) }))
}

const NAMES = ['gpu', 'camera', 'disk'] as const
const POOL: readonly DeviceId[] = Array.from({ length: 9 }, (_, i) => device(`pool ${i}`))

/** Thousandths, so that scores with whole weights come out exact. */
export const anyShare: fc.Arbitrary<number> = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000)

const anyNames = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: NAMES.length })
const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const anyBeacon: fc.Arbitrary<BeaconFacts> = fc.record({
  ageMs: mostly(5000, 90_000, 90_001),
  active: fc.integer({ min: 0, max: 4 }),
  load: anyShare,
  draining: mostly(false, true),
  onMains: fc.boolean(),
  battery: fc.option(anyShare),
  uptimeMs: fc.integer({ min: 0, max: 3 }).map((hours) => hours * 3_600_000),
  stability: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
})

export function anyCandidate(id: DeviceId): fc.Arbitrary<Candidate> {
  return fc
    .record({
      role: mostly<Candidate['role']>('member', 'admin', 'observer', null),
      revoked: mostly(false, true),
      clearances: fc.constantFrom([], ['trusted_only']),
      class: fc.constantFrom(...DEVICE_CLASSES.slice(0, 3)),
      capabilities: anyNames,
      projects: mostly<readonly string[] | null>(null, ['atlas'], ['borealis']),
      slots: fc.integer({ min: 3, max: 10 }),
      reserved: fc.integer({ min: 0, max: 1 }),
      beacon: fc.option(anyBeacon, { freq: 12 }),
      pending: fc.integer({ min: 0, max: 2 }),
      quality: anyShare,
      circuitOpen: mostly(false, true),
    })
    .map(({ projects, ...rest }) => ({ device: id, ...rest, ...(projects === null ? {} : { projects }) }))
}

/** Up to nine devices of all sorts. */
export const anyCandidates: fc.Arbitrary<readonly Candidate[]> = fc
  .subarray([...POOL])
  .chain((ids) => fc.tuple(...ids.map(anyCandidate)))

const anyExclusion: fc.Arbitrary<Exclusion> = fc.record({
  device: fc.constantFrom(...POOL.slice(0, 3)),
  at: fc.constantFrom(NOW - 1_200_000, NOW - 400_000, NOW - 1000, NOW),
  why: fc.constantFrom('declined', 'failed'),
})

/** Any choice among any devices; about half of them find one. */
export const anyInput: fc.Arbitrary<ChooseInput> = fc
  .record({
    candidates: anyCandidates,
    run: fc.record({
      run: fc.integer({ min: 1, max: 99 }).map(runId),
      priority: fc.constantFrom(-10, 0, 10),
      requires: mostly<readonly string[]>([], ['gpu'], ['gpu', 'disk']),
      prefers: anyNames,
      privacy: mostly<readonly string[]>([], ['trusted_only'], ['local_only']),
      creator: fc.constantFrom(...POOL.slice(0, 2)),
      approved: mostly(true, false),
      coordinator: mostly(false, true),
      minBattery: mostly(0, 0.5),
      exclusions: fc.array(anyExclusion, { maxLength: 4 }),
    }),
    project: mostly<string | null>(null, 'atlas'),
    willing: fc.constantFrom(null, true, false),
    membershipChangedAt: mostly(0, NOW - 1000),
  })
  .map(({ candidates, run, project, willing, membershipChangedAt }) =>
    choice(
      candidates,
      { ...run, ...(project === null ? {} : { project }) },
      { membershipChangedAt, ...(willing === null ? {} : { local: { device: run.creator, willing } }) },
    ),
  )
