/** Ways in which a disk hurts a file. */
import { open, rm, stat, truncate } from 'node:fs/promises'
import type { SeededRandom } from '../../src/testing/seeded.js'

export const DAMAGES = ['flip', 'zero', 'truncate', 'delete'] as const
export type Damage = (typeof DAMAGES)[number]

const ZEROED_BYTES = 4096

/** Hurts the file at a random place. Answers with what was done, for the message of a failing test. */
export async function damage(kind: Damage, path: string, random: SeededRandom): Promise<string> {
  const { size } = await stat(path)
  const at = random.below(Math.max(1, size))
  switch (kind) {
    case 'flip':
      await change(path, at, 1, (bytes) => {
        bytes[0] = (bytes[0] as number) ^ (1 << random.below(8))
      })
      break
    case 'zero':
      await change(path, at, Math.min(ZEROED_BYTES, size - at), (bytes) => bytes.fill(0))
      break
    case 'truncate':
      await truncate(path, at)
      break
    case 'delete':
      await rm(path)
  }
  return `${kind} ${path.slice(path.lastIndexOf('/') + 1)} (${size} bytes) at ${at}`
}

async function change(
  path: string,
  at: number,
  length: number,
  edit: (bytes: Uint8Array) => void,
): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const bytes = new Uint8Array(length)
    await file.read(bytes, 0, length, at)
    edit(bytes)
    await file.write(bytes, 0, length, at)
  } finally {
    await file.close()
  }
}
