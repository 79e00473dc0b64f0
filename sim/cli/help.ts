/** Help, made from the tables of commands and options. */
import type { Command } from './command.js'
import { paragraph, rows } from './layout.js'

export function overview(commands: Readonly<Record<string, Command>>): string {
  return [
    paragraph(
      'Simulates a group of devices in virtual time, with all that can go wrong, and checks at every step that what ' +
        'dibs promises holds.',
    ),
    '\n',
    'dibs sim <command> [options]\n\n',
    rows(
      Object.entries(commands).map(([name, { what }]) => [name, what]),
      '  ',
    ),
    '\n',
    paragraph(
      '“dibs sim <command> --help” says more. It exits with 0 if all is well, with 3 if an invariant was violated, ' +
        'with 2 if the command line or a script makes no sense, and with 1 at any other error. NO_COLOR turns colours off.',
    ),
  ].join('')
}

export function helpOf(name: string, { what, operands, options, notes }: Command): string {
  const pairs = Object.entries(options).map(
    ([option, { takes, what }]) => [`--${option}${takes === null ? '' : ` ${takes}`}`, what] as const,
  )
  const usage = ['dibs sim', name, operands, pairs.length > 0 ? '[options]' : ''].filter(
    (part) => part !== '',
  )
  return [
    `${usage.join(' ')}\n\n`,
    `${what[0]?.toUpperCase()}${what.slice(1)}.\n`,
    ...(pairs.length > 0 ? [`\n${rows(pairs, '  ')}`] : []),
    ...(notes === undefined ? [] : [`\n${notes}\n`]),
  ].join('')
}
