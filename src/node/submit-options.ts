/** What can be said at a submit, and the draft of the record that a submit writes. */
import { type Draft, fieldFault, MAX_DURATION_MS, type Payload, type RunId } from '../../protocol/index.js'
import { bareBase, type InputOf, type RunType } from './define-run.js'
import { invalidOption, unknownOption } from './invalid-option.js'
import {
  applySetting,
  type CreatedFields,
  RUN_SETTING_NAMES,
  type RunSettings,
  type SettingName,
} from './run-settings.js'

export interface SubmitOptions extends RunSettings {
  /** Idempotency key: submits of one type and project with the same key, on whatever device, make one run. */
  readonly key?: string | undefined
  /** Nobody works on it before this moment: milliseconds since 1970. */
  readonly notBefore?: number | undefined
  /** The same, as milliseconds from now. */
  readonly delayMs?: number | undefined
  /** It fails if it is not done by this moment: milliseconds since 1970. */
  readonly deadline?: number | undefined
  /** The same, as milliseconds from now. */
  readonly deadlineInMs?: number | undefined
  /** The run that this one was made by. */
  readonly parent?: RunId | undefined
}

/** What `submit` takes after the type: the input may be left out where nothing is a right input. */
export type SubmitArguments<T extends RunType> =
  null extends InputOf<T>
    ? [input?: InputOf<T>, options?: SubmitOptions]
    : undefined extends InputOf<T>
      ? [input?: InputOf<T>, options?: SubmitOptions]
      : [input: InputOf<T>, options?: SubmitOptions]

const SETTINGS: ReadonlySet<string> = new Set([
  ...RUN_SETTING_NAMES,
  'key',
  'notBefore',
  'deadline',
  'parent',
])
const KNOWN: readonly string[] = [...SETTINGS, 'delayMs', 'deadlineInMs']

/**
 * The draft of the `created` record: the definition's settings and, over them, these. Only what is given here is
 * checked here: the definition was when it was made, and the input by `validateInput`.
 *
 * Throws `INVALID_OPTIONS`, naming the option.
 */
export function createdDraft(
  type: RunType | string,
  input: Payload,
  options: SubmitOptions | undefined,
  nowMs: number,
): Draft<'created'> {
  const fields: CreatedFields = { ...(typeof type === 'string' ? bareBase(type) : type.base) }
  if (input !== null) fields['input'] = input
  if (options !== undefined) applyOptions(fields, options, nowMs)
  return fields as unknown as Draft<'created'>
}

function applyOptions(fields: CreatedFields, options: SubmitOptions, nowMs: number): void {
  if (typeof options !== 'object' || options === null) throw invalidOption('options', options, 'an object')
  for (const name of Object.keys(options)) {
    const value: unknown = options[name as keyof SubmitOptions]
    if (value === undefined) continue
    if (SETTINGS.has(name)) applySetting(fields, name as SettingName, value)
    else if (name === 'delayMs') applyFromNow(fields, 'notBefore', name, options, nowMs)
    else if (name === 'deadlineInMs') applyFromNow(fields, 'deadline', name, options, nowMs)
    else throw unknownOption(name, KNOWN)
  }
  const { notBefore, deadline } = fields as { readonly notBefore?: number; readonly deadline?: number }
  if (notBefore !== undefined && deadline !== undefined && deadline <= notBefore) {
    throw invalidOption('deadline', deadline, `a moment after notBefore, which is ${notBefore}`)
  }
}

function applyFromNow(
  fields: CreatedFields,
  moment: 'notBefore' | 'deadline',
  name: 'delayMs' | 'deadlineInMs',
  options: SubmitOptions,
  nowMs: number,
): void {
  const span = options[name]
  if (options[moment] !== undefined) throw invalidOption(name, span, `either ${name} or ${moment}, not both`)
  const fault = fieldFault('span', span)
  if (fault !== undefined)
    throw invalidOption(name, span, `whole milliseconds from 0 to ${MAX_DURATION_MS}`, fault)
  // Nothing to wait for: the moment would only say when the run was made.
  if (moment === 'notBefore' && span === 0) return
  applySetting(fields, moment, Math.ceil(nowMs) + (span as number))
}
