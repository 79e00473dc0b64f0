/** How long something takes: milliseconds, or a number with a unit. */

/** Milliseconds, or a number with a unit: `90s`, `1.5h`. */
export type Duration = number | string

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export const DURATION: RegExp = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** Throws a `RangeError` for what is no duration. */
export function msOfDuration(given: Duration): number {
  if (typeof given === 'number' && given >= 0) return given
  const [, number, unit] = DURATION.exec(String(given)) ?? []
  const ms = Number(number) * (UNITS[unit ?? ''] ?? Number.NaN)
  if (Number.isNaN(ms))
    throw new RangeError(
      `“${given}” is no duration: write milliseconds, or a number and ms, s, m, h or d, as “90s”.`,
    )
  return ms
}
