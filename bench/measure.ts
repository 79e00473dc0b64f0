/** Measuring: warm up, repeat, take the median, keep the range. */

/** Repetitions of each measurement. */
export const REPEATS = 5

export interface Row {
  readonly what: string
  /** Of the repetitions, in the unit of the table. */
  readonly median: number
  readonly least: number
  readonly most: number
}

export interface Table {
  readonly title: string
  readonly unit: string
  readonly note: string
  readonly rows: readonly Row[]
}

export interface Suite {
  readonly name: string
  readonly tables: readonly Table[]
}

export interface Work {
  /** Done before each repetition, not measured. */
  readonly prepare?: () => void
  /** Measured; returns how much was done. */
  readonly run: () => number
}

/** Units of work a second, over the repetitions. */
export function rate(what: string, { prepare, run }: Work): Row {
  progress(what)
  prepare?.()
  run()
  const rates = Array.from({ length: REPEATS }, () => {
    prepare?.()
    globalThis.gc?.()
    const began = performance.now()
    const done = run()
    return done / ((performance.now() - began) / 1000)
  }).sort((a, b) => a - b)
  return {
    what,
    median: rates[Math.floor(REPEATS / 2)] ?? 0,
    least: rates[0] ?? 0,
    most: rates[REPEATS - 1] ?? 0,
  }
}

function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K… ${what}`)
  else process.stderr.write(`… ${what}\n`)
}
