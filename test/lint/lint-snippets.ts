import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Snippet {
  readonly folder: string
  readonly code: string
}

export interface Complaint {
  readonly severity: string
  readonly category: string
  readonly message: string
}

interface Report {
  readonly diagnostics: readonly (Complaint & { readonly location?: { readonly path: string } })[]
}

export const root: string = fileURLToPath(new URL('../../', import.meta.url))

// What Biome reads besides the snippets: its rules, the plugins, and the packages one may import.
const configuration = ['biome.json', 'lint', 'package.json', '.gitignore']

/**
 * Lints every snippet with the project's own rules, as a file in the folder it names, and returns the
 * complaints about each, in the same order. One run of Biome serves all: starting it is what takes time.
 */
export async function lintSnippets(snippets: readonly Snippet[]): Promise<readonly (readonly Complaint[])[]> {
  const project = await mkdtemp(join(tmpdir(), 'dibs-lint-'))
  try {
    for (const name of configuration) await cp(join(root, name), join(project, name), { recursive: true })
    const paths = snippets.map(({ folder }, index) => `${folder}/snippet-${index}.ts`)
    for (const [index, path] of paths.entries()) {
      await mkdir(join(project, dirname(path)), { recursive: true })
      await writeFile(join(project, path), `${snippets[index]?.code}\n`)
    }
    const { diagnostics } = await runBiome(project)
    // A complaint about no snippet is one about the configuration: a broken plugin would let all pass.
    const strays = diagnostics.filter(({ location }) => !paths.includes(location?.path ?? ''))
    if (strays.length > 0) throw new Error(`Biome complains about its setup: ${JSON.stringify(strays)}`)
    return paths.map((path) => diagnostics.filter(({ location }) => location?.path === path))
  } finally {
    await rm(project, { recursive: true, force: true })
  }
}

function runBiome(project: string): Promise<Report> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const flags = ['lint', '--reporter=json', '--max-diagnostics=none', '--colors=off', '.']
  return new Promise((resolve, reject) => {
    const limits = { cwd: project, maxBuffer: 64 * 1024 * 1024 }
    execFile(process.execPath, [biome, ...flags], limits, (_failed, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout) as Report)
      } catch {
        reject(new Error(`Biome wrote no report: ${stderr || stdout}`))
      }
    })
  })
}
