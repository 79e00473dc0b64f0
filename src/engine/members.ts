/** Who may work: own runs, and write about them. */
import { type DeviceId, type GroupView, roleAt } from '../../protocol/index.js'

/** Whether a device is an admin or a member, as far as we know by now. */
export function mayWork({ members }: GroupView, device: DeviceId): boolean {
  const member = members.get(device)
  if (member === undefined || member.revokedAt !== null) return false
  const role = roleAt(member, Number.MAX_SAFE_INTEGER)
  return role === 'admin' || role === 'member'
}
