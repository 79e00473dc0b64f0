/** Files that commands read and write. */
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { FileError } from './usage-error.js'

export function readText(file: string): string {
  return tried(`${file} cannot be read`, () => readFileSync(file, 'utf8'))
}

/** Makes the folder too. */
export function writeText(file: string, text: string): void {
  tried(`${file} cannot be written`, () => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  })
}

/** Bytes that are written at once. */
const BUFFER = 65_536

/** Writes line after line. */
export class LineFile {
  readonly #write: (text: string) => void
  readonly #close: () => void
  #waiting = ''

  /** `-` prints. */
  constructor(file: string, print: (text: string) => void) {
    if (file === '-') {
      this.#write = print
      this.#close = () => undefined
      return
    }
    const handle = tried(`${file} cannot be written`, () => {
      mkdirSync(dirname(file), { recursive: true })
      return openSync(file, 'w')
    })
    this.#write = (text) => tried(`${file} cannot be written`, () => writeSync(handle, text))
    this.#close = () => closeSync(handle)
  }

  add(line: string): void {
    this.#waiting += `${line}\n`
    if (this.#waiting.length >= BUFFER) this.#flush()
  }

  close(): void {
    this.#flush()
    this.#close()
  }

  #flush(): void {
    if (this.#waiting !== '') this.#write(this.#waiting)
    this.#waiting = ''
  }
}

function tried<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new FileError(`${what}: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}
