/** What changed in a group, from one view of it to the next. */
import type { DeviceId, GroupView } from '../../protocol/index.js'

/** Whether a member's profile, role or clearances are others than before, or it was put out. */
export function isChanged(before: GroupView, after: GroupView, device: DeviceId): boolean {
  if (before.profiles.get(device) !== after.profiles.get(device)) return true
  return JSON.stringify(before.members.get(device)) !== JSON.stringify(after.members.get(device))
}

/** Who is in, as what, since when: views of runs depend on it, and on nothing else of the group. */
export function membersOf({ members }: GroupView): string {
  return JSON.stringify([...members.values()])
}
