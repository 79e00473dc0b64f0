/** The error for an option that cannot be used: names it, says what it was and what is allowed. */
import { cut } from './cut.js'
import { InputError } from './errors.js'

/** Characters of a value that are shown: enough to find it, too few to log a secret by mistake. */
const SHOWN_CHARACTERS = 40

/** `fault` is what a schema said, as `.path: what`. */
export function invalidOption(option: string, value: unknown, allowed: string, fault = ''): InputError {
  const was = describe(value)
  const why = fault === '' ? '' : ` (${fault.replace(/^:\s*/, '')})`
  return new InputError(
    'INVALID_OPTIONS',
    `The option “${option}” was ${was}${why}. Allowed: ${allowed}. Nothing was written.`,
    { option, was, allowed },
  )
}

/** Refuses keys that nobody reads: most are misspelt, and would be ignored in silence. */
export function unknownOption(option: string, known: readonly string[]): InputError {
  return new InputError(
    'INVALID_OPTIONS',
    `There is no option “${shown(option)}”. Known: ${known.join(', ')}. Nothing was written.`,
    { option: shown(option), known },
  )
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shown(value))
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return shown(String(value))
  const keys = Object.keys(value)
  return keys.length === 0 ? 'an object without keys' : `an object with ${shown(keys.join(', '))}`
}

function shown(text: string): string {
  return cut(text, SHOWN_CHARACTERS)
}
