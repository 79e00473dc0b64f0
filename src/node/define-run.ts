/** `defineRun`: a type of run, said once, for those who submit it and those who work on it. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Draft, Payload } from '../../protocol/index.js'
import { invalidOption, unknownOption } from './invalid-option.js'
import { applySetting, type CreatedFields, RUN_SETTING_NAMES, type RunSettings } from './run-settings.js'

/** Characters of a run type. Under the protocol's cap for names, so that dibs can mark a type for its own use. */
export const MAX_TYPE_LENGTH = 120

/** What `defineRun` takes. */
export interface RunDefinition<
  InputSchema extends StandardSchemaV1 = StandardSchemaV1,
  OutputSchema extends StandardSchemaV1 = StandardSchemaV1,
  ProgressSchema extends StandardSchemaV1 = StandardSchemaV1,
> extends RunSettings {
  /** Names the type for the whole group: up to 120 characters, such as `media.thumbnail`. */
  readonly type: string
  /** Counts changes of what the input means. Handlers can tell old runs by it. */
  readonly version?: number | undefined
  /** Any Standard Schema (zod, valibot, arktype, …). @default any payload */
  readonly input?: InputSchema | undefined
  /** Any Standard Schema. @default any payload */
  readonly output?: OutputSchema | undefined
  /**
   * Of what handlers report by `progress` and find as `checkpoint`: any Standard Schema that answers at once. A checkpoint
   * that does not match, as of another version, is passed over.
   *
   * @default any payload
   */
  readonly progress?: ProgressSchema | undefined
}

/** What every `created` record of a type begins with. */
export type CreatedBase = Omit<Draft<'created'>, 'input'>

/**
 * A type of run. A schema may transform: what `submit` takes is stored, and what the schema makes of it is handed to the
 * handler; what a handler returns is stored, and what the schema makes of it is what `result()` gives.
 */
export interface RunType<
  Input = unknown,
  Output = unknown,
  HandlerInput = Input,
  HandlerOutput = Output,
  Progress = unknown,
  Checkpoint = Progress,
> {
  readonly type: string
  readonly version: number | null
  readonly input: StandardSchemaV1 | null
  readonly output: StandardSchemaV1 | null
  readonly progress: StandardSchemaV1 | null
  /** The definition's settings, checked once. */
  readonly base: CreatedBase
  /** Exists for the compiler only. */
  readonly '~types'?: {
    readonly input: Input
    readonly output: Output
    readonly handlerInput: HandlerInput
    readonly handlerOutput: HandlerOutput
    readonly progress: Progress
    readonly checkpoint: Checkpoint
  }
}

type Types<T extends RunType> = NonNullable<T['~types']>
/** What `submit` takes for a run of this type. */
export type InputOf<T extends RunType> = Types<T>['input']
/** What `result()` gives. */
export type OutputOf<T extends RunType> = Types<T>['output']
/** What a handler gets. */
export type HandlerInputOf<T extends RunType> = Types<T>['handlerInput']
/** What a handler returns. */
export type HandlerOutputOf<T extends RunType> = Types<T>['handlerOutput']

/** What a handler reports. */
export type ProgressOf<T extends RunType> = Types<T>['progress']
/** What an attempt may go on from. */
export type CheckpointOf<T extends RunType> = Types<T>['checkpoint']

const KNOWN: readonly string[] = ['type', 'version', 'input', 'output', 'progress', ...RUN_SETTING_NAMES]

/**
 * Defines a type of run. Throws `INVALID_OPTIONS` for anything that could not be written into a record.
 *
 * @example
 * ```ts
 * const thumbnail = defineRun({
 *   type: 'media.thumbnail',
 *   input: z.object({ file: z.string() }),
 *   output: z.object({ url: z.string() }),
 *   requires: ['sharp'],
 *   retry: { max: 3, backoffMs: [1000, 2000, 4000] },
 * })
 * ```
 */
export function defineRun<
  InputSchema extends StandardSchemaV1 = StandardSchemaV1<Payload>,
  OutputSchema extends StandardSchemaV1 = StandardSchemaV1<unknown, Payload>,
  ProgressSchema extends StandardSchemaV1 = StandardSchemaV1<Payload>,
>(
  definition: RunDefinition<InputSchema, OutputSchema, ProgressSchema>,
): RunType<
  StandardSchemaV1.InferInput<InputSchema>,
  StandardSchemaV1.InferOutput<OutputSchema>,
  StandardSchemaV1.InferOutput<InputSchema>,
  StandardSchemaV1.InferInput<OutputSchema>,
  StandardSchemaV1.InferInput<ProgressSchema>,
  StandardSchemaV1.InferOutput<ProgressSchema>
> {
  if (typeof definition !== 'object' || definition === null)
    throw invalidOption('definition', definition, 'an object with a type')
  for (const name of Object.keys(definition)) {
    if (!KNOWN.includes(name)) throw unknownOption(name, KNOWN)
  }
  const fields: CreatedFields = { ...bareBase(definition.type) }
  if (definition.version !== undefined) applySetting(fields, 'version', definition.version)
  for (const name of RUN_SETTING_NAMES) {
    if (definition[name] !== undefined) applySetting(fields, name, definition[name])
  }
  return Object.freeze({
    type: definition.type,
    version: definition.version ?? null,
    input: schema('input', definition.input),
    output: schema('output', definition.output),
    progress: schema('progress', definition.progress),
    base: freeze(fields) as unknown as CreatedBase,
  })
}

/** The beginning of a `created` record whose type is known by name only. */
export function bareBase(type: string): CreatedBase {
  if (typeof type !== 'string' || type.length > MAX_TYPE_LENGTH)
    throw invalidOption('type', type, `text of 1 to ${MAX_TYPE_LENGTH} characters`)
  const fields: CreatedFields = { kind: 'created' }
  applySetting(fields, 'type', type)
  return fields as unknown as CreatedBase
}

/** The name of a run type, however it is given. Throws `INVALID_OPTIONS`. */
export function typeName(type: RunType | string): string {
  if (typeof type === 'string') return bareBase(type).type
  if (typeof type?.base !== 'object')
    throw invalidOption('type', type, 'a name, or what `defineRun` returned')
  return type.type
}

function schema(option: 'input' | 'output' | 'progress', value: unknown): StandardSchemaV1 | null {
  if (value === undefined) return null
  const standard = isHolder(value)
    ? (value['~standard'] as StandardSchemaV1['~standard'] | undefined)
    : undefined
  if (typeof standard?.validate !== 'function')
    throw invalidOption(option, value, 'a Standard Schema, such as one made with zod, valibot or arktype')
  return value as StandardSchemaV1
}

// Schemas of some libraries are functions.
function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

// Records are made from it for as long as the process lives: nobody may change it.
function freeze(fields: CreatedFields): CreatedFields {
  for (const value of Object.values(fields)) {
    if (typeof value !== 'object' || value === null) continue
    for (const part of Object.values(value)) Object.freeze(part)
    Object.freeze(value)
  }
  return Object.freeze(fields)
}
