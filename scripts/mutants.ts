/**
 * `npm run mutants -- [--only name] [--seeds N] [--jobs 2] [--json]`
 *
 * Plants bugs in a copy of the source, one at a time, and lets the simulator look for them: proof that its oracles see.
 * Exits with 3 if a bug is not caught.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Catch, type CleanSeeds, hunt } from './mutants/hunt.js'
import { edited, type Mutant } from './mutants/mutant.js'
import { MUTANTS } from './mutants/mutants.js'
import { Scratch } from './mutants/scratch.js'
import { tableOf } from './mutants/table.js'

const USAGE = 'usage: npm run mutants -- [--only name,name] [--seeds N] [--jobs N] [--json]\n'
const EXIT_SURVIVED = 3
/** Characters of a violation that are shown while it goes on. */
const SHOWN_CHARS = 200
const ROOT = fileURLToPath(new URL('..', import.meta.url))

const { mutants, seeds, jobs, isJson } = options()
checkAll()
const began = performance.now()
const caught = await huntAll()
const seconds = (performance.now() - began) / 1000
process.stdout.write(
  isJson ? `${JSON.stringify(jsonOf(caught), null, 2)}\n` : `\n${tableOf(caught, seconds)}\n`,
)
process.exitCode = caught.some(({ violated }) => violated === null) ? EXIT_SURVIVED : 0

function options() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        seeds: { type: 'string' },
        jobs: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const only = values.only?.split(',') ?? null
    const unknown = only?.find((name) => !MUTANTS.some((mutant) => mutant.name === name))
    if (unknown !== undefined) throw new Error(`There is no mutant ${unknown}.`)
    return {
      mutants: MUTANTS.filter(({ name }) => only === null || only.includes(name)),
      seeds: values.seeds === undefined ? null : whole('--seeds', values.seeds),
      jobs: values.jobs === undefined ? Math.min(2, availableParallelism()) : whole('--jobs', values.jobs),
      isJson: values.json,
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
    process.exit(2)
  }
}

function whole(name: string, text: string): number {
  const number = Number(text)
  if (!(Number.isSafeInteger(number) && number > 0)) throw new Error(`${name} takes a number above 0.`)
  return number
}

/** A list that has rotted is found before the first simulation, not after an hour. */
function checkAll(): void {
  for (const { edits } of mutants) {
    const texts = new Map<string, string>()
    for (const edit of edits) {
      const text = texts.get(edit.file) ?? readFileSync(join(ROOT, edit.file), 'utf8')
      texts.set(edit.file, edited(text, edit))
    }
  }
}

async function huntAll(): Promise<readonly Catch[]> {
  const waiting: Mutant[] = [...mutants]
  const found = new Map<Mutant, Catch>()
  const clean: CleanSeeds = new Map()
  const original = new Scratch(ROOT)
  const lanes = Array.from({ length: Math.min(jobs, mutants.length) }, () => new Scratch(original.folder))
  const folders = [original, ...lanes]
  const remove = (): void => {
    for (const scratch of folders) scratch.remove()
  }
  process.once('exit', remove)
  const work = async (scratch: Scratch): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const one = await hunt(scratch, mutant, seeds ?? mutant.hunt.seeds, clean)
      found.set(mutant, one)
      show(one, found.size)
    }
  }
  await Promise.all(lanes.map(work))
  return mutants.map((mutant) => found.get(mutant) as Catch)
}

function show({ mutant, violated, seed, unclear, seconds: took }: Catch, done: number): void {
  const how = violated === null ? 'NOT CAUGHT' : `${violated.invariant}, seed ${seed}`
  const doubt = unclear.length === 0 ? '' : `, unclear: ${unclear.join(' ')}`
  process.stderr.write(`${done}/${mutants.length}  ${mutant.name}: ${how}, ${took.toFixed(1)} s${doubt}\n`)
  if (violated !== null) process.stderr.write(`      ${violated.line.slice(0, SHOWN_CHARS)}\n`)
}

function jsonOf(all: readonly Catch[]) {
  return all.map(({ mutant, ...rest }) => ({ name: mutant.name, what: mutant.what, ...rest }))
}
