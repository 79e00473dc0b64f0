/** Who belongs to the group, when, and as what: folded from the records about devices. */
import { compareTimes, type Stamp } from '../clock.js'
import type { Rejection, RejectionCode } from '../errors.js'
import { type DeviceId, type GroupId, groupId, type RecordId } from '../ids.js'
import { MAX_REJECTIONS_LISTED } from '../limits.js'
import type { Role } from '../records/field-types.js'
import type { AnyRecord, DeviceRecord, RecordOf } from '../records/record.js'
import { orderRecords } from './order.js'

/** A role from a moment on, until the next. */
export interface Admission {
  /** The record that says so: what a revocation of its author lists to keep it. */
  readonly record: RecordId
  readonly stamp: Stamp
  readonly role: Role
  readonly clearances: readonly string[]
  readonly by: DeviceId
}

export interface Member {
  readonly device: DeviceId
  /** In order of time; the first is when the device came in. */
  readonly admissions: readonly Admission[]
  /** When it was put out. What it wrote before stays. */
  readonly revokedAt: Stamp | null
}

export interface GroupView {
  readonly id: GroupId
  readonly founder: DeviceId | null
  readonly members: ReadonlyMap<DeviceId, Member>
  /** The latest profile of each member. */
  readonly profiles: ReadonlyMap<DeviceId, RecordOf<'profiled'>>
  /** Records that were left without effect; at most `MAX_REJECTIONS_LISTED` of `rejectedCount`. */
  readonly rejected: readonly Rejection[]
  readonly rejectedCount: number
}

type Act = RecordOf<'admitted'> | RecordOf<'revoked'>

/** Folds the records of a group's own journal. The same set in any order gives the same view. */
export function foldGroup(id: GroupId, records: readonly DeviceRecord[]): GroupView {
  const { ordered, duplicates } = orderRecords(records)
  const acts = ordered.filter((record): record is Act => record.kind !== 'profiled')
  const founding = acts.find((act) => isFounding(id, act))
  const { members, faults } = judgeActs(acts, founding)
  const rejected = duplicates.map((record) => rejection(record, 'DUPLICATE_ID'))
  for (const act of acts) {
    const code = faults.get(act.id)
    if (code !== undefined) rejected.push(rejection(act, code))
  }
  const profiles = new Map<DeviceId, RecordOf<'profiled'>>()
  for (const record of ordered) {
    if (record.kind !== 'profiled') continue
    const refused = standing(members, record.author, record.stamp)
    if (refused === undefined || refused === 'OBSERVER') profiles.set(record.author, record)
    else rejected.push(rejection(record, refused))
  }
  return {
    id,
    founder: founding?.author ?? null,
    members,
    profiles,
    rejected: rejected.slice(0, MAX_REJECTIONS_LISTED),
    rejectedCount: rejected.length,
  }
}

/** A group's id is a hash of who founded it and when: only such a record can found it. */
export function isFounding(id: GroupId, act: AnyRecord): boolean {
  return (
    act.kind === 'admitted' &&
    act.device === act.author &&
    act.role === 'admin' &&
    groupId(act.author, act.stamp) === id
  )
}

interface OpenMember extends Member {
  readonly admissions: Admission[]
  revokedAt: Stamp | null
}

/** What the acts up to a moment amount to. */
interface Roll {
  readonly members: Map<DeviceId, OpenMember>
  /** Those who are in as admins. */
  readonly admins: Set<DeviceId>
  /** The acts that count, in order. */
  readonly counted: Act[]
  readonly faults: Map<RecordId, RejectionCode>
}

/**
 * Every act is judged in order of time, by what counts up to then, and what was refused never comes back. A revocation
 * that counts stands for good, whatever becomes of its author: else two could void each other in a circle.
 */
function judgeActs(acts: readonly Act[], founding: Act | undefined): Roll {
  let roll: Roll = { members: new Map(), admins: new Set(), counted: [], faults: new Map() }
  for (const act of acts) {
    const fault = act === founding ? undefined : actFault(roll, act)
    if (fault !== undefined) roll.faults.set(act.id, fault)
    else if (act.kind === 'admitted') count(roll, act)
    else roll = revoke(roll, act, founding)
  }
  return roll
}

/**
 * A stolen admin device could admit others with an earlier stamp than its revocation. So a revocation lists which
 * admissions of the revoked device stand; the others count as never made, and so does what rests on them. A device can
 * be revoked more than once: an admission must then be kept by each, or a thief would revoke the device first.
 */
