import { encodeCbor } from '../../protocol/cbor.js'
import {
  type AnyRecord,
  BatchCodec,
  BatchError,
  batchHash,
  type DeviceId,
  joinSigned,
  logId,
  SIGNATURE_BYTES,
  signedHash,
  signingInput,
  type UnknownRecord,
} from '../../protocol/index.js'
import { ana, ben, cid, GROUP, Story } from '../../test/protocol/story.js'
import { hex } from './json.js'

const PREVIOUS = new Uint8Array(32).fill(7)

/** Batches that must encode and decode so, and bytes that must be refused. */
export function codecVectors(): Record<string, unknown> {
  return {
    about:
      'Batches. SPEC.md, sections 4 and 5. Records as they are in memory; bytes, hashes and signing input in hex. `signedHash` is that of 64 bytes 0x09 and the batch.',
    batches: [
      batch(
        'self-assignment in one batch',
        ana,
        (s) => void s.taken(ana, s.created(ana, { input: { file: 'a.jpg' } })),
      ),
      batch('delegation', ana, (s) => void s.assigned(ana, ben, s.created(ana, { priority: 10 }))),
      batch('everything that a run can say', ana, everything),
      batch('ends', ana, ends),
      batch('devices', ana, (s) => {
        s.admitted(ana, cid, 'admin', ['trusted_only'])
        s.write(ana, {
          kind: 'profiled',
          name: 'Ana’s desk',
          class: 'desktop',
          capabilities: ['sharp'],
          slots: 4,
          reserved: 1,
          handles: ['media.thumbnail'],
        })
        s.revoked(ana, ben, [])
      }),
      fromTheFuture(),
    ],
    refused: refusals(),
  }
}

function everything(s: Story): void {
  const run = s.created(ana, {
    input: { list: [1, -1, 0.5, true, null, 'é', new Uint8Array([1, 2])] },
    project: 'holiday',
    key: 'photo-17',
    requires: ['sharp'],
    prefers: ['gpu'],
    privacy: ['trusted_only'],
    version: 2,
    retry: { max: 5, backoffMs: [100] },
    timeoutMs: 1000,
    heartbeat: { intervalMs: 1000, timeoutMs: 3000 },
    notBefore: s.nowMs,
    deadline: s.nowMs + 1000,
    approval: [ben],
    reconcile: 'latest',
    coordinator: true,
    minBattery: 0.25,
  })
  const first = s.assigned(ana, ben, run)
  s.write(ana, { kind: 'paused', run: run.run, reason: 'wait' })
  s.write(ana, { kind: 'resumed', run: run.run })
  s.write(ana, { kind: 'approved', run: run.run, by: 'Ana', expiresAt: s.nowMs + 1000 })
  s.write(ana, { kind: 'expedited', run: run.run, priority: -3 })
  s.reassigned(ana, ana, first, 'manual')
}

function ends(s: Story): void {
  const run = s.created(ana)
  const first = s.taken(ana, run)
  s.progressed(ana, first, { step: 1 })
  s.held(ana, first, [first])
  s.declined(ana, first, 'busy')
  s.released(ana, first, 'drain')
  s.completed(ana, first, [1, 2])
  const failed = s.failed(ana, first, {
    error: { code: 'E', message: 'no', details: { at: 3 } },
    final: true,
  })
  s.write(ana, { kind: 'cancelled', run: run.run, reason: 'enough' })
  s.write(ana, { kind: 'retried', run: run.run, round: 1, ended: failed.id })
}

function batch(name: string, author: DeviceId, tell: (s: Story) => void): object {
  const story = new Story()
  const before = story.records.length
  tell(story)
  return vector(name, author, story, story.records.slice(before))
}

/** A record of a kind that nobody knows yet, between two that are known. */
function fromTheFuture(): object {
  const story = new Story()
  const before = story.records.length
  const run = story.created(ana)
  const { author, incarnation } = run
  const stamp = run.stamp + 1
  const unknown: UnknownRecord = {
    id: story.namer(ana).next(stamp),
    stamp,
    author,
    incarnation,
    kind: 'unknown',
    code: 900,
    values: [0, { new: ['things'] }],
  }
  story.wait(1)
  story.assigned(ana, ben, run)
  const [created, assigned] = story.records.slice(before) as AnyRecord[]
  return vector('a record of a kind from the future, kept and ignored', ana, story, [
    created as AnyRecord,
    unknown,
    assigned as AnyRecord,
  ])
}

function vector(name: string, device: DeviceId, story: Story, records: readonly AnyRecord[]): object {
  const { writer } = story.namer(device)
  const bytes = new BatchCodec({ group: GROUP, writer }).encode({ sequence: 3, previous: PREVIOUS, records })
  const log = logId({ group: GROUP, journal: '2026-01-01', writer })
  const hash = batchHash(bytes)
  return {
    name,
    group: GROUP,
    writer,
    sequence: 3,
    previous: hex(PREVIOUS),
    bytes: hex(bytes),
    hash: hex(hash),
    signingInput: hex(signingInput(log, hash)),
    // As if the signature were 64 bytes of 9.
    signedHash: hex(signedHash(joinSigned(new Uint8Array(SIGNATURE_BYTES).fill(9), bytes))),
    records,
  }
}

function refusals(): object[] {
  const story = new Story()
  const { writer } = story.namer(ana)
  const codec = new BatchCodec({ group: GROUP, writer })
  const base = story.nowMs * 1024
  const head = (records: unknown): unknown[] => [1, 0, PREVIOUS, base, records]
  const created = [1, 0, 'test.job']
  const nested = Uint8Array.from({ length: 100 }, () => 0x81)
  const cases: [string, Uint8Array][] = [
    ['nothing', new Uint8Array()],
    ['no CBOR', Uint8Array.of(0xff)],
    ['too deep', nested],
    ['another version', encodeCbor([2, 0, PREVIOUS, base, [created]])],
    ['no batch', encodeCbor({ records: [] })],
    ['no records', encodeCbor(head([]))],
    ['a short previous hash', encodeCbor([1, 0, new Uint8Array(31), base, [created]])],
    ['a record without its required field', encodeCbor(head([[1, 0]]))],
    ['a field too many', encodeCbor(head([[13, 0, new Uint8Array(16), 1]]))],
    ['a citation of a later record', encodeCbor(head([[13, 0, 1], created]))],
    ['two records of one stamp', encodeCbor(head([created, created]))],
    ['a trailing null', encodeCbor(head([[1, 0, 'test.job', null]]))],
    ['an integer longer than it need be', longForm(codec)],
  ]
  return cases.map(([name, bytes]) => ({
    name,
    group: GROUP,
    writer,
    bytes: hex(bytes),
    code: refusal(codec, bytes),
  }))
}

/** `[1, 0, …]` with the sequence written in two bytes instead of one. */
function longForm(codec: BatchCodec): Uint8Array {
  const story = new Story()
  const record = story.created(ana)
  const bytes = codec.encode({ sequence: 0, previous: PREVIOUS, records: [record] })
  return Uint8Array.of(...bytes.slice(0, 2), 0x18, 0x00, ...bytes.slice(3))
}

function refusal(codec: BatchCodec, bytes: Uint8Array): string {
  try {
    codec.decode(bytes)
  } catch (error) {
    if (error instanceof BatchError) return error.code
    throw error
  }
  throw new Error('A vector that must be refused was accepted.')
}
