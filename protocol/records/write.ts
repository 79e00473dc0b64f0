/** Stamps drafts: from here on they are records. */
import { ID_LENGTH } from '../base32.js'
import { isStamp, type Stamp } from '../clock.js'
import { ClockError, RecordError } from '../errors.js'
import type { DeviceId, GroupId, RecordId, RecordNamer, Writer } from '../ids.js'
import { KINDS, type Kind } from './kinds.js'
import { isPlainly } from './quick.js'
import {
  createdRunId,
  type Draft,
  type FieldDefinition,
  fieldsOf,
  type RecordOf,
  recordFault,
} from './record.js'

/** A record in the making. */
export type OpenRecord = Record<string, unknown>

type Begin = new (id: RecordId, stamp: Stamp, author: DeviceId, incarnation: number, kind: Kind) => OpenRecord

interface Form {
  /** The fields that a draft may give, by name. */
  readonly fields: ReadonlyMap<string, FieldDefinition>
  readonly required: number
  readonly Begin: Begin
}

const FORMS: ReadonlyMap<string, Form> = new Map(
  (Object.keys(KINDS) as Kind[]).map((kind) => {
    const given = fieldsOf(kind).filter(({ derived }) => !derived)
    const fields = new Map(given.map((field) => [field.name, field]))
    return [kind, { fields, required: given.filter(({ optional }) => !optional).length, Begin: newBegin() }]
  }),
)

/**
 * A constructor of its own for each kind: engines learn how many fields its objects get, and make room for so many. A
 * record is then one piece of memory and not two, and there are hundreds of thousands. It is plain data all the same.
 */
function newBegin(): Begin {
  function Begin(
    this: OpenRecord,
    id: RecordId,
    stamp: Stamp,
    author: DeviceId,
    incarnation: number,
    kind: Kind,
  ): void {
    this['id'] = id
    this['stamp'] = stamp
    this['author'] = author
    this['incarnation'] = incarnation
    this['kind'] = kind
  }
  Begin.prototype = Object.prototype
  return Begin as unknown as Begin
}

/** A record without its fields yet. */
export function beginRecord(
  kind: Kind,
  id: RecordId,
  stamp: Stamp,
  { device, incarnation }: Writer,
): OpenRecord {
  const { Begin } = FORMS.get(kind) as Form
  return new Begin(id, stamp, device, incarnation, kind)
}

/** How a draft's values get into its record: as they are, or as copies that nobody can change. */
export type Copy = <T>(value: T) => T

/**
 * Stamps a draft: from here on it is a record with an id. Optional fields that are null or undefined are left out.
 *
 * Throws `RECORD_INVALID` if a field is missing, unknown, over its limit or of the wrong type, `STAMP_INVALID` if the
 * stamp is none.
 */
export function writeRecord<K extends Kind>(
  draft: Draft<K>,
  stamp: Stamp,
  namer: RecordNamer,
  group: GroupId,
  copy: Copy = asItIs,
): RecordOf<K> {
  if (!isStamp(stamp)) throw new ClockError('STAMP_INVALID', `${String(stamp)} is no stamp.`)
  const id = namer.next(stamp)
  const { kind } = draft
  const { writer } = namer
  const record =
    plainRecord(kind, draft, id, stamp, writer, copy) ?? checkedRecord(kind, copy(draft), id, stamp, writer)
  if (kind === 'created') record['run'] = createdRunId(record as unknown as Draft<'created'>, id, group)
  return record as unknown as RecordOf<K>
}

function asItIs<T>(value: T): T {
  return value
}

/** The record of a draft whose fields are plainly right. Else null: what is wrong is to be found out. */
function plainRecord(
  kind: Kind,
  draft: object,
  id: RecordId,
  stamp: Stamp,
  writer: Writer,
  copy: Copy,
): OpenRecord | null {
  const form = FORMS.get(kind)
  if (form === undefined) return null
  const record = beginRecord(kind, id, stamp, writer)
  let missing = form.required
  for (const name of Object.keys(draft)) {
    if (name === 'kind') continue
    const given = (draft as OpenRecord)[name]
    if (given === undefined || given === null) continue
    const field = form.fields.get(name)
    const value = typeof given === 'object' ? copy(given) : given
    if (field === undefined || !isPlainly(field.as, value)) return null
    record[name] = value
    if (!field.optional) missing--
  }
  return missing === 0 ? record : null
}

/** Stands in for the id of a run: only a valid type and key can be hashed into it. */
const NO_RUN: string = '0'.repeat(ID_LENGTH)

/** The record of a draft once its schema has passed it. */
function checkedRecord(kind: Kind, draft: object, id: RecordId, stamp: Stamp, writer: Writer): OpenRecord {
  // Not by assignment: a draft that came from JSON may have a key `__proto__`, which must be refused and not obeyed.
  const given = Object.entries(draft).filter(([, value]) => value !== undefined && value !== null)
  const fields: OpenRecord & { readonly kind: Kind } = { ...Object.fromEntries(given), kind }
  if (kind === 'created') fields['run'] = NO_RUN
  const fault = recordFault(fields)
  if (fault !== undefined) {
    throw new RecordError('RECORD_INVALID', `A “${kind}” record was not written. ${fault}.`, { kind, fault })
  }
  return Object.assign(beginRecord(kind, id, stamp, writer), fields)
}
