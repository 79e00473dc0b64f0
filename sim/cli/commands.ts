/** All commands of `dibs sim`. */
import type { Command } from './command.js'
import { compare } from './compare.js'
import { replay } from './replay.js'
import { run } from './run.js'
import { scenario } from './scenario.js'
import { schema } from './schema.js'
import { shrink } from './shrink.js'
import { swarm } from './swarm.js'

export const COMMANDS: Readonly<Record<string, Command>> = {
  run,
  swarm,
  replay,
  shrink,
  scenario,
  compare,
  schema,
}
