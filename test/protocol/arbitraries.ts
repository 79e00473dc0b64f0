/** Arbitrary valid things of the protocol, for fast-check: ids, payloads, drafts of every kind, batches of records. */
import fc from 'fast-check'
import {
  type AnyRecord,
  ASSIGN_REASONS,
  DEVICE_CLASSES,
  type DeviceId,
  type Draft,
  deviceOfKey,
  type FieldType,
  type FieldTypes,
  fieldsOf,
  type GroupId,
  idOfBytes,
  isRunRecord,
  KINDS,
  type Kind,
  MAX_DURATION_MS,
  MAX_PRIORITY,
  MAX_RETRIES,
  MAX_ROUND,
  MAX_SLOTS,
  MAX_STAMP_MS,
  type Payload,
  RECONCILE_POLICIES,
  RELEASE_REASONS,
  type RecordNamer,
  ROLES,
  type RunRecord,
  STAMPS_PER_MS,
  type Stamp,
  writeRecord,
} from '../../protocol/index.js'

export const KIND_NAMES: readonly Kind[] = Object.keys(KINDS) as Kind[]

/** The last stamp there is. */
export const LAST_STAMP: Stamp = MAX_STAMP_MS * STAMPS_PER_MS + STAMPS_PER_MS - 1

export const stamps: fc.Arbitrary<Stamp> = fc.oneof(
  fc.integer({ min: 0, max: LAST_STAMP }),
  // Neighbours, so that stamps meet.
  fc.integer({ min: 0, max: 4 * STAMPS_PER_MS }),
)

export const devices: fc.Arbitrary<DeviceId> = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((key) => deviceOfKey(key))

/** Ids made from stamps, and ids made from hashes. */
export const ids: fc.Arbitrary<string> = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => idOfBytes(bytes.map((byte, i) => (i === 0 ? byte & 63 : byte))))

/** Well-formed text of any code points, the awkward ones more often. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\ufeff',
    '\ufeffmarked',
    'ends in a mark\ufeff',
    '\u0000',
    '🜁',
    'é',
    'e\u0301',
    'toString',
  ),
)

const names: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{1,8}){0,2}$/),
  fc.constantFrom('gpu', 'Büro 2', '日本語', '🜁', 'constructor', '__proto__'),
)

/** Keys that mean something to JavaScript, but nothing to a payload. */
const mapKeys: fc.Arbitrary<string> = fc
  .oneof(texts, fc.constantFrom('constructor', 'prototype', 'hasOwnProperty', '0', '10', 'a', 'b', 'aa'))
  .filter((key) => key !== '__proto__')

const numbers: fc.Arbitrary<number> = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.integer({ min: -300, max: 300 }),
    fc.constantFrom(0.5, 1.5, 2 ** 53, -(2 ** 53), 65504, 2 ** -24, 5e-324, 1e300, 3 * 2 ** -24),
  )
  .map((value) => (Object.is(value, -0) ? 0 : value))

