/**
 * The programs of a page. A block of code that begins with an import begins a program; the blocks after it go on with
 * it. What a program prints stands in comments: at the end of the line of a `console.log`, or in the lines after it.
 */
import { readFileSync } from 'node:fs'

export interface Program {
  readonly page: string
  /** The heading that it stands under. */
  readonly title: string
  readonly code: string
  /** Printed lines. `…` stands for anything. */
  readonly prints: readonly string[]
}

const FENCE = /^```(ts|js)\n([\s\S]*?)^```$/gm
const HEADING = /^#+ (.+)$/gm

export function programsOf(page: string): readonly Program[] {
  const text = readFileSync(page, 'utf8')
  const programs: { title: string; code: string }[] = []
  for (const { index, 2: code = '' } of text.matchAll(FENCE)) {
    const last = programs[programs.length - 1]
    if (code.startsWith('import ')) programs.push({ title: headingBefore(text, index), code })
    else if (last !== undefined) last.code += `\n${code}`
    else throw new Error(`${page}: the first block of code has no import.`)
  }
  return programs.map(({ title, code }) => ({ page, title, code, prints: printsOf(code) }))
}

function headingBefore(text: string, index: number): string {
  const headings = [...text.slice(0, index).matchAll(HEADING)]
  return headings[headings.length - 1]?.[1] ?? 'the beginning'
}

/** What the comments of a program say that it prints. */
export function printsOf(code: string): readonly string[] {
  const prints: string[] = []
  let isAfterLog = false
  for (const line of code.split('\n')) {
    const comment = /^\s*\/\/ (.*)$/.exec(line)?.[1]
    const logged = /console\.log\(.*\)(?: \/\/ (.*))?$/.exec(line)
    if (logged !== null) {
      isAfterLog = true
      if (logged[1] !== undefined) prints.push(logged[1])
    } else if (comment === undefined) isAfterLog &&= line.trim() === '}'
    else if (isAfterLog) prints.push(comment)
  }
  return prints
}

/** What was printed. Lines that fit are shown as the page has them, so that a difference stands out. */
export function asSaid(printed: readonly string[], prints: readonly string[]): readonly string[] {
  return printed.map((line, i) => (fits(line, prints[i] ?? '') ? (prints[i] ?? '') : line))
}

/** Whether what was printed is what the page says. */
export function fits(printed: string, said: string): boolean {
  const parts = said.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(printed)
}
