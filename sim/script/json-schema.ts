/** The schema of scripts for editors, and for saying what a field takes. */
import { z } from 'zod'
import { DURATION } from './duration.js'
import type { JsonPath } from './json-scan.js'
import { SCRIPT_SCHEMA } from './schema.js'

/** What of JSON schemas is in use here. */
export interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema | false
  readonly prefixItems?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: JsonSchema | false
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

const RUN = 'A run, by the name that its submit gave it: with a count, “mail.1”, “mail.2” …'

/** What fields are for, by the place that they stand in. `*` stands for any step. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  title: 'What this is, for people.',
  seed: 'All chance follows from it.',
  devices:
    'Who takes part. Steps name devices by their place in this list, from 0. The first founds the group.',
  network: 'What the network is like at the beginning.',
  signatures: 'Signatures that cost a hash, or real ones.',
  heartbeat: 'How often devices say that they are there, and after how long a silence they count as gone.',
  abortGraceMs: 'Milliseconds that a handler has to stop after its signal was aborted.',
  weights: 'Weights of the score by which a device is chosen.',
  steps: 'What happens when.',
  lasts: 'How long it goes on. Afterwards every fault is taken back, and all has to come to an end.',
  'devices.profile': 'What sort of device it is.',
  'devices.role': 'What it may do in the group. The first is always an admin.',
  'devices.slots': 'Runs that it works on at once. As its profile has, unless given.',
  'devices.capabilities': 'What it can do, for runs that require it.',
  'devices.skewMs': 'How far its wall clock is ahead, in milliseconds.',
  'devices.drift': 'How much faster its clocks go: 0.0001 is 100 parts in a million.',
  'devices.declines': 'Share of the runs offered to it that it declines.',
  'devices.diskMs': 'Milliseconds that a durable write takes.',
  'devices.joinsLater': 'It is not there from the beginning, but joins by a step.',
  latencyMs: 'Milliseconds that every message is under way at least.',
  jitterMs: 'Milliseconds that come on top, on average.',
  loss: 'Share of hops on which a published message is lost.',
  duplicates: 'Share of published messages that arrive twice.',
  reorder: 'Share of published messages that later ones overtake.',
  bytesPerSecond: 'Bytes a second of each connection.',
  intervalMs: 'Milliseconds between two heartbeats.',
  timeoutMs: 'Milliseconds of silence after which a device counts as gone.',
  'steps.do': 'What happens.',
  'steps.at': 'When, since the beginning.',
  'steps.device': 'The place of a device.',
  'steps.run': RUN,
  'steps.sides': 'Only devices of one side reach each other. Those that no side names are together.',
  'steps.devices': 'Two devices that lose each other.',
  'steps.from': 'The device that is no longer heard.',
  'steps.to': 'The device that no longer hears it.',
  'steps.for': 'How long.',
  'steps.ms': 'Milliseconds by which its wall clock is ahead from now on.',
  'steps.by': 'How much faster its clocks go from now on.',
  'steps.full': 'Whether nothing more can be written.',
  'steps.slowMs': 'Milliseconds that a durable write takes on top.',
  'steps.damage': 'A bad sector, that shows at the next crash.',
  'steps.type': 'The type of the run.',
  'steps.count': 'How many runs.',
  'steps.job': 'What the run asks of its handler.',
  'steps.options': 'How the run is to be treated.',
  'steps.forgets': 'Whoever pulled it never says a word about it again.',
  'steps.kind': 'What the device does, that no honest one would.',
  'steps.priority': 'Its new priority.',
  'job.ms': 'Milliseconds that it takes.',
  'job.fails': 'Attempts that fail before one succeeds.',
  'job.hangs': 'The first attempt never ends and ignores its signal.',
  'options.key': 'Of the open runs with one key, only one is done.',
  'options.requires': 'Capabilities that a device needs for it.',
  'options.priority': 'What comes first.',
  'options.preemptible': 'May be put back for a run of higher priority.',
  'options.timeoutMs': 'Milliseconds that an attempt may take.',
  'options.reconcile': 'Who keeps it if two devices had it: the first or the last.',
  'options.coordinator': 'One device is in charge of the run, instead of all.',
  'options.delayMs': 'Milliseconds before it may begin.',
  'options.deadlineInMs': 'Milliseconds after which it fails.',
  'options.heartbeat': 'A rhythm of its own.',
}

let made: JsonSchema | null = null

/** The JSON schema of scripts, with descriptions. */
export function scriptJsonSchema(): JsonSchema {
  made ??= {
    title: 'A script of dibs sim',
    ...described(jsonSchemaOf(SCRIPT_SCHEMA), ''),
  } as JsonSchema
  return made
}

