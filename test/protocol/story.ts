/** Tells a story about a few devices: who writes what, when. Time is virtual, keys are made from names. */
import {
  type DeviceId,
  type DeviceRecord,
  type Draft,
  deviceOfKey,
  foldGroup,
  foldRun,
  type GroupId,
  type GroupView,
  groupId,
  isDeviceRecord,
  isHashedId,
  isId,
  isRunRecord,
  type Kind,
  type RecordId,
  RecordNamer,
  type RecordOf,
  type Role,
  type RunRecord,
  type RunView,
  type Stamp,
  stampOf,
  stampOfId,
  tick,
  writeRecord,
} from '../../protocol/index.js'

/** 2026-01-01T00:00:00Z. */
export const START = 1_767_225_600_000

/** The device of a name: a public key filled with its letters. */
export function device(name: string): DeviceId {
  const key = new Uint8Array(32)
  for (let i = 0; i < key.length; i++) key[i] = name.charCodeAt(i % name.length)
  return deviceOfKey(key)
}

export const ana: DeviceId = device('ana')
export const ben: DeviceId = device('ben')
export const cid: DeviceId = device('cid')
export const dee: DeviceId = device('dee')
/** A stranger. */
export const eve: DeviceId = device('eve')
/** An observer. */
export const obi: DeviceId = device('obi')

export const FOUNDED: Stamp = stampOf(START)
export const GROUP: GroupId = groupId(ana, FOUNDED)

type Extra<K extends Kind> = Partial<Draft<K>>

export class Story {
  /** Everything written, in the order of writing. */
  readonly records: (RunRecord | DeviceRecord)[] = []
  nowMs: number = START
  readonly #namers = new Map<DeviceId, RecordNamer>()
  readonly #clocks = new Map<DeviceId, Stamp>()

  /** Ana founds the group and admits ben, cid and dee as members and obi as an observer. */
  constructor() {
    this.admitted(ana, ana, 'admin')
    for (const member of [ben, cid, dee]) this.admitted(ana, member, 'member')
    this.admitted(ana, obi, 'observer')
    this.wait(1000)
  }

  wait(ms: number): this {
    this.nowMs += ms
    return this
  }

  /** A new process of the device: what it writes from now on is of a new incarnation. */
  restart(who: DeviceId): void {
    this.#namers.set(who, new RecordNamer({ device: who, incarnation: this.#tick(who) }))
  }

  /** Writes at the present time, or at an earlier or later one. */
  write<K extends Kind>(who: DeviceId, draft: Draft<K>, atMs?: number): RecordOf<K> {
    this.#receive(who, draft)
    const stamp = atMs === undefined ? this.#tick(who) : stampOf(atMs)
    const record = writeRecord(draft, stamp, this.namer(who), GROUP)
    this.records.push(record as unknown as RunRecord | DeviceRecord)
    return record
  }

  namer(who: DeviceId): RecordNamer {
    const namer = this.#namers.get(who) ?? new RecordNamer({ device: who, incarnation: FOUNDED })
    this.#namers.set(who, namer)
    return namer
  }

