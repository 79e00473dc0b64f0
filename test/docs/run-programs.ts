/** Runs the programs of a page, one after the other, in one process, as if the package was installed beside them. */
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Program } from './programs.js'

export interface Outcome {
  readonly printed: readonly string[]
  /** What it threw. */
  readonly error: string | null
}

const run = promisify(execFile)
const ROOT = resolve('.')

/** Milliseconds after which a page counts as stuck. All of them take a few seconds. */
const PATIENCE_MS = 250_000

/** The package as it is published, but from its sources. */
const PACKAGE = {
  name: 'dibs',
  type: 'module',
  exports: {
    '.': './src/index.ts',
    './testing': './src/testing/index.ts',
    './sim': './sim/index.ts',
    './protocol': './protocol/index.ts',
  },
}

/** A folder that has the programs, and everything that they import. Hand it back with `removeFolder`. */
export function folderOf(programs: readonly Program[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'dibs-docs-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'dibs'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.') && name !== 'dibs')
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  for (const part of ['src', 'protocol', 'sim']) symlinkSync(join(ROOT, part), join(modules, 'dibs', part))
  writeFileSync(join(modules, 'dibs', 'package.json'), JSON.stringify(PACKAGE))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  programs.forEach(({ code }, i) => {
    writeFileSync(join(folder, fileOf(i)), code)
  })
  return folder
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** As strict as an app may be. */
const TSCONFIG = {
  extends: join(ROOT, 'tsconfig.json'),
  compilerOptions: {
    isolatedDeclarations: false,
    declaration: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    lib: ['ES2023', 'ESNext.Disposable', 'DOM'],
    typeRoots: [join(ROOT, 'node_modules', '@types')],
  },
  include: ['*.ts'],
}

/** What the compiler has to say about them; empty if nothing. */
export async function typeFaults(folder: string): Promise<string> {
  try {
    await run(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', folder])
    return ''
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? String(error)
  }
}

export async function runPrograms(folder: string, count: number): Promise<readonly Outcome[]> {
  const files = Array.from({ length: count }, (_, i) => join(folder, fileOf(i)))
  const answer = join(folder, 'outcomes.json')
  const child = join(ROOT, 'test', 'docs', 'child.ts')
  const tsx = join(ROOT, 'node_modules', '.bin', 'tsx')
  // A program that does not end holds up those after it: they are missing from the answer.
  await run(tsx, [child, answer, ...files], { cwd: folder, timeout: PATIENCE_MS }).catch(() => undefined)
  return existsSync(answer) ? (JSON.parse(readFileSync(answer, 'utf8')) as readonly Outcome[]) : []
}

function fileOf(place: number): string {
  return `program-${place}.ts`
}
