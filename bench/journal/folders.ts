/** Temporary folders: all of them are gone when the suite ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root: string = mkdtempSync(join(tmpdir(), 'dibs-bench-'))
let count = 0
process.once('exit', () => rmSync(root, { recursive: true, force: true }))
// An interrupted bench ends with `exit` too, and so cleans up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

export function newFolder(name: string): string {
  return join(root, `${count++}-${name}`)
}

/** Bytes of all files in a folder. */
export async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const stats = await Promise.all(names.map((name) => stat(join(folder, name))))
  return stats.reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0)
}

export function drop(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
