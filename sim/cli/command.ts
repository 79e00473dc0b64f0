/** What a command is. A new one is an entry of the table in `commands.ts`. */
import type { Args } from './args.js'
import type { Terminal } from './terminal.js'

export interface Option {
  /** What it takes, as `<n>`; null for one that is there or not. */
  readonly takes: string | null
  /** For people. */
  readonly what: string
}

export type Options = Readonly<Record<string, Option>>

/** 0: fine, 3: an invariant was violated. Usage is 2 and errors are 1: throw them. */
export type ExitCode = 0 | 1 | 2 | 3

export interface Command {
  readonly what: string
  /** What comes after its name, as `<file>`. Empty if nothing does. */
  readonly operands: string
  /** How many operands there may be. @default 0 to 0 */
  readonly count?: readonly [least: number, most: number] | undefined
  readonly options: Options
  /** More to say in its help. */
  readonly notes?: string | undefined
  readonly run: (args: Args, terminal: Terminal) => Promise<ExitCode>
}
