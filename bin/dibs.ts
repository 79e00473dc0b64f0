#!/usr/bin/env node
/** The command `dibs`. */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { main } from '../sim/cli/main.js'
import { systemClock } from '../src/platform/index.js'
import { startWorker } from './start-worker.js'

const HELP = `Devices share work with no server, offline first.

  dibs sim <command>   simulate a group of devices, and all that can go wrong
  dibs --version
  dibs --help

“dibs sim --help” lists its commands. More of them come later.
`

/** Whoever reads what is printed may stop, as `head` does. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

process.exitCode = await run(process.argv.slice(2))

async function run([command, ...args]: readonly string[]): Promise<number> {
  switch (command) {
    case 'sim':
      return main({
        args,
        print: (text) => void process.stdout.write(text),
        tell: (text) => void process.stderr.write(text),
        isWatched: process.stderr.isTTY === true,
        hasColour:
          process.stdout.isTTY === true &&
          (process.env['NO_COLOR'] ?? '') === '' &&
          process.env['TERM'] !== 'dumb',
        clock: systemClock,
        startWorker,
        cores: availableParallelism(),
      })
    case '--version':
    case '-v':
      process.stdout.write(`${version()}\n`)
      return 0
    case undefined:
    case '--help':
    case '-h':
    case 'help':
      process.stdout.write(HELP)
      return command === undefined ? 2 : 0
    default:
      process.stderr.write(`dibs: there is no command “${command}” yet: only “sim”. Try “dibs --help”.\n`)
      return 2
  }
}

/** The package stands above `bin/`, and above `dist/bin/`. */
function version(): string {
  for (const path of ['../package.json', '../../package.json'])
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Record<
        string,
        string
      >
      if (name === 'dibs' && version !== undefined) return version
    } catch {
      // It stands elsewhere.
    }
  return 'unknown'
}
