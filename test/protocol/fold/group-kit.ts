import {
  type DeviceId,
  type GroupView,
  membersAt,
  type RejectionCode,
  type Role,
  roleAt,
  stampOf,
} from '../../../protocol/index.js'
import { ana, ben, cid, dee, obi, START, Story } from '../story.js'

export const END = stampOf(START + 1_000_000_000)

/** Who is in at the end, and as what. */
export function roster(group: GroupView): Record<DeviceId, Role | undefined> {
  return Object.fromEntries(membersAt(group, END).map((member) => [member.device, roleAt(member, END)]))
}

export const codes = (group: GroupView): readonly RejectionCode[] => group.rejected.map(({ code }) => code)
export const FIVE = { [ana]: 'admin', [ben]: 'member', [cid]: 'member', [dee]: 'member', [obi]: 'observer' }

/** Ana and ben are admins, cid and dee members. */
export function twoAdmins(): Story {
  const story = new Story()
  story.admitted(ana, ben, 'admin')
  return story.wait(1000)
}

/** Ana, ben and cid are admins, dee is a member. */
export function threeAdmins(): Story {
  const story = twoAdmins()
  story.admitted(ana, cid, 'admin')
  return story.wait(1000)
}
