/** Every record that stands on any disk, read from the signed batches themselves: what the oracles go by. */
import {
  type AnyRecord,
  type Batch,
  BatchCodec,
  type DeviceId,
  type GroupId,
  type RecordId,
  type RunId,
  type RunRecord,
  splitSigned,
} from '../protocol/index.js'
import type { LogKey, StoredBatch } from '../src/store/store.js'

export interface Noted {
  readonly record: AnyRecord
  readonly log: LogKey
  readonly sequence: number
  /** When it first stood on a disk, in milliseconds since the simulation began. */
  readonly atMs: number
}

export class RecordBook {
  readonly #codecs = new Map<string, BatchCodec>()
  readonly #batches = new Set<string>()
  #group: GroupId = ''
  readonly all: Map<RecordId, Noted> = new Map()
  readonly byRun: Map<RunId, RunRecord[]> = new Map()
  /** Ids of the records that each device has on its own disk, by its own hand. */
  readonly own: Map<DeviceId, Set<RecordId>> = new Map()

  /** Takes a batch in that has come to stand on a device's disk. Returns what is new in it. */
  take(
    group: GroupId,
    { log, sequence, signed }: StoredBatch,
    holder: DeviceId,
    atMs: number,
  ): readonly Noted[] {
    const name = `${log.journal}/${log.device}/${log.incarnation}/${sequence}`
    const isOwn = log.device === holder
    if (!isOwn && this.#batches.has(name)) return []
    this.#group = group
    const { records } = this.read(log, signed)
    this.#batches.add(name)
    const fresh: Noted[] = []
    for (const record of records) {
      if (isOwn) this.#ownOf(holder).add(record.id)
      if (this.all.has(record.id)) continue
      const noted = { record, log, sequence, atMs }
      this.all.set(record.id, noted)
      fresh.push(noted)
      if ('run' in record) this.#runOf(record.run).push(record as RunRecord)
    }
    return fresh
  }

  /** A batch, read anew. */
  read(log: LogKey, signed: Uint8Array): Batch {
    const name = `${log.device}/${log.incarnation}`
    let codec = this.#codecs.get(name)
    if (codec === undefined) {
      codec = new BatchCodec({
        group: this.#group,
        writer: { device: log.device, incarnation: log.incarnation },
      })
      this.#codecs.set(name, codec)
    }
    return codec.decode(splitSigned(signed).bytes, { trusted: true })
  }

  #ownOf(device: DeviceId): Set<RecordId> {
    const known = this.own.get(device) ?? new Set()
    this.own.set(device, known)
    return known
  }

  #runOf(run: RunId): RunRecord[] {
    const known = this.byRun.get(run) ?? []
    this.byRun.set(run, known)
    return known
  }
}
