/** Options that say what chance may draw, shared by the commands that draw. */
import type { DrawOptions } from '../swarm/draw.js'
import { FAULTS, type FaultName } from '../swarm/faults.js'
import type { Args } from './args.js'
import type { Options } from './command.js'
import { DEVICES, FAULT_LIST, HEARTBEAT, HOURS, RUNS } from './values.js'

export const DRAW_OPTIONS: Options = {
  devices: { takes: '<n>', what: 'how many devices; 2 to 9 by chance, unless given' },
  runs: { takes: '<n>', what: 'how many submits; 10 to 60 by chance, unless given' },
  hours: { takes: '<n>', what: 'simulated hours; 1 to 2 by chance, unless given' },
  faults: { takes: '<list>', what: 'all, none, or names with commas; by chance, unless given' },
  heartbeat: { takes: '<s>/<s>', what: 'seconds of interval and timeout, as 30/90; by chance, unless given' },
}

export const FAULT_NOTES: string = [
  'Faults:',
  ...Object.entries(FAULTS).map(([name, { what }]) => `  ${name.padEnd(11)} ${what}`),
].join('\n')

export function drawOptionsOf(args: Args): Omit<DrawOptions, 'seed'> {
  return {
    devices: args.value('devices', DEVICES),
    runs: args.value('runs', RUNS),
    hours: args.value('hours', HOURS),
    faults: args.value('faults', FAULT_LIST),
    heartbeat: args.value('heartbeat', HEARTBEAT),
  }
}

/** The command that draws and plays the same again. */
export function replayOfSeed({ seed, devices, runs, hours, faults, heartbeat }: DrawOptions): string {
  const parts = [`dibs sim run --seed ${seed}`]
  if (devices !== undefined) parts.push(`--devices ${devices}`)
  if (runs !== undefined) parts.push(`--runs ${runs}`)
  if (hours !== undefined) parts.push(`--hours ${hours}`)
  if (faults !== undefined) parts.push(`--faults ${faultsText(faults)}`)
  if (heartbeat !== undefined)
    parts.push(`--heartbeat ${heartbeat.intervalMs / 1000}/${heartbeat.timeoutMs / 1000}`)
  return parts.join(' ')
}

function faultsText(faults: readonly FaultName[]): string {
  if (faults.length === 0) return 'none'
  return faults.length === Object.keys(FAULTS).length ? 'all' : faults.join(',')
}

/** As a shell takes it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
