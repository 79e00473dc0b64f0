/**
 * Two devices, one run, a cut network: who has dibs?
 *
 * `npm run example split-brain` plays it with the protocol alone: no node, no network, no disk. Ana gives a run to Ben.
 * The link breaks; Ana thinks Ben is gone and gives it to Cid. Then the link is back.
 */
import {
  type Candidate,
  choose,
  type DeviceId,
  type Draft,
  deviceOfKey,
  foldGroup,
  groupId,
  isDeviceRecord,
  isRunRecord,
  type Kind,
  needsOf,
  RecordNamer,
  type RecordOf,
  type RunRecord,
  RunTable,
  type RunView,
  stampOf,
  tick,
  writeRecord,
} from '../protocol/index.js'

const [ana, ben, cid] = [1, 2, 3].map((n) => deviceOfKey(new Uint8Array(32).fill(n))) as [
  DeviceId,
  DeviceId,
  DeviceId,
]
const names = new Map([
  [ana, 'Ana'],
  [ben, 'Ben'],
  [cid, 'Cid'],
])

// Time and chance come from outside: here from a variable.
let nowMs = Date.UTC(2026, 0, 1)
const founded = stampOf(nowMs)
const group = groupId(ana, founded)
const clocks = new Map<DeviceId, number>()
const namers = new Map(
  [ana, ben, cid].map((device) => [device, new RecordNamer({ device, incarnation: founded })]),
)

function write<K extends Kind>(who: DeviceId, draft: Draft<K>): RecordOf<K> {
  const stamp = tick(clocks.get(who) ?? founded - 1, nowMs)
  clocks.set(who, stamp)
  return writeRecord(draft, stamp, namers.get(who) as RecordNamer, group)
}

const admissions = [
  write(ana, { kind: 'admitted', device: ana, role: 'admin' }),
  write(ana, { kind: 'admitted', device: ben, role: 'member' }),
  write(ana, { kind: 'admitted', device: cid, role: 'member' }),
].filter(isDeviceRecord)
const members = foldGroup(group, admissions)

// Each device has its own table of what it knows.
const tables = new Map([ana, ben, cid].map((device) => [device, new RunTable(members)]))

function tell(record: RunRecord, ...who: readonly DeviceId[]): void {
  for (const device of who) tables.get(device)?.add(record)
}

function show(title: string): void {
  console.log(`\n${title}`)
  for (const [device, table] of tables) {
    const [view] = table.views()
    console.log(`  ${names.get(device)} sees  ${view === undefined ? 'nothing' : sentence(view)}`)
  }
}

function sentence({ state, owner, fence, contested, previousAssignments }: RunView): string {
  const by = owner === null ? '' : ` by ${names.get(owner)}, fence ${fence}${contested ? ', contested' : ''}`
  const before = previousAssignments.map(({ device, reason }) => `${names.get(device)} ${reason}`).join(', ')
  return `${state}${by}${before === '' ? '' : `   (before: ${before})`}`
}

nowMs += 1000
const run = write(ana, {
  kind: 'created',
  type: 'media.thumbnail',
  input: { file: 'photo-17.jpg' },
  requires: ['sharp'],
})
tell(run, ana, ben, cid)

const candidates = [ben, cid].map((device, i) => candidate(device, i))
const view = tables.get(ana)?.view(run.run) as RunView
const decision = choose({ group, run: needsOf(view, nowMs), candidates, nowMs })
console.log('Whom should Ana ask?')
console.log(`  ${decision.sentence}`)

nowMs += 20
const toBen = write(ana, { kind: 'assigned', run: run.run, target: ben, reason: 'created' })
nowMs += 20
const claimed = write(ben, { kind: 'claimed', run: run.run, assignment: toBen.id })
const started = write(ben, { kind: 'started', run: run.run, assignment: toBen.id })
for (const record of [toBen, claimed, started].filter(isRunRecord)) tell(record, ana, ben, cid)
show('Ana gave it to Ben, and Ben began.')

nowMs += 90_000
const toCid = write(ana, { kind: 'assigned', run: run.run, target: cid, reason: 'timeout', parent: toBen.id })
nowMs += 20
const taken = write(cid, { kind: 'claimed', run: run.run, assignment: toCid.id })
for (const record of [toCid, taken].filter(isRunRecord)) tell(record, ana, cid)
show('The link to Ben is cut. After 90 s of silence Ana gave it to Cid.')

tell(toCid, ben)
tell(taken, ben)
show('The link is back. All know the same, but Ben has been at it all the time.')

nowMs += 20
const held = write(ben, {
  kind: 'held',
  run: run.run,
  assignment: toBen.id,
  gapMs: 30_000,
  voids: [toCid.id],
})
tell(held, ana, ben, cid)
show('Ben had it first and never let go: he holds it. Cid stops.')

nowMs += 5000
const completed = write(ben, {
  kind: 'completed',
  run: run.run,
  assignment: toBen.id,
  output: { url: '/thumbs/17' },
})
tell(completed, ana, ben, cid)
show('Ben is done.')

function candidate(device: DeviceId, active: number): Candidate {
  const beacon = {
    ageMs: 1000,
    active,
    load: 0,
    draining: false,
    onMains: true,
    battery: null,
    uptimeMs: 0,
    stability: 1,
  }
  return {
    device,
    name: names.get(device) ?? device,
    role: 'member',
    revoked: false,
    clearances: [],
    class: 'laptop',
    capabilities: ['sharp'],
    slots: 4,
    reserved: 0,
    beacon,
    pending: 0,
    quality: 0.9,
    circuitOpen: false,
  }
}