export const payloads: fc.Arbitrary<Payload> = fc.letrec<{ value: Payload }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    numbers,
    texts,
    fc.constantFrom(null, true, false),
    fc.uint8Array({ maxLength: 30 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(mapKeys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

const durations = fc.integer({ min: 1, max: MAX_DURATION_MS })
const spans = fc.integer({ min: 0, max: MAX_DURATION_MS })
const slots = fc.integer({ min: 0, max: MAX_SLOTS })
const nameLists = fc.array(names, { maxLength: 4 })

/** A valid value for each type of field. */
export const fieldValues: { readonly [T in FieldType]: fc.Arbitrary<FieldTypes[T]> } = {
  run: ids,
  record: ids,
  records: fc.array(ids, { maxLength: 4 }),
  device: devices,
  name: names,
  names: nameLists,
  key: texts.filter((text) => text.length > 0),
  text: texts,
  flag: fc.constant(true as const),
  payload: payloads,
  priority: fc.integer({ min: -MAX_PRIORITY, max: MAX_PRIORITY }),
  version: fc.maxSafeNat(),
  round: fc.integer({ min: 0, max: MAX_ROUND }),
  slots,
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  moment: fc.integer({ min: 0, max: MAX_STAMP_MS }),
  duration: durations,
  span: spans,
  approval: fc.oneof(
    fc.constantFrom('members' as const, 'admins' as const),
    fc.array(devices, { minLength: 1, maxLength: 3 }),
  ),
  retry: fc.record({
    max: fc.integer({ min: 0, max: MAX_RETRIES }),
    backoffMs: fc.array(spans, { maxLength: 4 }),
  }),
  heartbeat: fc
    .tuple(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 1, max: 600_000 }))
    .map(([intervalMs, longer]) => ({ intervalMs, timeoutMs: intervalMs + longer })),
  reconcile: fc.constantFrom(...RECONCILE_POLICIES),
  assignReason: fc.constantFrom(...ASSIGN_REASONS),
  releaseReason: fc.constantFrom(...RELEASE_REASONS),
  failure: fc.record(
    { code: names, message: texts, details: payloads },
    { requiredKeys: ['code', 'message'] },
  ),
  deviceClass: fc.constantFrom(...DEVICE_CLASSES),
  role: fc.constantFrom(...ROLES),
}

/** Drafts of one kind: every required field, and any of the optional ones. */
export function draftsOf(kind: Kind): fc.Arbitrary<Draft> {
  const model: Record<string, fc.Arbitrary<unknown>> = { kind: fc.constant(kind) }
  const required = ['kind']
  for (const field of fieldsOf(kind)) {
    if (field.derived) continue
    model[field.name] = fieldValues[field.as]
    if (!field.optional) required.push(field.name)
  }
  return fc.record(model, { requiredKeys: required, noNullPrototype: true }) as unknown as fc.Arbitrary<Draft>
}

export const drafts: fc.Arbitrary<Draft> = fc.oneof(...KIND_NAMES.map(draftsOf))

/** What a kind from the future says: its code, and values that nobody here understands. */
export interface FutureDraft {
  readonly kind: 'unknown'
  readonly code: number
  readonly values: readonly Payload[]
}

export const futureDrafts: fc.Arbitrary<FutureDraft> = fc.record({
  kind: fc.constant('unknown' as const),
  code: fc.oneof(fc.constant(0), fc.integer({ min: KIND_NAMES.length + 1, max: Number.MAX_SAFE_INTEGER })),
  values: fc.array(payloads, { maxLength: 4 }),
})

/** One record to be: what it says, how long after the one before, and which earlier records it speaks of. */
interface Step {
  readonly draft: Draft | FutureDraft
  readonly later: number
  readonly picks: readonly number[]
}

const steps: fc.Arbitrary<Step> = fc.record({
  draft: fc.oneof({ weight: 8, arbitrary: drafts }, { weight: 1, arbitrary: futureDrafts }),
  later: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 2 ** 32 })),
  picks: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 4 }),
})

/** Valid records of one writer in the order of writing, of any kinds, that often speak of one another. */
export function recordsOf(
  namer: RecordNamer,
  group: GroupId,
  base: Stamp,
  maxLength = 8,
): fc.Arbitrary<AnyRecord[]> {
  return fc.array(steps, { minLength: 1, maxLength }).map((list) => {
    const records: AnyRecord[] = []
    let stamp = base
    for (const step of list) {
      records.push(recordAt(step, stamp, namer, group, records))
      stamp += step.later
    }
    return records
  })
}

function recordAt(
  { draft, picks }: Step,
  stamp: Stamp,
  namer: RecordNamer,
  group: GroupId,
  earlier: readonly AnyRecord[],
): AnyRecord {
  if (draft.kind === 'unknown') {
    const { device: author, incarnation } = namer.writer
    return { id: namer.next(stamp), stamp, author, incarnation, ...draft }
  }
  const linked = { ...draft } as unknown as Record<string, unknown> & Draft
  for (const [i, field] of fieldsOf(draft.kind).entries()) {
    if (linked[field.name] === undefined) continue
    const pick = picks[i % picks.length] as number
    // Every other time the field stays as it was: bytes, and not an index.
    if (pick % 2 === 0) linked[field.name] = linkOf(field.as, pick / 2, namer, earlier) ?? linked[field.name]
  }
  return writeRecord(linked as Draft, stamp, namer, group) as AnyRecord
}

function linkOf(type: FieldType, pick: number, namer: RecordNamer, earlier: readonly AnyRecord[]): unknown {
  if (type === 'device') return namer.writer.device
  const record = earlier[pick % Math.max(earlier.length, 1)]
  if (record === undefined) return undefined
  if (type === 'run') return isRunRecord(record) ? (record as RunRecord).run : undefined
  if (type === 'record') return record.id
  return type === 'records' ? [record.id] : undefined
}
