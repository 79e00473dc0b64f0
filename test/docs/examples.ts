/** The examples of doc comments: each block of `ts` in one. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Program, printsOf } from './programs.js'

export interface Example extends Program {
  /** The file, and what of it the comment is about: nothing if it is the whole file. */
  readonly name: string
  /** Where its first line stands in the file. */
  readonly line: number
}

const COMMENT = /^[ \t]*\/\*\*[\s\S]*?\*\/\n(.*)/gm
const FENCE = /^[ \t]*\* ```ts\n([\s\S]*?)^[ \t]*\* ```$/gm
/** An example that nothing would look at. */
const OTHER_EXAMPLE = /^[ \t]*\* @example(?!\n[ \t]*\* ```ts\n)/m
const DECLARED = /^\s*(?:(?:export|async|readonly|function|class|interface|const|type) )*(\w+)/

export function examplesUnder(folders: readonly string[]): readonly Example[] {
  return folders.flatMap(filesOf).flatMap(examplesOf)
}

function filesOf(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(folder, name))
}

function examplesOf(page: string): readonly Example[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(COMMENT)].flatMap(({ 0: comment, 1: next = '', index: start }) => {
    if (OTHER_EXAMPLE.test(comment)) throw new Error(`${page}: an @example is no block of ts.`)
    const title = start === 0 ? 'the file' : (DECLARED.exec(next)?.[1] ?? 'a comment')
    const name = start === 0 ? page : `${page} ${title}`
    return [...comment.matchAll(FENCE)].map(({ 1: block = '', index }) => {
      const code = block.replace(/^[ \t]*\* ?/gm, '')
      const line = text.slice(0, start + index).split('\n').length + 1
      return { page, title, name, line, code, prints: printsOf(code) }
    })
  })
}

/** With what it leaves out, in the first line: all others keep their numbers, so that errors name the file's own. */
export function completed(example: Example, prelude: readonly string[]): Example {
  return { ...example, code: `${prelude.join('; ')}${'\n'.repeat(example.line - 1)}${example.code}` }
}
