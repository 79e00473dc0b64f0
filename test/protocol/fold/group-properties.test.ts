import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  admissionAt,
  type DeviceId,
  type DeviceRecord,
  foldGroup,
  type GroupView,
  type Role,
  roleAt,
} from '../../../protocol/index.js'
import { ana, ben, cid, dee, eve, GROUP, START, Story } from '../story.js'

import { roster } from './group-kit.js'

describe('any acts of any devices', () => {
  const who = fc.constantFrom(ana, ben, cid, dee, eve)
  const act = fc.record({
    by: fc.oneof({ weight: 2, arbitrary: fc.constant(ana) }, { weight: 3, arbitrary: who }),
    kind: fc.constantFrom('admitted', 'admitted', 'revoked', 'profiled'),
    about: who,
    role: fc.constantFrom<Role>('admin', 'admin', 'member', 'observer'),
    atMs: fc.nat({ max: 12 }),
    keeps: fc.array(fc.nat({ max: 15 }), { maxLength: 6 }),
  })
  type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

  /** Five devices that admit and revoke each other, several at one stamp. */
  function tell(acts: readonly Act[]): readonly DeviceRecord[] {
    const story = new Story()
    for (const { by, kind, about, role, atMs, keeps } of acts) {
      const at = START + 1 + atMs
      if (kind === 'admitted') story.write(by, { kind, device: about, role }, at)
      if (kind === 'profiled') story.write(by, { kind, name: role, class: 'laptop', capabilities: [] }, at)
      if (kind !== 'revoked') continue
      const kept = keeps.flatMap((nth) => story.records[nth]?.id ?? [])
      story.write(by, { kind, device: about, keeps: [...new Set(kept)] }, at)
    }
    return story.deviceRecords
  }
  const anyRecords = fc.array(act, { maxLength: 24 }).map(tell)

  test('give one group, in whatever order they come, however often and in whatever portions', () => {
    fc.assert(
      fc.property(anyRecords, fc.nat({ max: 28 }), fc.nat({ max: 28 }), (records, cut, again) => {
        const portions = [records.slice(cut), records.slice(0, cut), records.slice(again)]
        const group = foldGroup(GROUP, records)
        expect(foldGroup(GROUP, portions.flat())).toEqual(group)
        expect(foldGroup(GROUP, records.toReversed())).toEqual(group)
      }),
      { numRuns: 1500 },
    )
  })

  test('leave an admin, once the group is founded', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        expect(Object.values(roster(foldGroup(GROUP, records)))).toContain('admin')
      }),
      { numRuns: 2000 },
    )
  })

  test('each count or are rejected, once', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const { members, rejected } = foldGroup(GROUP, records)
        const counted = [...members.values()].flatMap(({ admissions }) =>
          admissions.map(({ record }) => record),
        )
        const refused = rejected.filter(({ kind }) => kind === 'admitted').map(({ record }) => record)
        const written = new Set(records.filter(({ kind }) => kind === 'admitted').map(({ id }) => id))
        const unlisted = rejected.filter(({ code }) => code === 'DUPLICATE_ID').map(({ record }) => record)
        expect(new Set([...counted, ...refused, ...unlisted])).toEqual(new Set([...written, ...unlisted]))
        const twice = counted.filter((id) => refused.includes(id) && !unlisted.includes(id))
        expect(twice).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  test('keep nothing of a revoked device that a revocation does not keep, but what its author rests on', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const { members, rejected } = foldGroup(GROUP, records)
        const refused = new Set(rejected.map(({ record }) => record))
        const revocations = records.filter((record) => record.kind === 'revoked' && !refused.has(record.id))
        for (const revocation of revocations) {
          if (revocation.kind !== 'revoked') continue
          expect(members.get(revocation.device)?.revokedAt).toBeLessThanOrEqual(revocation.stamp)
          for (const { admissions } of members.values()) {
            for (const { by, record } of admissions) {
              if (by !== revocation.device || record === records[0]?.id) continue
              const rests = restsOn(members, revocation.author, revocation.stamp)
              expect([...(revocation.keeps ?? []), ...rests]).toContain(record)
            }
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('let nobody but an admin of that moment change anything', () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const { members } = foldGroup(GROUP, records)
        for (const { admissions } of members.values()) {
          for (const { by, stamp, record } of admissions) {
            if (record !== records[0]?.id) expect(roleAt(members.get(by), stamp)).toBe('admin')
          }
        }
      }),
      { numRuns: 1000 },
    )
  })
})

function restsOn(members: GroupView['members'], who: DeviceId, stamp: number): readonly string[] {
  const admission = admissionAt(members.get(who), stamp)
  if (admission === undefined) return []
  return [admission.record, ...restsOn(members, admission.by, admission.stamp)]
}
