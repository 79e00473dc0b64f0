/** Measuring: warm up, repeat, take the median, keep the range. */

/** Repetitions of each measurement. */
export const REPEATS = 5

export interface Row {
  readonly what: string
  /** Of the repetitions, in the unit of the table. */
  readonly median: number
  readonly least: number
  readonly most: number
  /** How it compares to what it is measured against, where it is: 2 means twice the figure. */
  readonly ratio?: number
}

export interface Table {
  readonly title: string
  readonly unit: string
  readonly note: string
  /** What the ratios are to, where there are any. */
  readonly against?: string
  /** Repetitions of each row, where they are not `REPEATS`. */
  readonly repeats?: number
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
  })
  return rowOf(what, rates)
}

/** A row of figures that were measured elsewhere. */
export function rowOf(what: string, figures: readonly number[]): Row {
  const sorted = [...figures].sort((a, b) => a - b)
  return {
    what,
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    least: sorted[0] ?? 0,
    most: sorted[sorted.length - 1] ?? 0,
  }
}

/** The row, with how it compares to another. */
export function against(row: Row, other: Row): Row {
  return { ...row, ratio: row.median / other.median }
}

export function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K… ${what}`)
  else process.stderr.write(`… ${what}\n`)
}
