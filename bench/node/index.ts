import type { Suite } from '../measure.js'
import { leasingTable } from './leasing.js'
import { openingTables } from './opening.js'
import { pickupTable } from './pickup.js'
import { throughputTable } from './throughput.js'
import { twoNodesTables } from './two-nodes.js'

export async function nodeSuite(): Promise<Suite> {
  return {
    name: 'node',
    tables: [
      await throughputTable(),
      await pickupTable(),
      await leasingTable(),
      ...(await openingTables()),
      ...(await twoNodesTables()),
    ],
  }
}
