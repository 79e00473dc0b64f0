/** `dibs sim schema` */
import { scriptJsonSchema } from '../script/json-schema.js'
import type { Command } from './command.js'

export const schema: Command = {
  what: 'prints the JSON schema of scripts, for editors',
  operands: '',
  options: {},
  run: async (_args, terminal) => {
    terminal.print(`${JSON.stringify(scriptJsonSchema(), null, 2)}\n`)
    return 0
  },
}