export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema
}

function described(schema: JsonSchema, within: string): JsonSchema {
  const inside = (part: JsonSchema): JsonSchema => described(part, within)
  const { properties, items, oneOf } = schema
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => {
          const description =
            DESCRIPTIONS[`${within}${within === '' ? '' : '.'}${name}`] ?? DESCRIPTIONS[name]
          return [name, described({ ...(description !== undefined && { description }), ...part }, name)]
        }),
      ),
    }),
    ...(items && { items: inside(items) }),
    ...(oneOf !== undefined && { oneOf: oneOf.map(inside) }),
  }
}

/** The part of a schema that a field has to match, among steps that of its kind. Null if there is none. */
export function schemaAt(schema: JsonSchema, path: JsonPath, value: unknown): JsonSchema | null {
  const here = schema.oneOf === undefined ? schema : (branchFor(schema.oneOf, value) ?? schema)
  const [key, ...rest] = path
  if (key === undefined) return here
  const inner = (value as Readonly<Record<string | number, unknown>> | null | undefined)?.[key]
  const next =
    typeof key === 'number'
      ? (here.prefixItems?.[key] ?? here.items)
      : (here.properties?.[key] ?? here.additionalProperties)
  return next ? schemaAt(next, rest, inner) : null
}

function branchFor(branches: readonly JsonSchema[], value: unknown): JsonSchema | undefined {
  const kind = (value as { readonly do?: unknown } | null)?.do
  return branches.find(({ properties }) => properties?.['do']?.const === kind)
}

/** In words: `a whole number from 0 to 999`. */
export function wordsOf(schema: JsonSchema): string {
  if (isDuration(schema)) return 'a time: milliseconds, or a number and ms, s, m, h or d, as "90s"'
  if (schema.anyOf !== undefined) return schema.anyOf.map(wordsOf).join(', or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return `one of ${schema.enum.map((one) => JSON.stringify(one)).join(', ')}`
  switch (schema.type) {
    case 'integer':
      return `a whole number${rangeOf(schema)}`
    case 'number':
      return `a number${rangeOf(schema)}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return schema.maxLength === undefined
        ? 'a text'
        : `a text of ${schema.minLength ?? 0} to ${schema.maxLength} characters`
    case 'array':
      return listWords(schema)
    default: {
      const names = namesOf(schema)
      return names.length === 0 ? 'an object' : `an object with ${names.join(', ')}`
    }
  }
}

/** Fields that an object may have. */
export function namesOf({ properties, propertyNames }: JsonSchema): readonly string[] {
  return properties === undefined
    ? ((propertyNames?.enum ?? []) as readonly string[])
    : Object.keys(properties)
}

function isDuration({ anyOf }: JsonSchema): boolean {
  return anyOf?.some(({ pattern }) => pattern === DURATION.source) === true
}

function listWords({ minItems = 0, maxItems, items, prefixItems }: JsonSchema): string {
  const one = prefixItems?.[0] ?? (items || undefined)
  const of = one === undefined || one.oneOf !== undefined ? '' : `, each ${wordsOf(one)}`
  if (minItems === maxItems) return `a list of ${minItems}${of}`
  return maxItems === undefined ? `a list${of}` : `a list of ${minItems} to ${maxItems}${of}`
}

function rangeOf({ minimum, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): string {
  if (minimum === undefined || minimum === Number.MIN_SAFE_INTEGER)
    return maximum === Number.MAX_SAFE_INTEGER ? '' : ` up to ${maximum}`
  return maximum === Number.MAX_SAFE_INTEGER ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`
}
