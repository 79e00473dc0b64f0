/** Vectors as JSON: bytes as `{ "$bytes": hex }`, one case a line so that differences can be read. */

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

export function unhex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'hex'))
}

/** Data as JSON can hold it. */
export function toJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return { $bytes: hex(value) }
  if (value instanceof Map) return toJson(Object.fromEntries(value))
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item)]))
}

/** The data that `toJson` wrote. */
export function ofJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ofJson)
  if (typeof value !== 'object' || value === null) return value
  if ('$bytes' in value) return unhex(String(value.$bytes))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, ofJson(item)]))
}

/** `{ about, lists of cases }`: two levels spread over lines, each case on one. */
export function stringify(value: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(value).map(([key, part]) => `  ${JSON.stringify(key)}: ${list(part)}`)
  return `{\n${parts.join(',\n')}\n}\n`
}

function list(part: unknown): string {
  if (!Array.isArray(part)) return JSON.stringify(toJson(part))
  return `[\n${part.map((item) => `    ${JSON.stringify(toJson(item))}`).join(',\n')}\n  ]`
}
