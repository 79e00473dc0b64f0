/** Numbers, times and sizes for people; the same on every machine. */

/** `12,345` */
export function countText(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 run`, `12,345 runs` */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`
}

/** `850 ms`, `12.5 s`, `3 min 20 s`, `2 h 5 min` */
export function timeText(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return two(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(seconds / 60)
  return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

function two(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${countText(big)} ${bigUnit}` : `${countText(big)} ${bigUnit} ${small} ${smallUnit}`
}

/** `850 B`, `12.5 kB`, `3.2 MB` */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1000
  let unit = 0
  for (; value >= 999.95 && unit < units.length - 1; unit++) value /= 1000
  return `${value.toFixed(1)} ${units[unit]}`
}

/** `created 39, timeout 2`, the most frequent first. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  return sorted.length === 0
    ? 'none'
    : sorted.map(([name, count]) => `${name} ${countText(count)}`).join(', ')
}
