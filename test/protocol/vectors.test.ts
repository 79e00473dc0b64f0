/** The vectors, read as another implementation would: from the files, against the protocol as it is. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type AnyRecord,
  BatchCodec,
  BatchError,
  batchHash,
  type Candidate,
  type ChooseConfig,
  type ChooseInput,
  checkDrift,
  choose,
  compareTimes,
  counterOf,
  type Decision,
  type DeviceRecord,
  decodeStamp,
  deviceKey,
  deviceOfKey,
  elect,
  encodeStamp,
  encodeView,
  foldGroup,
  foldRun,
  groupId,
  idToBytes,
  joinSigned,
  keyedRunId,
  type LineInput,
  type LogName,
  logId,
  msOf,
  type RunRecord,
  type RunView,
  reassignLine,
  recordId,
  signedHash,
  signingInput,
  stampOfId,
  type Timed,
  type Turn,
  tick,
  type Writer,
  writerTag,
} from '../../protocol/index.js'
import { hex, ofJson, unhex } from '../../scripts/vectors/json.js'

function load<T>(name: string): T {
  const url = new URL(`../../protocol/vectors/${name}.json`, import.meta.url)
  return ofJson(JSON.parse(readFileSync(url, 'utf8'))) as T
}

describe('clock vectors', () => {
  const vectors = load<{
    encode: { stamp: number; ms: number; counter: number; text: string }[]
    tick: { name: string; last: number; nowMs: number; next: number }[]
    compare: { name: string; a: Timed; b: Timed; order: number }[]
    drift: { name: string; stamp: number; nowMs: number; refused: string | null; retryAtMs?: number }[]
  }>('clock')

  it.each(vectors.encode)('$text', ({ stamp, ms, counter, text }) => {
    expect([msOf(stamp), counterOf(stamp), encodeStamp(stamp), decodeStamp(text)]).toEqual([
      ms,
      counter,
      text,
      stamp,
    ])
  })

  it.each(vectors.tick)('$name', ({ last, nowMs, next }) => {
    expect(tick(last, nowMs)).toBe(next)
  })

  it.each(vectors.compare)('$name', ({ a, b, order }) => {
    expect(Math.sign(compareTimes(a, b))).toBe(order)
    expect(Math.sign(compareTimes(b, a))).toBe(order === 0 ? 0 : -order)
  })

  it.each(vectors.drift)('$name', ({ stamp, nowMs, refused, retryAtMs }) => {
    if (refused === null) expect(checkDrift(stamp, nowMs)).toBeUndefined()
    else {
      expect(() => checkDrift(stamp, nowMs)).toThrow(expect.objectContaining({ code: refused }))
      expect(checkDrift(stamp, retryAtMs ?? 0)).toBeUndefined()
    }
  })
})

describe('id vectors', () => {
  const vectors = load<{
    devices: { device: string; key: string }[]
    writers: (Writer & { tag: string })[]
    records: (Writer & { stamp: number; id: string; bytes: string })[]
    groups: { founder: string; stamp: number; id: string; bytes: string }[]
    keyedRuns: { group: string; project: string; type: string; key: string; run: string; bytes: string }[]
    logs: (LogName & { id: string })[]
  }>('ids')

  it.each(vectors.devices)('device $device', ({ device, key }) => {
    expect(hex(deviceKey(device))).toBe(key)
    expect(deviceOfKey(unhex(key))).toBe(device)
  })

  it.each(vectors.writers)('writer $tag', ({ device, incarnation, tag }) => {
    expect(hex(writerTag({ device, incarnation }))).toBe(tag)
  })

  it.each(vectors.records)('record $id', ({ device, incarnation, stamp, id, bytes }) => {
    expect(recordId({ device, incarnation }, stamp)).toBe(id)
    expect([stampOfId(id), hex(idToBytes(id))]).toEqual([stamp, bytes])
  })

  it.each(vectors.groups)('group $id', ({ founder, stamp, id, bytes }) => {
    expect([groupId(founder, stamp), hex(idToBytes(id))]).toEqual([id, bytes])
  })

  it.each(vectors.keyedRuns)('run $project/$type/$key', ({ run, bytes, ...key }) => {
    expect([keyedRunId(key), hex(idToBytes(run))]).toEqual([run, bytes])
  })

  it.each(vectors.logs)('log $id', ({ id, ...name }) => {
    expect(hex(logId(name))).toBe(id)
  })
})

describe('codec vectors', () => {
  interface BatchVector {
    name: string
    group: string
    writer: Writer
    sequence: number
    previous: string
    bytes: string
    hash: string
    signingInput: string
    signedHash: string
    records: AnyRecord[]
  }
  const vectors = load<{
    batches: BatchVector[]
    refused: { name: string; group: string; writer: Writer; bytes: string; code: string }[]
  }>('codec')

  it.each(vectors.batches)('$name', ({ group, writer, sequence, previous, records, ...expected }) => {
    const codec = new BatchCodec({ group, writer })
    const bytes = codec.encode({ sequence, previous: unhex(previous), records })
    expect(hex(bytes)).toBe(expected.bytes)
    expect(codec.decode(unhex(expected.bytes))).toEqual({ sequence, previous: unhex(previous), records })
    expect(hex(batchHash(bytes))).toBe(expected.hash)
    const log = logId({ group, journal: '2026-01-01', writer })
    expect(hex(signingInput(log, batchHash(bytes)))).toBe(expected.signingInput)
    expect(hex(signedHash(joinSigned(new Uint8Array(64).fill(9), bytes)))).toBe(expected.signedHash)
  })

  it.each(vectors.refused)('refused: $name', ({ group, writer, bytes, code }) => {
    const codec = new BatchCodec({ group, writer })
    expect(() => codec.decode(unhex(bytes))).toThrow(BatchError)
    expect(() => codec.decode(unhex(bytes))).toThrow(expect.objectContaining({ code }))
  })
})

describe.each(['fold', 'fold-long'])('%s vectors', (file) => {
  interface FoldVector {
    name: string
    group: string
    groupRecords: DeviceRecord[]
    runRecords: RunRecord[]
    view: RunView
  }
  it.each(load<{ cases: FoldVector[] }>(file).cases)('$name', ({ group, groupRecords, runRecords, view }) => {
    const folded = foldRun(
      [...runRecords].reverse(),
      foldGroup(group, [...groupRecords].reverse()),
    ) as RunView
    expect(folded).toEqual(view)
    expect(hex(encodeView(folded))).toBe(hex(encodeView(view)))
  })
})

describe('choice vectors', () => {
  const vectors = load<{
    choices: { name: string; input: ChooseInput; config: Partial<ChooseConfig>; decision: Decision }[]
    elections: {
      name: string
      group: string
      candidates: Candidate[]
      order: string[]
      coordinator: string | null
      ranks: Record<string, number>
    }[]
    lines: { name: string; input: LineInput; line: Turn[] }[]
  }>('choices')

  it.each(vectors.choices)('choice: $name', ({ input, config, decision }) => {
    expect(choose({ ...input, candidates: [...input.candidates].reverse() }, config)).toEqual(decision)
  })

  it.each(vectors.elections)('election: $name', ({ group, candidates, order, coordinator, ranks }) => {
    const election = elect(group, [...candidates].reverse())
    expect({ ...election, ranks: Object.fromEntries(election.ranks) }).toEqual({ order, coordinator, ranks })
  })

  it.each(vectors.lines)('line: $name', ({ input, line }) => {
    expect(reassignLine(input)).toEqual(line)
  })
})
