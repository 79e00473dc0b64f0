/** Batches encoded, decoded and hashed. */
import { type AnyRecord, BatchCodec, batchHash } from '../../protocol/index.js'
import { rate, type Table } from '../measure.js'
import { group, life } from './lives.js'

const RUNS_A_BATCH = 64
const MB = 1_000_000

export function codecTable(): Table {
  const records: AnyRecord[] = Array.from({ length: RUNS_A_BATCH }, (_, n) => life(n, true))
    .flat()
    .sort((a, b) => a.stamp - b.stamp)
  const { author: device, incarnation } = records[0] as AnyRecord
  const codec = new BatchCodec({ group, writer: { device, incarnation } })
  const batch = { sequence: 7, previous: new Uint8Array(32), records }
  const bytes = codec.encode(batch)
  const times = 300
  const megabytes = (bytes.length * times) / MB
  const repeat = (work: () => unknown): (() => number) => {
    return () => {
      for (let i = 0; i < times; i++) work()
      return megabytes
    }
  }
  return {
    title: 'Batch codec',
    unit: 'MB/s on one core',
    note: `A batch with the whole lives of ${RUNS_A_BATCH} runs: ${bytes.length.toLocaleString('en-US')} bytes, ${Math.round(bytes.length / RUNS_A_BATCH)} a run, ${(bytes.length / records.length).toFixed(1)} a record. At that size 10 MB/s are ${Math.round((10 * MB) / (bytes.length / records.length)).toLocaleString('en-US')} records/s. Decoding checks every schema and that the bytes are canonical; “trusted” is for bytes of one’s own store that passed before.`,
    rows: [
      rate('encode', { run: repeat(() => codec.encode(batch)) }),
      rate('decode', { run: repeat(() => codec.decode(bytes)) }),
      rate('decode, trusted', { run: repeat(() => codec.decode(bytes, { trusted: true })) }),
      rate('hash', { run: repeat(() => batchHash(bytes)) }),
    ],
  }
}
