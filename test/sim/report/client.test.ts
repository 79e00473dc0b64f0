/** The page's script stands in strings, where no tool of the project looks. So they look here. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientScript } from '../../../sim/report/client/index.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const LINTER = {
  root: true,
  assist: { enabled: false },
  linter: {
    rules: {
      preset: 'recommended',
      // It stands in a template literal itself.
      style: { useTemplate: 'off' },
      correctness: {
        noUndeclaredVariables: 'error',
        noUnusedVariables: 'error',
        noInvalidUseBeforeDeclaration: 'error',
      },
    },
  },
}
const COMPILER = {
  compilerOptions: {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    // Most of it is made from JSON, of which a script knows no types.
    strict: false,
    noUnusedLocals: true,
    noUnusedParameters: true,
    target: 'ES2020',
    module: 'ESNext',
    moduleDetection: 'force',
    lib: ['ES2020', 'DOM', 'DOM.Iterable'],
    types: [],
    skipLibCheck: true,
  },
  files: ['client.js'],
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dibs-client-'))
  await writeFile(join(folder, 'client.js'), clientScript)
  const { formatter, javascript } = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'))
  await writeFile(join(folder, 'biome.json'), JSON.stringify({ ...LINTER, formatter, javascript }))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(COMPILER))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the script of the page', () => {
  it('passes the linter, and is formatted as all else is', async () => {
    const { code, output } = await run('@biomejs/biome/bin/biome', [
      'lint',
      '--error-on-warnings',
      '--colors=off',
      '.',
    ])
    expect(output).toContain('Checked')
    expect(code, output).toBe(0)
  })

  it('passes the compiler', async () => {
    const { code, output } = await run('typescript/bin/tsc', ['-p', folder])
    expect(code, output).toBe(0)
  })

  it('never makes markup from data', () => {
    expect(clientScript).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b/,
    )
  })

  it('asks the network for nothing', () => {
    expect(clientScript).not.toMatch(
      /fetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|import\(|https?:/,
    )
  })
})

function run(
  tool: string,
  flags: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'node_modules', tool), ...flags],
      { cwd: folder },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` })
      },
    )
  })
}
