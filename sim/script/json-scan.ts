/** Reads JSON for the sake of its lines: where a field stands, and where the text stops being JSON. */

/** Names of fields and places in lists, from the outside in. */
export type JsonPath = readonly (string | number)[]

/** Where the text is no JSON, and why. */
export class JsonError extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

/** Arrays and objects within each other. */
const MAX_DEPTH = 100

const STRING = /"(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const SPACE = /[ \t\n\r]*/y

/** Which line a moment of a text stands in, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** Where a value begins, or the nearest one around it that is there. */
export function offsetOf(text: string, path: JsonPath): number {
  let deepest = -1
  let found = 0
  scan(text, (at, offset) => {
    if (at.length <= deepest || at.length > path.length) return
    if (at.some((key, i) => key !== path[i])) return
    deepest = at.length
    found = offset
  })
  return found
}

/** Walks through all values, with their paths. Throws a `JsonError` at the first thing that is no JSON. */
export function scan(text: string, onValue: OnValue = () => undefined): void {
  new Scanner(text, onValue).all()
}

type OnValue = (path: JsonPath, offset: number) => void

class Scanner {
  readonly #text: string
  readonly #onValue: OnValue
  readonly #path: (string | number)[] = []
  #at = 0

  constructor(text: string, onValue: OnValue) {
    this.#text = text
    this.#onValue = onValue
  }

  all(): void {
    this.#value()
    this.#match(SPACE)
    if (this.#at < this.#text.length) throw this.#error(`Something follows the end: ${this.#seen()}.`)
  }

  #value(): void {
    this.#match(SPACE)
    this.#onValue(this.#path, this.#at)
    if (this.#path.length > MAX_DEPTH)
      throw this.#error(`More than ${MAX_DEPTH} lists and objects stand within each other.`)
    if (this.#next === '{') this.#members('}', () => this.#named())
    else if (this.#next === '[') this.#members(']', (place) => this.#under(place))
    else if ((this.#match(STRING) ?? this.#match(NUMBER) ?? this.#match(WORD)) === null)
      throw this.#error(this.#whyNoValue())
  }

  #whyNoValue(): string {
    if (this.#next === '"') return 'A text has no end, or a line break or an unknown escape in it.'
    return this.#next === "'" ? 'Texts stand in double quotes.' : `A value is missing before ${this.#seen()}.`
  }

  #members(end: ']' | '}', one: (place: number) => void): void {
    this.#at++
    if (this.#takes(end)) return
    for (let place = 0; ; place++) {
      one(place)
      if (this.#takes(end)) return
      if (!this.#takes(',')) throw this.#error(`A comma or “${end}” is missing before ${this.#seen()}.`)
      this.#match(SPACE)
      if (this.#next === end) throw this.#error(`A comma stands before “${end}”: take it away.`)
    }
  }

  #named(): void {
    const name = this.#match(STRING)
    if (name === null)
      throw this.#error(`The name of a field, in double quotes, is missing before ${this.#seen()}.`)
    if (!this.#takes(':')) throw this.#error(`A colon is missing before ${this.#seen()}.`)
    this.#under(JSON.parse(name) as string)
  }

  #under(key: string | number): void {
    this.#path.push(key)
    this.#value()
    this.#path.pop()
  }

  get #next(): string | undefined {
    return this.#text[this.#at]
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    this.#at += found?.length ?? 0
    return found ?? null
  }

  #takes(sign: string): boolean {
    this.#match(SPACE)
    if (this.#next !== sign) return false
    this.#at++
    return true
  }

  #seen(): string {
    return this.#next === undefined
      ? 'the end of the file'
      : `“${this.#text.slice(this.#at, this.#at + 12).split('\n')[0]}”`
  }

  #error(message: string): JsonError {
    return new JsonError(this.#at, message)
  }
}