  /** Whoever cites a record has seen it. */
  #receive(who: DeviceId, draft: object): void {
    for (const cited of Object.values(draft).flat()) {
      if (isId(cited) && !isHashedId(cited))
        this.#clocks.set(who, Math.max(this.#clocks.get(who) ?? 0, stampOfId(cited)))
    }
  }

  #tick(who: DeviceId): Stamp {
    const stamp = tick(this.#clocks.get(who) ?? 0, this.nowMs)
    this.#clocks.set(who, stamp)
    return stamp
  }

  admitted(by: DeviceId, who: DeviceId, role: Role, clearances?: readonly string[]): RecordOf<'admitted'> {
    return this.write(by, { kind: 'admitted', device: who, role, ...(clearances && { clearances }) })
  }

  revoked(by: DeviceId, who: DeviceId, keeps?: readonly RecordId[]): RecordOf<'revoked'> {
    return this.write(by, { kind: 'revoked', device: who, ...(keeps && { keeps }) })
  }

  created(by: DeviceId, extra: Extra<'created'> = {}): RecordOf<'created'> {
    return this.write(by, { kind: 'created', type: 'test.job', ...extra })
  }

  /** The first assignment of a run. */
  assigned(
    by: DeviceId,
    target: DeviceId,
    run: RecordOf<'created'>,
    extra: Extra<'assigned'> = {},
  ): RecordOf<'assigned'> {
    const basis = run.key === undefined ? {} : { created: run.id }
    return this.write(by, { kind: 'assigned', run: run.run, target, reason: 'created', ...basis, ...extra })
  }

  /** A further assignment, made because of what became of the one before. */
  reassigned(
    by: DeviceId,
    target: DeviceId,
    parent: RecordOf<'assigned'>,
    reason: RecordOf<'assigned'>['reason'],
    atMs?: number,
  ): RecordOf<'assigned'> {
    // Whoever gives the target's own word as the reason has seen it.
    for (const { stamp } of this.records) this.#clocks.set(by, Math.max(this.#clocks.get(by) ?? 0, stamp))
    return this.write(by, { kind: 'assigned', run: parent.run, target, reason, parent: parent.id }, atMs)
  }

  claimed(by: DeviceId, { run, id }: RecordOf<'assigned'>): RecordOf<'claimed'> {
    return this.write(by, { kind: 'claimed', run, assignment: id })
  }

  started(by: DeviceId, { run, id }: RecordOf<'assigned'>): RecordOf<'started'> {
    return this.write(by, { kind: 'started', run, assignment: id })
  }

  progressed(
    by: DeviceId,
    { run, id }: RecordOf<'assigned'>,
    data: Draft<'progressed'>['data'],
  ): RecordOf<'progressed'> {
    return this.write(by, { kind: 'progressed', run, assignment: id, ...(data !== undefined && { data }) })
  }

  declined(by: DeviceId, { run, id }: RecordOf<'assigned'>, reason = 'busy'): RecordOf<'declined'> {
    return this.write(by, { kind: 'declined', run, assignment: id, reason })
  }

  released(
    by: DeviceId,
    { run, id }: RecordOf<'assigned'>,
    reason: RecordOf<'released'>['reason'] = 'drain',
  ): RecordOf<'released'> {
    return this.write(by, { kind: 'released', run, assignment: id, reason })
  }

  held(
    by: DeviceId,
    { run, id }: RecordOf<'assigned'>,
    voids: readonly RecordOf<'assigned'>[] = [],
    gapMs = 30_000,
  ): RecordOf<'held'> {
    return this.write(by, { kind: 'held', run, assignment: id, gapMs, voids: voids.map((child) => child.id) })
  }

  completed(
    by: DeviceId,
    { run, id }: RecordOf<'assigned'>,
    output: Draft<'completed'>['output'] = null,
  ): RecordOf<'completed'> {
    return this.write(by, { kind: 'completed', run, assignment: id, output })
  }

  failed(by: DeviceId, { run, id }: RecordOf<'assigned'>, extra: Extra<'failed'> = {}): RecordOf<'failed'> {
    const error = { code: 'BROKEN', message: 'It broke.' }
    return this.write(by, { kind: 'failed', run, assignment: id, error, ...extra })
  }

  /** Assigned, claimed and started by one device. */
  taken(by: DeviceId, run: RecordOf<'created'>, extra: Extra<'assigned'> = {}): RecordOf<'assigned'> {
    const assignment = this.assigned(by, by, run, extra)
    this.claimed(by, assignment)
    this.started(by, assignment)
    return assignment
  }

  get runRecords(): RunRecord[] {
    return this.records.filter(isRunRecord)
  }

  get deviceRecords(): DeviceRecord[] {
    return this.records.filter(isDeviceRecord)
  }

  get group(): GroupView {
    return foldGroup(GROUP, this.deviceRecords)
  }

  /** The view of the story's only run. */
  get view(): RunView {
    const view = foldRun(this.runRecords, this.group)
    if (view === null) throw new Error('The story has no run.')
    return view
  }
}
