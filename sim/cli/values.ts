/** What options take: how it is read, and how it is said. */
import { MAX_DEVICES, MAX_HOURS, MAX_RUNS } from '../constants.js'
import { nearest } from '../script/nearest.js'
import type { Heartbeat } from '../script/types.js'
import { FAULTS, type FaultName } from '../swarm/faults.js'
import { UsageError } from './usage-error.js'

export interface Value<T> {
  /** For people, as in “--seed takes a whole number”. */
  readonly takes: string
  /** Null if it is none. */
  readonly read: (text: string) => T | null
}

export const MAX_SEED: number = 2 ** 32 - 1

/** Seeds of one swarm. */
const MAX_SEEDS = 10_000_000

export function whole(least: number, most: number): Value<number> {
  return { takes: `a whole number from ${least} to ${most}`, read: (text) => wholeIn(text, least, most) }
}

function wholeIn(text: string, least: number, most: number): number | null {
  const value = Number(text)
  return /^\d+$/.test(text) && value >= least && value <= most ? value : null
}

export function decimal(most: number): Value<number> {
  return {
    takes: `a number above 0, up to ${most}`,
    read: (text) => {
      const value = Number(text)
      return /^\d+(\.\d+)?$/.test(text) && value > 0 && value <= most ? value : null
    },
  }
}

export const SEED: Value<number> = whole(0, MAX_SEED)
export const DEVICES: Value<number> = whole(1, MAX_DEVICES)
export const RUNS: Value<number> = whole(0, MAX_RUNS)
export const HOURS: Value<number> = decimal(MAX_HOURS)
export const MINUTES: Value<number> = decimal(1_000_000)
export const TRIES: Value<number> = whole(0, 1_000_000)
export const PATH: Value<string> = { takes: 'a file', read: (text) => text }

const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]

export const FAULT_LIST: Value<readonly FaultName[]> = {
  takes: `all, none, or some of ${FAULT_NAMES.join(',')}`,
  read: (text) => {
    if (text === 'all') return FAULT_NAMES
    if (text === 'none') return []
    return text.split(',').map(faultCalled)
  },
}

function faultCalled(name: string): FaultName {
  if (name in FAULTS) return name as FaultName
  const near = nearest(name, FAULT_NAMES)
  const hint = near === null ? '' : ` Did you mean ${near}?`
  throw new UsageError(`--faults takes ${FAULT_LIST.takes}, not “${name}”.${hint}`)
}

/** Seconds between two heartbeats, and seconds of silence after which a device counts as gone. */
export const HEARTBEAT: Value<Heartbeat> = {
  takes: 'two numbers of seconds, interval/timeout, the timeout longer, as 30/90',
  read: (text) => {
    const [, interval, timeout] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(text) ?? []
    const intervalMs = Math.round(Number(interval) * 1000)
    const timeoutMs = Math.round(Number(timeout) * 1000)
    return intervalMs >= 100 && timeoutMs > intervalMs ? { intervalMs, timeoutMs } : null
  },
}

/** One range after the other, none of them unrolled. */
export const SEEDS: Value<readonly (readonly [from: number, to: number])[]> = {
  takes: 'seeds, as 1-200 or 3,7,20-30',
  read: (text) => {
    const ranges = text.split(',').map((part): readonly [number, number] | null => {
      const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? []
      const from = wholeIn(first ?? '', 0, MAX_SEED)
      const to = wholeIn(last ?? '', 0, MAX_SEED)
      return from === null || to === null || to < from ? null : [from, to]
    })
    return ranges.some((range) => range === null) || countOf(ranges as [number, number][]) > MAX_SEEDS
      ? null
      : (ranges as [number, number][])
  },
}

export function countOf(ranges: readonly (readonly [number, number])[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)
}

export function* seedsOf(ranges: readonly (readonly [number, number])[]): Iterable<number> {
  for (const [from, to] of ranges) for (let seed = from; seed <= to; seed++) yield seed
}
