/** Attacks on who belongs: acts of an admin, by one who is none. */
import { type DeviceId, deviceOfKey } from '../../protocol/index.js'
import { GROUP_JOURNAL } from '../../src/journal/names.js'
import type { Attacker } from './attacker.js'
import { today } from './known.js'
import { OwnLog, type Write } from './own-log.js'

/** Puts everyone out, makes itself an admin, and lets a stranger in: in its own name, and in those of the others. */
export async function revokeOthers(attacker: Attacker): Promise<void> {
  const { signer, transport, random } = attacker
  const stranger = deviceOfKey(random.bytes(32))
  const act = (write: Write): void => {
    write({ kind: 'admitted', device: signer.device, role: 'admin' })
    for (const device of attacker.others()) write({ kind: 'revoked', device, reason: 'I say so.' })
    write({ kind: 'admitted', device: stranger, role: 'admin' })
  }
  const names: readonly DeviceId[] = [signer.device, ...attacker.others()]
  for (const journal of [GROUP_JOURNAL, today(attacker)]) {
    for (const device of names) {
      const message = await new OwnLog(attacker, { journal, device }).write(act)
      if (message !== null) transport.publish('batches', message)
    }
  }
}
