/**
 * `npm run try-package`
 *
 * Packs the package, installs it into an empty folder, runs the README's programs there as they stand, and bundles it for
 * browsers. It needs the registry, for what dibs depends on.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { fits, programsOf } from '../test/docs/programs.js'

const folder = mkdtempSync(join(tmpdir(), 'dibs-package-'))
// Or npm would install into whatever folder above has one.
writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
try {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], '.')) as [
    { filename: string },
  ]
  run('npm', ['install', '--no-audit', '--no-fund', join(folder, packed.filename), 'zod'], folder)
  programsOf('README.md').forEach(({ code, prints, title }, place) => {
    const file = join(folder, `program-${place}.mjs`)
    writeFileSync(file, code)
    const printed = run(process.execPath, [file], folder).trimEnd().split('\n')
    if (printed.length !== prints.length || !printed.every((line, i) => fits(line, prints[i] ?? '')))
      throw new Error(
        `README, under “${title}”: it printed\n${printed.join('\n')}\nand not\n${prints.join('\n')}`,
      )
  })
  // A module that only Node has would be an error here.
  await build({
    stdin: { contents: "export * from 'dibs'", resolveDir: folder },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
  })
  process.stdout.write('In an empty folder the README’s programs run, and bundlers take the package.\n')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** What it printed. Throws if it failed, after showing why. */
function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
