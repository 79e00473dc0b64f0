/** Arguments of one command, checked against its options. */
import { parseArgs } from 'node:util'
import { nearest } from '../script/nearest.js'
import type { Command, Options } from './command.js'
import { UsageError } from './usage-error.js'
import type { Value } from './values.js'

export class Args {
  readonly operands: readonly string[]
  readonly #given: ReadonlyMap<string, string | true>

  constructor(operands: readonly string[], given: ReadonlyMap<string, string | true>) {
    this.operands = operands
    this.#given = given
  }

  has(name: string): boolean {
    return this.#given.has(name)
  }

  text(name: string): string | undefined {
    const given = this.#given.get(name)
    return typeof given === 'string' ? given : undefined
  }

  /** Throws a `UsageError` for what the option does not take. */
  value<T>(name: string, value: Value<T>): T | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : readValue(name, text, value)
  }

  needed<T>(name: string, value: Value<T>): T {
    const text = this.text(name)
    if (text === undefined) throw new UsageError(`--${name} is missing. It takes ${value.takes}.`)
    return readValue(name, text, value)
  }
}

function readValue<T>(name: string, text: string, { takes, read }: Value<T>): T {
  const value = read(text)
  if (value === null) throw new UsageError(`--${name} takes ${takes}, not “${text}”.`)
  return value
}

/** Throws a `UsageError` for an option that there is not, or that lacks its value, and for too many operands. */
export function argsOf(given: readonly string[], { options, count = [0, 0], operands }: Command): Args {
  const { tokens } = parseArgs({
    args: [...given],
    options: Object.fromEntries(
      Object.entries(options).map(
        ([name, { takes }]) => [name, { type: takes === null ? 'boolean' : 'string' }] as const,
      ),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, string | true>()
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    values.set(token.name, valueGiven(token.name, token.rawName, token.value, options))
  }
  const [least, most] = count
  if (words.length < least) throw new UsageError(`${operands} is missing.`)
  if (words.length > most)
    throw new UsageError(
      `“${words[most]}” is too much: ${most === 0 ? 'only options follow' : `it takes ${operands}`}.`,
    )
  return new Args(words, values)
}

function valueGiven(
  name: string,
  written: string,
  value: string | undefined,
  options: Options,
): string | true {
  const option = options[name]
  if (option === undefined || !written.startsWith('--')) {
    const near = nearest(name, Object.keys(options))
    const all = Object.keys(options).map((known) => `--${known}`)
    throw new UsageError(
      `There is no option ${written}.${near === null ? ` There are ${all.join(', ')}.` : ` Did you mean --${near}?`}`,
    )
  }
  if (option.takes === null) {
    if (value !== undefined) throw new UsageError(`--${name} takes nothing, not “${value}”.`)
    return true
  }
  if (value === undefined || value === '')
    throw new UsageError(`--${name} takes ${option.takes}: ${option.what}.`)
  return value
}
