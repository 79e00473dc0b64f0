import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generated } from '../../scripts/generated.js'

it.each(generated())('$file is what the code says', ({ text, file }) => {
  expect(
    readFileSync(file, 'utf8') === text,
    `run \`npm run generate\` and look at the difference in ${file}`,
  ).toBe(true)
})

it('every vector file is generated', () => {
  const files = generated().map(({ file }) => file)
  for (const file of readdirSync('protocol/vectors')) expect(files).toContain(`protocol/vectors/${file}`)
})

it('no code reads the vectors', () => {
  const sources = readdirSync('protocol', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  expect(sources.length).toBeGreaterThan(30)
  for (const file of sources) expect(readFileSync(`protocol/${file}`, 'utf8')).not.toMatch(/vectors/)
})
