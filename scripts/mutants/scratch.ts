/** A copy of the tree in a temp folder, in which bugs are planted and taken out again. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { edited, type Mutant } from './mutant.js'

/** All that a simulation takes. */
const COPIED = ['protocol', 'src', 'sim', 'scripts/mutants', 'package.json', 'tsconfig.json'] as const

export class Scratch {
  readonly folder: string

  constructor(root: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'dibs-mutants-'))
    for (const name of COPIED) cpSync(join(root, name), join(this.folder, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'))
  }

  /** Runs something while the bug is in. */
  async with<T>({ edits }: Mutant, work: () => Promise<T>): Promise<T> {
    const originals = new Map<string, string>()
    try {
      for (const edit of edits) {
        const path = join(this.folder, edit.file)
        const text = readFileSync(path, 'utf8')
        if (!originals.has(path)) originals.set(path, text)
        writeFileSync(path, edited(text, edit))
      }
      return await work()
    } finally {
      for (const [path, text] of originals) writeFileSync(path, text)
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
