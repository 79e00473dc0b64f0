/**
 * Records as they stand in a batch: `[code, delta, …fields]`, positional, trailing nulls cut.
 *
 * What stood in the batch before is not said again: a run or a record that an earlier record of the batch brought in is
 * named by that record's index, and the author by 0.
 */
import type { Stamp } from '../clock.js'
import { BatchError } from '../errors.js'
import { deviceKey, deviceOfKey, type GroupId, idOfBytes, idToBytes, type RecordNamer } from '../ids.js'
import { MAX_REFERENCES } from '../limits.js'
import {
  ASSIGN_REASONS,
  DEVICE_CLASSES,
  type FieldType,
  RECONCILE_POLICIES,
  RELEASE_REASONS,
  ROLES,
} from '../records/field-types.js'
import { fieldFault } from '../records/fields.js'
import { KINDS, type Kind } from '../records/kinds.js'
import {
  type AnyRecord,
  createdRunId,
  type FieldDefinition,
  fieldsOf,
  isRunRecord,
  kindOfCode,
  type UnknownRecord,
} from '../records/record.js'
import { beginRecord } from '../records/write.js'

/** Words that travel as their position in a list. The lists only ever grow. */
const WORDS: { readonly [T in FieldType]?: readonly string[] } = {
  assignReason: ASSIGN_REASONS,
  releaseReason: RELEASE_REASONS,
  reconcile: RECONCILE_POLICIES,
  deviceClass: DEVICE_CLASSES,
  role: ROLES,
}

interface Place {
  readonly index: number
  readonly as: FieldType
}

/** Where the fields of a record begin: its code and its delta come before. */
const FIRST_FIELD = 2

/** The fields of each kind that travel, in order. */
const ON_WIRE: Readonly<Record<string, readonly FieldDefinition[]>> = Object.fromEntries(
  (Object.keys(KINDS) as Kind[]).map((kind) => [kind, fieldsOf(kind).filter(({ derived }) => !derived)]),
)

/** Where each field of each kind stands in the array. */
const PLACES: Readonly<Record<string, ReadonlyMap<string, Place>>> = Object.fromEntries(
  Object.entries(ON_WIRE).map(([kind, fields]) => [
    kind,
    new Map(fields.map(({ name, as }, i) => [name, { index: FIRST_FIELD + i, as }])),
  ]),
)

/** Writes the records of one batch in order. */
export class RecordWriter {
  readonly #runs = new Map<string, number>()
  readonly #records = new Map<string, number>()
  #count = 0
  #last: Stamp

  constructor(base: Stamp) {
    this.#last = base
  }

  write(record: AnyRecord): unknown[] {
    const index = this.#count++
    const delta = record.stamp - this.#last
    this.#last = record.stamp
    const values =
      record.kind === 'unknown' ? [record.code, delta, ...record.values] : this.#known(record, delta)
    this.#records.set(record.id, index)
    if (isRunRecord(record) && !this.#runs.has(record.run)) this.#runs.set(record.run, index)
    return values
  }

  #known(record: Exclude<AnyRecord, { kind: 'unknown' }>, delta: number): unknown[] {
    const values: unknown[] = [KINDS[record.kind].code, delta]
    const places = PLACES[record.kind] as ReadonlyMap<string, Place>
    // By what the record has, not by what its kind could have: most fields of most records are absent.
    for (const name of Object.keys(record)) {
      const place = places.get(name)
      const value = (record as unknown as Record<string, unknown>)[name]
      if (place === undefined || value === undefined) continue
      while (values.length < place.index) values.push(null)
      values[place.index] = this.#value(place.as, value, record.author)
    }
    return values
  }

  #value(type: FieldType, value: unknown, author: string): unknown {
    switch (type) {
      case 'run':
        return this.#runs.get(value as string) ?? idToBytes(value as string)
      case 'record':
        return this.#records.get(value as string) ?? idToBytes(value as string)
      case 'records':
        return (value as readonly string[]).map((id) => this.#records.get(id) ?? idToBytes(id))
      case 'device':
        return value === author ? 0 : deviceKey(value as string)
      default:
        return WORDS[type]?.indexOf(value as string) ?? value
    }
  }
}

/** Reads the records of one batch in order. */
export class RecordReader {
  readonly #namer: RecordNamer
  readonly #group: GroupId
  readonly #check: boolean
  readonly #records: AnyRecord[] = []
  #last: Stamp

