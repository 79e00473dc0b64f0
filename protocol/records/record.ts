/** Records: types and schemas that follow from the table of kinds. */
import { z } from 'zod'
import { type GroupId, keyedRunId, type RunId } from '../ids.js'
import type { Envelope, FieldType, FieldTypes } from './field-types.js'
import { FIELD_SCHEMAS } from './fields.js'
import { KINDS, type Kind } from './kinds.js'

type Table = typeof KINDS
type Flat<T> = { readonly [P in keyof T]: T[P] }
type FieldsOf<K extends Kind> = Table[K]['fields']
type TypeOf<F> = F extends `${infer T extends FieldType}?` | `${infer T extends FieldType}*` ? T : F
type ValueOf<F> = TypeOf<F> extends infer T extends FieldType ? FieldTypes[T] : never
type Required<F> = { [P in keyof F as F[P] extends `${string}?` ? never : P]: ValueOf<F[P]> }
type Optional<F> = { [P in keyof F as F[P] extends `${string}?` ? P : never]?: ValueOf<F[P]> }
type DerivedNames<F> = { [P in keyof F]: F[P] extends `${string}*` ? P : never }[keyof F]

/** The fields of a record of one kind. */
export type Fields<K extends Kind> = Flat<Required<FieldsOf<K>> & Optional<FieldsOf<K>>>

/** A record before it is stamped: its kind, and the fields that do not follow from others. */
export type Draft<K extends Kind = Kind> = {
  [P in K]: Flat<{ kind: P } & Omit<Fields<P>, DerivedNames<FieldsOf<P>>>>
}[K]

/** A record of one kind: who wrote it, when, and what it says. */
export type RecordOf<K extends Kind> = { [P in K]: Flat<Envelope & { kind: P } & Fields<P>> }[K]

export type RunKind = { [K in Kind]: Table[K]['about'] extends 'run' ? K : never }[Kind]
export type DeviceKind = Exclude<Kind, RunKind>

/** A record about a run. */
export type RunRecord = RecordOf<RunKind>
/** A record about a device. */
export type DeviceRecord = RecordOf<DeviceKind>
/** A record of a kind from the future: kept and forwarded as it is, ignored by the fold. */
export interface UnknownRecord extends Envelope {
  readonly kind: 'unknown'
  readonly code: number
  readonly values: readonly unknown[]
}
export type AnyRecord = RunRecord | DeviceRecord | UnknownRecord

/** One field of the table of kinds, its notation taken apart. */
export interface FieldDefinition {
  readonly name: string
  readonly as: FieldType
  readonly optional: boolean
  readonly derived: boolean
}

const kindNames = Object.keys(KINDS) as Kind[]

const definitions = Object.fromEntries(kindNames.map((kind) => [kind, readFields(KINDS[kind].fields)]))

function readFields(fields: Readonly<Record<string, string>>): readonly FieldDefinition[] {
  return Object.entries(fields).map(([name, notation]) => ({
    name,
    as: notation.replace(/[?*]$/, '') as FieldType,
    optional: notation.endsWith('?'),
    derived: notation.endsWith('*'),
  }))
}

/** The fields of a kind in wire order. */
export function fieldsOf(kind: Kind): readonly FieldDefinition[] {
  return definitions[kind] as readonly FieldDefinition[]
}

const kindByCode = new Map<number, Kind>(kindNames.map((kind) => [KINDS[kind].code, kind]))

/** The kind with this code on the wire; undefined for a code from the future. */
export function kindOfCode(code: number): Kind | undefined {
  return kindByCode.get(code)
}

const RUN_KINDS: ReadonlySet<string> = new Set(kindNames.filter((kind) => KINDS[kind].about === 'run'))

/** Whether a record tells something about a run, in a kind that is known here. */
export function isRunRecord(record: AnyRecord): record is RunRecord {
  return RUN_KINDS.has(record.kind)
}

/** Whether a record tells something about a device, in a kind that is known here. */
export function isDeviceRecord(record: AnyRecord): record is DeviceRecord {
  return record.kind !== 'unknown' && KINDS[record.kind].about === 'device'
}

const schemas = Object.fromEntries(kindNames.map((kind) => [kind, schemaOf(kind)]))

function schemaOf(kind: Kind): z.ZodType {
  const shape: Record<string, z.ZodType> = { kind: z.literal(kind) }
  for (const { name, as, optional } of fieldsOf(kind)) {
    const schema: z.ZodType = FIELD_SCHEMAS[as]
    shape[name] = optional ? schema.exactOptional() : schema
  }
  return z.strictObject(shape)
}

/** The strict zod schema of a kind: `kind` and its fields, without the envelope. */
export function recordSchema(kind: Kind): z.ZodType {
  return schemas[kind] as z.ZodType
}

/** Why something is no record of the kind it names; undefined if it is one. */
export function recordFault(fields: { readonly kind: Kind }): string | undefined {
  if (!Object.hasOwn(schemas, fields.kind)) return 'kind: is none that exists'
  const parsed = recordSchema(fields.kind).safeParse(fields)
  if (parsed.success) return undefined
  const issue = parsed.error.issues[0]
  return `${issue?.path.join('.') || fields.kind}: ${issue?.message ?? 'does not match its schema'}`
}

/** The run that a `created` record makes: a hash if it has a key, else the record's own id. */
export function createdRunId(
  created: { readonly type: string; readonly project?: string; readonly key?: string },
  id: string,
  group: GroupId,
): RunId {
  if (created.key === undefined) return id
  return keyedRunId({ group, project: created.project ?? '', type: created.type, key: created.key })
}
