/** Opens a channel, or gives up in time. */
import type { DeviceId } from '../../protocol/index.js'
import type { Clock } from '../platform/seams.js'
import { OPEN_TIMEOUT_MS } from './constants.js'
import { SyncError } from './sync-error.js'
import type { Channel, Transport } from './transport.js'

/** Rejects with `SYNC_TIMEOUT` after `OPEN_TIMEOUT_MS`; a channel that opens later is closed. */
export function openWithin(
  transport: Pick<Transport, 'open'>,
  device: DeviceId,
  clock: Clock,
): Promise<Channel> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const cancel = clock.setTimer(OPEN_TIMEOUT_MS, () => {
      isLate = true
      reject(new SyncError('SYNC_TIMEOUT', `No channel to ${device} opened in time.`))
    })
    transport.open(device).then(
      (channel) => {
        cancel()
        if (isLate) channel.close()
        else resolve(channel)
      },
      (error) => {
        cancel()
        reject(error)
      },
    )
  })
}