  /** With `check` off, fields are not held against their schemas: only for bytes that passed before. */
  constructor(base: Stamp, namer: RecordNamer, group: GroupId, check: boolean) {
    this.#last = base
    this.#namer = namer
    this.#group = group
    this.#check = check
  }

  get records(): readonly AnyRecord[] {
    return this.#records
  }

  read(values: unknown): void {
    const index = this.#records.length
    if (!Array.isArray(values)) throw fault(index, 'is no array')
    const [code, delta] = values as unknown[]
    if (!Number.isSafeInteger(code) || (code as number) < 0) throw fault(index, 'has no kind code')
    if (!Number.isSafeInteger(delta) || (delta as number) < (index === 0 ? 0 : 1))
      throw fault(index, 'is not later than the one before')
    const stamp = this.#last + (delta as number)
    const id = this.#namer.next(stamp)
    const kind = kindOfCode(code as number)
    this.#records.push(
      kind === undefined
        ? this.#unknown(code as number, values, id, stamp)
        : this.#known(kind, values, index, id, stamp),
    )
    this.#last = stamp
  }

  #unknown(code: number, values: readonly unknown[], id: string, stamp: Stamp): UnknownRecord {
    const { device: author, incarnation } = this.#namer.writer
    return { id, stamp, author, incarnation, kind: 'unknown', code, values: values.slice(2) }
  }

  #known(kind: Kind, values: readonly unknown[], index: number, id: string, stamp: Stamp): AnyRecord {
    const fields = ON_WIRE[kind] as readonly FieldDefinition[]
    const record = beginRecord(kind, id, stamp, this.#namer.writer)
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as FieldDefinition
      const value = values[FIRST_FIELD + i]
      if (value !== undefined && value !== null) record[field.name] = this.#value(field, value, index)
      else if (!field.optional) throw fault(index, `${field.name}: is missing`)
      // Required fields come first: of those that are left, none is.
      else if (FIRST_FIELD + i >= values.length) break
    }
    if (values.length > FIRST_FIELD + fields.length)
      throw fault(index, `${kind}: has more fields than its kind`)
    if (kind === 'created') record['run'] = createdRunId(record as { type: string }, id, this.#group)
    return record as unknown as AnyRecord
  }

  /** Ids, devices and words are right if they can be read at all; anything else is held against its schema. */
  #value({ name, as }: FieldDefinition, value: unknown, index: number): unknown {
    switch (as) {
      case 'run':
        return typeof value === 'number' ? this.#runAt(value, index) : this.#id(value, index)
      case 'record':
        return this.#recordRef(value, index)
      case 'records':
        if (!Array.isArray(value) || value.length > MAX_REFERENCES)
          throw fault(index, `${name}: is no list of records`)
        return value.map((item) => this.#recordRef(item, index))
      case 'device':
        return value === 0 ? this.#namer.writer.device : this.#device(value, index)
    }
    const words = WORDS[as]
    if (words !== undefined) {
      const word = typeof value === 'number' ? words[value] : undefined
      if (word === undefined) throw fault(index, `${name}: is a word that is not known`)
      return word
    }
    const wrong = this.#check ? fieldFault(as, value) : undefined
    if (wrong !== undefined) throw fault(index, `${name}${wrong}`)
    return value
  }

  #recordRef(value: unknown, index: number): string {
    if (typeof value !== 'number') return this.#id(value, index)
    const record = this.#records[value]
    if (record === undefined) throw fault(index, 'cites an index that is no earlier record')
    return record.id
  }

  #runAt(position: number, index: number): string {
    const record = this.#records[position]
    if (record === undefined || !isRunRecord(record))
      throw fault(index, 'names a run by an index that has none')
    return record.run
  }

  #id(value: unknown, index: number): string {
    if (!(value instanceof Uint8Array) || value.length !== 16 || (value[0] as number) > 63)
      throw fault(index, 'holds no id where one belongs')
    return idOfBytes(value)
  }

  #device(value: unknown, index: number): string {
    if (!(value instanceof Uint8Array) || value.length !== 32)
      throw fault(index, 'holds no device where one belongs')
    return deviceOfKey(value)
  }
}

function fault(index: number, what: string): BatchError {
  return new BatchError('BATCH_RECORD', `Record ${index} of the batch: ${what}. Nothing was applied.`, {
    index,
    fault: what,
  })
}
