/** A simulated disk that the test writes to and looks at. */
import { Disk } from '../../../sim/disk/disk.js'
import { DiskStore } from '../../../sim/disk/disk-store.js'
import type { DeviceClock } from '../../../sim/world/device-clock.js'
import type { Store, StoredBatch } from '../../../src/store/index.js'
import { seededRandom } from '../../../src/testing/index.js'
import { deviceNumber } from '../../../src/testing/store/kit.js'
import { Notebook } from '../world/kit.js'

/** The device whose disk it is. */
export const OWNER = 1

export class Drive {
  readonly stored: { readonly batch: StoredBatch; readonly isDurable: boolean }[] = []
  readonly disk: Disk
  readonly book: Notebook = new Notebook()
  readonly clock: DeviceClock = this.book.world.clock()

  constructor(seed = 1) {
    this.disk = new Disk(deviceNumber(OWNER), seededRandom(seed), (batch, isDurable) =>
      this.stored.push({ batch, isDurable }),
    )
  }

  /** A process's way to it. */
  open(): DiskStore {
    return new DiskStore(this.disk, this.clock)
  }
}

/** All that a store holds, `log/sequence`, in the order of its logs. */
export async function namesIn(store: Store): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  const journals = new Set((await store.heads()).map(({ journal }) => journal))
  for (const journal of journals)
    for await (const chunk of store.read(journal)) for (const batch of chunk) names.add(nameOf(batch))
  return names
}

export function nameOf({ log, sequence }: StoredBatch): string {
  return `${log.journal}/${log.incarnation}/${sequence}`
}
