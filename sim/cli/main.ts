/** `dibs sim`: finds the command, and says what was wrong with what was asked. */
import { nearest } from '../script/nearest.js'
import { ScriptError } from '../script/script-error.js'
import { argsOf } from './args.js'
import type { ExitCode } from './command.js'
import { COMMANDS } from './commands.js'
import { helpOf, overview } from './help.js'
import type { Terminal } from './terminal.js'
import { FileError, UsageError } from './usage-error.js'

const HELP: ReadonlySet<string> = new Set(['--help', '-h'])

export async function main(terminal: Terminal): Promise<ExitCode> {
  const [name, ...args] = terminal.args
  try {
    return await dispatch(name, args, terminal)
  } catch (error) {
    terminal.tell(`${messageOf(error)}\n`)
    if (error instanceof UsageError)
      terminal.tell(
        `“dibs sim ${name !== undefined && name in COMMANDS ? `${name} ` : ''}--help” says what there is.\n`,
      )
    return error instanceof UsageError || error instanceof ScriptError ? 2 : 1
  }
}

async function dispatch(
  name: string | undefined,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  if (name === undefined) {
    terminal.tell(overview(COMMANDS))
    return 2
  }
  if (HELP.has(name) || (name === 'help' && args.length === 0)) {
    terminal.print(overview(COMMANDS))
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new UsageError(unknown(name))
  if (args.some((arg) => HELP.has(arg))) {
    terminal.print(helpOf(name, command))
    return 0
  }
  return command.run(argsOf(args, command), terminal)
}

function unknown(name: string): string {
  const near = nearest(name, Object.keys(COMMANDS))
  const hint = near === null ? `There are ${Object.keys(COMMANDS).join(', ')}.` : `Did you mean “${near}”?`
  return `There is no command “dibs sim ${name}”. ${hint}`
}

/** What is no one's mistake shows where it comes from. */
function messageOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof ScriptError || error instanceof FileError)
    return `dibs sim: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
