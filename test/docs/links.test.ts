/** Links of the documents lead somewhere. Those to other sites are not followed. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/features.md',
  'docs/guide.md',
  'docs/performance.md',
]

it.each(PAGES)('the links of %s lead somewhere', (page) => {
  const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  const dead = targets.filter((target) => !target.includes('://') && !leads(page, target))
  expect(dead).toEqual([])
})

function leads(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  return existsSync(file) && (anchor === undefined || anchorsOf(file).includes(anchor))
}

/** As repository hosts make them of headings. */
function anchorsOf(file: string): readonly string[] {
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}
