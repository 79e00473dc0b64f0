import { describe, expect, test } from 'vitest'
import {
  admissionAt,
  type DeviceId,
  foldGroup,
  foldRun,
  groupId,
  membersAt,
  RecordNamer,
  roleAt,
  standing,
  writeRecord,
} from '../../../protocol/index.js'
import { ana, ben, cid, dee, device, eve, FOUNDED, GROUP, obi, START, Story } from '../story.js'

import { codes, END, FIVE, roster, twoAdmins } from './group-kit.js'

describe('founding', () => {
  test('the founder is an admin from its founding record on', () => {
    const { group } = new Story()
    expect(group.founder).toBe(ana)
    expect(roster(group)).toEqual(FIVE)
    expect(group.rejected).toEqual([])
  })

  test('without its founding record a group has nobody, whoever admits whom', () => {
    const story = new Story()
    const group = foldGroup(GROUP, story.deviceRecords.slice(1))
    expect(group.founder).toBeNull()
    expect(group.members.size).toBe(0)
    expect(codes(group)).toEqual(['NOT_A_MEMBER', 'NOT_A_MEMBER', 'NOT_A_MEMBER', 'NOT_A_MEMBER'])
  })

  test('a stranger cannot found a group that is not its own', () => {
    const story = new Story()
    story.write(eve, { kind: 'admitted', device: eve, role: 'admin' }, START)
    story.write(eve, { kind: 'admitted', device: eve, role: 'admin' }, START - 1)
    expect(roster(story.group)).toEqual(FIVE)
    expect(codes(story.group)).toEqual(['NOT_A_MEMBER', 'NOT_A_MEMBER'])
  })

  test('the founder’s record founds at its own time only', () => {
    const story = new Story()
    const late = story.write(ana, { kind: 'admitted', device: ana, role: 'admin' }, START - 1)
    expect(foldGroup(GROUP, [late]).founder).toBeNull()
    expect(foldGroup(groupId(ana, late.stamp), [late]).founder).toBe(ana)
  })

  test('a record of the founding time that admits another, or as less than an admin, founds nothing', () => {
    const namer = new RecordNamer({ device: ana, incarnation: FOUNDED })
    const other = writeRecord({ kind: 'admitted', device: eve, role: 'admin' }, FOUNDED, namer, GROUP)
    const less = writeRecord({ kind: 'admitted', device: ana, role: 'member' }, FOUNDED, namer, GROUP)
    expect(foldGroup(GROUP, [other]).members.size).toBe(0)
    expect(foldGroup(GROUP, [less]).members.size).toBe(0)
  })

  test('nothing counts that is older than the founding, nor at its very stamp', () => {
    const story = new Story()
    story.write(ana, { kind: 'admitted', device: eve, role: 'member' }, START - 1)
    const again = new RecordNamer({ device: ana, incarnation: FOUNDED + 1 })
    const atOnce = writeRecord({ kind: 'admitted', device: eve, role: 'member' }, FOUNDED, again, GROUP)
    const group = foldGroup(GROUP, [...story.deviceRecords, atOnce])
    expect(roster(group)).toEqual(FIVE)
    expect(codes(group)).toEqual(['NOT_A_MEMBER', 'NOT_A_MEMBER'])
  })

  test('a founder that was revoked cannot come back by founding again', () => {
    const story = twoAdmins()
    story.revoked(
      ben,
      ana,
      story.deviceRecords.map(({ id }) => id),
    )
    const again = new RecordNamer({ device: ana, incarnation: FOUNDED + 1 })
    const second = writeRecord({ kind: 'admitted', device: ana, role: 'admin' }, FOUNDED, again, GROUP)
    const group = foldGroup(GROUP, [...story.deviceRecords, second])
    expect(standing(group.members, ana, END)).toBe('REVOKED')
    expect(group.members.get(ana)?.admissions).toHaveLength(1)
  })
})

