import type { DeviceId, GroupId } from '../../../protocol/index.js'
import type { Transport } from '../../network/transport.js'
import type { TestApi } from '../test-api.js'

export interface TransportSuiteOptions {
  /** What the tests call the transport. */
  readonly name: string
  readonly test: TestApi
  /** So many transports that can reach each other. None is started: the suite does that. */
  readonly create: (count: number) => TransportSet | Promise<TransportSet>
}

export interface TransportSet {
  readonly group: GroupId
  /** The transports, and the devices that they stand for. */
  readonly members: readonly TransportMember[]
  /** Lets some of what is under way arrive. The suite calls it until what it waits for is there. */
  readonly settle: () => Promise<void>
  /** Parts two members. Leave it out if that cannot be done. */
  readonly cut?: (a: DeviceId, b: DeviceId) => void | Promise<void>
  /** Undoes every cut. */
  readonly heal?: () => void | Promise<void>
}

export interface TransportMember {
  readonly transport: Transport
  readonly device: DeviceId
}
