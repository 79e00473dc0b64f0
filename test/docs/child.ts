/** `child <answer> <program> …`: runs programs one after the other, and writes down what each printed. */
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'
import type { Outcome } from './run-programs.js'

const [answer = '', ...files] = process.argv.slice(2)
const outcomes: Outcome[] = []
for (const file of files) {
  const printed: string[] = []
  console.log = (...values: unknown[]) => {
    printed.push(...format(...values).split('\n'))
  }
  let error: string | null = null
  try {
    await import(pathToFileURL(file).href)
  } catch (thrown) {
    error = thrown instanceof Error ? `${thrown.stack}` : String(thrown)
  }
  outcomes.push({ printed, error })
  writeFileSync(answer, JSON.stringify(outcomes))
}