describe('admission', () => {
  test.each([
    ['a member', ben, 'NOT_ADMIN'],
    ['an observer', obi, 'OBSERVER'],
    ['a stranger', eve, 'NOT_A_MEMBER'],
  ] as const)('%s admits nobody', (_, who, code) => {
    const story = new Story()
    story.admitted(who, device('new'), 'member')
    expect(roster(story.group)).toEqual(FIVE)
    expect(codes(story.group)).toEqual([code])
  })

  test.each([
    ['a member', ben, 'NOT_ADMIN'],
    ['a stranger', eve, 'NOT_A_MEMBER'],
  ] as const)('%s does not make itself an admin', (_, who, code) => {
    const story = new Story()
    story.admitted(who, who, 'admin')
    expect(roster(story.group)).toEqual(FIVE)
    expect(codes(story.group)).toEqual([code])
  })

  test('whom an admin made an admin may admit', () => {
    const story = twoAdmins()
    story.admitted(ben, eve, 'member')
    expect(roster(story.group)[eve]).toBe('member')
  })

  test('what an admin admitted before it was one does not count', () => {
    const story = new Story()
    story.admitted(ben, eve, 'member')
    story.wait(1).admitted(ana, ben, 'admin')
    expect(roster(story.group)[eve]).toBeUndefined()
  })

  test('what an admin admitted stays when it is an admin no more; what it admits then does not', () => {
    const story = twoAdmins()
    story.admitted(ben, eve, 'member')
    story.wait(1).admitted(ana, ben, 'member')
    story.wait(1).admitted(ben, device('new'), 'member')
    expect(roster(story.group)).toEqual({ ...FIVE, [eve]: 'member' })
    expect(codes(story.group)).toEqual(['NOT_ADMIN'])
  })

  test('roles and clearances hold from their admission to the next', () => {
    const story = new Story()
    const before = story.admitted(ana, ben, 'member', ['secret'])
    const after = story.wait(1000).admitted(ana, ben, 'observer')
    const member = story.group.members.get(ben)
    expect(roleAt(member, FOUNDED)).toBeUndefined()
    expect(admissionAt(member, before.stamp)?.clearances).toEqual([])
    expect(admissionAt(member, before.stamp + 1)).toMatchObject({ role: 'member', clearances: ['secret'] })
    expect(admissionAt(member, after.stamp)).toMatchObject({ role: 'member', record: before.id, by: ana })
    expect(admissionAt(member, after.stamp + 1)).toMatchObject({ role: 'observer', clearances: [] })
  })

  test('an admin that admits itself again stays an admin, with other clearances and no other rights', () => {
    const story = new Story()
    for (let i = 0; i < 5; i++) story.admitted(ana, ana, 'admin', [`label ${i}`])
    const member = story.group.members.get(ana)
    expect(admissionAt(member, END)).toMatchObject({ role: 'admin', clearances: ['label 4'] })
    expect(story.group.founder).toBe(ana)
    expect(roster(story.group)).toEqual(FIVE)
  })

  test('members are listed in the order in which they came', () => {
    const { group } = new Story()
    expect(membersAt(group, END).map((member) => member.device)).toEqual([ana, ben, cid, dee, obi])
    expect(membersAt(group, FOUNDED)).toEqual([])
    expect(membersAt(group, FOUNDED + 1).map((member) => member.device)).toEqual([ana])
  })
})

describe('observers', () => {
  test('an observer may say what it is, and write nothing about runs', () => {
    const story = new Story()
    story.write(obi, { kind: 'profiled', name: 'Obi', class: 'browser', capabilities: [] })
    story.created(obi)
    expect(story.group.profiles.get(obi)?.name).toBe('Obi')
    expect(story.group.rejected).toEqual([])
    expect(foldRun(story.runRecords, story.group)).toBeNull()
  })

  test('what a member wrote before it became an observer stays', () => {
    const story = new Story()
    story.created(ben)
    story.wait(1).admitted(ana, ben, 'observer')
    expect(story.view.created.author).toBe(ben)
  })
})

describe('profiles', () => {
  const profile = (story: Story, who: DeviceId, name: string, atMs?: number): void => {
    story.write(who, { kind: 'profiled', name, class: 'laptop', capabilities: [] }, atMs)
  }

  test('the latest of a device holds, whatever order they come in', () => {
    const story = new Story()
    profile(story, ben, 'second', START + 9000)
    profile(story, ben, 'first', START + 8000)
    expect(story.group.profiles.get(ben)?.name).toBe('second')
  })

  test('a device has only the profile that it wrote itself', () => {
    const story = new Story()
    profile(story, ana, 'ana')
    expect([...story.group.profiles.keys()]).toEqual([ana])
  })

  test('of a stranger there is none, nor one from before it came in', () => {
    const story = new Story()
    profile(story, eve, 'eve')
    profile(story, ben, 'early', START)
    expect(story.group.profiles.size).toBe(0)
    expect(codes(story.group)).toEqual(['NOT_A_MEMBER', 'NOT_A_MEMBER'])
  })

  test('a revoked device keeps the one from before', () => {
    const story = new Story()
    profile(story, ben, 'before')
    story.wait(1).revoked(ana, ben)
    profile(story.wait(1), ben, 'after')
    expect(story.group.profiles.get(ben)?.name).toBe('before')
    expect(codes(story.group)).toEqual(['REVOKED'])
  })
})

test('of two acts with one id one stands, and the other is listed', () => {
  const story = new Story()
  const at = story.nowMs
  story.write(ana, { kind: 'admitted', device: eve, role: 'admin' }, at)
  story.write(ana, { kind: 'admitted', device: eve, role: 'member' }, at)
  expect(codes(story.group)).toEqual(['DUPLICATE_ID'])
  expect(roster(story.group)[eve]).toBe('admin')
})
