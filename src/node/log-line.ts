/** One line of a run's log: bounded, and plain data throughout. */
import { cborLength } from '../../protocol/cbor.js'
import { isWellFormed, type Payload } from '../../protocol/index.js'
import { cut } from './cut.js'
import { plainData } from './plain-data.js'

/** Characters of one line. What is longer belongs in a file. */
export const MAX_LOG_LINE_LENGTH = 2000

/** Bytes of the data of one line. */
export const MAX_LOG_DATA_BYTES = 4096

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What a handler logs. */
export interface LogEntry {
  readonly level: LogLevel
  readonly message: string
  /** Plain data. It is copied. */
  readonly data?: unknown
}

export interface LogLine {
  /** Counts the run's lines from 0: if the first one kept has another number, those before it are gone. */
  readonly line: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly level: LogLevel
  readonly message: string
  readonly data?: Payload
  /** The message was too long, or the data too large or no plain data: part of it was left out. */
  readonly cut?: true
}

/** Bytes of a line besides its text: run, number, time, level. An upper bound. */
const LINE_BYTES = 80
const LONE_SURROGATES = /\p{Surrogate}/gu

/** The line that is kept of an entry. Never throws: what cannot be kept is left out, and the line says so. */
export function lineOf(entry: LogEntry, line: number, at: number): LogLine {
  const whole = textOf(entry.message)
  const message = cut(whole, MAX_LOG_LINE_LENGTH - 1)
  const data = dataOf(entry.data)
  return {
    line,
    at,
    level: LOG_LEVELS.includes(entry.level) ? entry.level : 'info',
    message,
    ...(data !== undefined && { data }),
    ...((message !== whole || (data === undefined && entry.data !== undefined)) && { cut: true }),
  }
}

function textOf(message: unknown): string {
  if (typeof message !== 'string') return Object.prototype.toString.call(message)
  return isWellFormed(message) ? message : message.replace(LONE_SURROGATES, '\ufffd')
}

/** A copy; undefined if it is too large, or no plain data. */
function dataOf(value: unknown): Payload | undefined {
  if (value === undefined) return undefined
  try {
    const { payload, issues } = plainData(value)
    return issues === null && cborLength(payload) <= MAX_LOG_DATA_BYTES ? payload : undefined
  } catch {
    // A getter of the app's threw.
    return undefined
  }
}

/** An upper bound of what a line takes. */
export function bytesOf({ message, data }: LogLine): number {
  return LINE_BYTES + 3 * message.length + (data === undefined ? 0 : cborLength(data))
}
