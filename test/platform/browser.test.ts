import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const src = fileURLToPath(new URL('../../src/', import.meta.url))
const IMPORT = /(?:^|\n)(?:import|export)\s[^'"]*?['"]([^'"]+)['"]/g

/** All that a file loads, directly or through others, of this project and of Node. Types load nothing. */
async function loads(path: string, seen = new Set<string>()): Promise<ReadonlySet<string>> {
  if (seen.has(path)) return seen
  seen.add(path)
  const source = await readFile(path, 'utf8')
  for (const [statement, specifier] of source.matchAll(IMPORT) as Iterable<[string, string]>) {
    if (/^\s*(?:import|export) type /.test(statement)) continue
    if (specifier.startsWith('.')) {
      await loads(join(dirname(path), specifier.replace(/\.js$/, '.ts')), seen)
    } else if (specifier.startsWith('node:')) {
      seen.add(specifier)
    }
  }
  return seen
}

it.each(['platform/index.ts', 'platform/browser/index.ts', 'store/index.ts', 'testing/index.ts'])(
  'browsers can load %s: nothing in it needs Node',
  async (entry) => {
    const loaded = await loads(join(src, entry))
    expect(
      [...loaded].filter((name) => name.startsWith('node:') || name.includes('/platform/node/')),
    ).toEqual([])
  },
)

it('that would be noticed', async () => {
  expect([...(await loads(join(src, 'platform/node/index.ts')))]).toContain('node:fs/promises')
})