function revoke(roll: Roll, revocation: RecordOf<'revoked'>, founding: Act | undefined): Roll {
  const kept = new Set([...(revocation.keeps ?? []), ...footing(roll, revocation)])
  const isUnkept = (act: Act): boolean =>
    act.kind === 'admitted' && act.author === revocation.device && !kept.has(act.id)
  const after = roll.counted.some(isUnkept) ? without(roll, isUnkept, founding) : roll
  if (after.admins.size === 0 || isLastAdmin(after, revocation.device)) {
    roll.faults.set(revocation.id, 'LAST_ADMIN')
    return roll
  }
  count(after, revocation)
  return after
}

/** The admissions that make the author of an act an admin, back to the founding: an act never takes them away. */
function footing({ members }: Roll, { author, stamp }: Act): readonly RecordId[] {
  const ids: RecordId[] = []
  let admission = admissionAt(members.get(author), stamp)
  while (admission !== undefined) {
    ids.push(admission.record)
    admission = admissionAt(members.get(admission.by), admission.stamp)
  }
  return ids
}

function without(roll: Roll, isUnkept: (act: Act) => boolean, founding: Act | undefined): Roll {
  const rest: Roll = { members: new Map(), admins: new Set(), counted: [], faults: new Map(roll.faults) }
  for (const act of roll.counted) {
    const stands = act === founding || act.kind === 'revoked'
    const fault = stands ? undefined : isUnkept(act) ? 'NOT_KEPT' : actFault(rest, act)
    if (fault === undefined) count(rest, act)
    else rest.faults.set(act.id, fault)
  }
  return rest
}

function count({ members, admins, counted }: Roll, act: Act): void {
  counted.push(act)
  const member = members.get(act.device) ?? { device: act.device, admissions: [], revokedAt: null }
  members.set(act.device, member)
  if (act.kind === 'revoked') {
    member.revokedAt ??= act.stamp
    admins.delete(act.device)
    return
  }
  const { id: record, stamp, role, clearances = [], author: by } = act
  member.admissions.push({ record, stamp, role, clearances, by })
  if (role === 'admin') admins.add(act.device)
  else admins.delete(act.device)
}

function actFault(roll: Roll, act: Act): RejectionCode | undefined {
  const author = roll.members.get(act.author)
  // Also at the very stamp of its revocation: of two who revoke each other at once, the first in order stays.
  if (author?.revokedAt != null) return 'REVOKED'
  const refused = standing(roll.members, act.author, act.stamp)
  if (refused !== undefined) return refused
  if (roleAt(author, act.stamp) !== 'admin') return 'NOT_ADMIN'
  const member = roll.members.get(act.device)
  if (act.kind === 'revoked') return member === undefined ? 'NOT_A_MEMBER' : undefined
  if (member?.revokedAt != null) return 'ALREADY_REVOKED'
  return act.role !== 'admin' && isLastAdmin(roll, act.device) ? 'LAST_ADMIN' : undefined
}

function isLastAdmin({ admins }: Roll, device: DeviceId): boolean {
  return admins.size === 1 && admins.has(device)
}

/** The role of a member at a moment; undefined before it came in. */
export function roleAt(member: Member | undefined, stamp: Stamp): Role | undefined {
  return admissionAt(member, stamp)?.role
}

/** What held for a member at a moment: the latest admission before it. */
export function admissionAt(member: Member | undefined, stamp: Stamp): Admission | undefined {
  const admissions = member?.admissions ?? []
  for (let i = admissions.length - 1; i >= 0; i--) {
    const admission = admissions[i] as Admission
    if (admission.stamp < stamp) return admission
  }
  return undefined
}

/** Why a device may not write at a moment; undefined if it may. */
export function standing(
  members: ReadonlyMap<DeviceId, Member>,
  device: DeviceId,
  stamp: Stamp,
): 'NOT_A_MEMBER' | 'REVOKED' | 'OBSERVER' | undefined {
  const member = members.get(device)
  if (member === undefined) return 'NOT_A_MEMBER'
  if (member.revokedAt !== null && stamp > member.revokedAt) return 'REVOKED'
  const role = roleAt(member, stamp)
  if (role === undefined) return 'NOT_A_MEMBER'
  return role === 'observer' ? 'OBSERVER' : undefined
}

function rejection(record: DeviceRecord, code: RejectionCode): Rejection {
  return { record: record.id, kind: record.kind, author: record.author, code }
}

/** Members that are in at a moment, in the order in which they came. */
export function membersAt(group: GroupView, stamp: Stamp): readonly Member[] {
  return [...group.members.values()]
    .filter(
      (member) =>
        admissionAt(member, stamp) !== undefined && (member.revokedAt === null || member.revokedAt >= stamp),
    )
    .sort((a, b) => compareTimes(entry(a), entry(b)))
}

function entry(member: Member): { stamp: Stamp; author: string } {
  return { stamp: member.admissions[0]?.stamp ?? 0, author: member.device }
}
