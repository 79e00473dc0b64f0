/** One log in memory: where it stands, and how its batches are read. The batches themselves are in the journal's doc. */
import { BatchCodec, emptyHead, type LogHead, logId, type Stamp } from '../../protocol/index.js'
import type { LogKey } from '../store/store.js'
import { clientOf, GROUP_JOURNAL, logName } from './names.js'

/** Two signed batches of one log for one place: their writer forked it. */
export interface EquivocationProof {
  readonly log: LogKey
  readonly sequence: number
  /** The one that is kept in the log here. */
  readonly kept: Uint8Array
  readonly other: Uint8Array
}

export class Log {
  readonly key: LogKey
  readonly name: string
  readonly id: Uint8Array
  readonly client: number
  readonly codec: BatchCodec
  head: LogHead
  /** When its first batch ended: its author must have been a member by then. */
  firstStamp: Stamp = 0
  /** Set once the writer was seen to fork it: nothing more is taken from it. */
  proof: EquivocationProof | null = null

  constructor(group: string, key: LogKey) {
    const writer = { device: key.device, incarnation: key.incarnation }
    this.key = key
    this.name = logName(key)
    this.id = logId({ group, journal: key.journal, writer })
    this.client = clientOf(this.id)
    this.codec = new BatchCodec({ group, writer })
    this.head = emptyHead(this.id)
  }

  /** The last batch before the fork, or of all: as far as every device has the same. */
  get common(): number {
    return this.proof === null ? this.head.sequence : Math.min(this.head.sequence, this.proof.sequence - 1)
  }

  /**
   * The last batch that counts. Of a forked log each device may hold another branch: only what is common counts. In the
   * group's journal all does: else an admin who was put out could undo, by forking its log, the admissions that its
   * revocation keeps, and so the revocation.
   */
  get counted(): number {
    return this.key.journal === GROUP_JOURNAL ? this.head.sequence : this.common
  }
}
