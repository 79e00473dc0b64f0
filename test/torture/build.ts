/**
 * The child, compiled once: each round starts one, and starting it from JavaScript takes 0.25 s of processor time, from
 * TypeScript through tsx 0.8 s.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const OPTIONS =
  '--ignoreConfig --noCheck --skipLibCheck --target ES2023 --module NodeNext --moduleResolution NodeNext --types node'

export interface Build {
  /** What to run. */
  readonly program: string
  readonly remove: () => void
}

export function buildChild(): Build {
  // Inside node_modules: packages are found from there, and nobody publishes, formats or commits it.
  const folder = mkdtempSync(join(ROOT, 'node_modules/.dibs-torture-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const source = join(ROOT, 'test/torture/child.ts')
  const args = [TSC, ...OPTIONS.split(' '), '--rootDir', ROOT, '--outDir', folder, source]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status === 0) return { program: join(folder, 'test/torture/child.js'), remove }
  remove()
  throw new Error(`The child could not be compiled.\n${stdout}${stderr}`)
}
