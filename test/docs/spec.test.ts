/** The parts of SPEC.md that repeat what stands in src/: the protocol's own tables are generated. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MAX_HEARD } from '../../src/engine/constants.js'
import { MAX_BEACON_BYTES, MAX_FRAME_BYTES } from '../../src/network/constants.js'
import { FRAME } from '../../src/network/sync-frames.js'

const spec = readFileSync('protocol/SPEC.md', 'utf8')

it('lists the frames of a sync, with their numbers', () => {
  const rows = [...spec.matchAll(/^\| (\d+) \| `([A-Z]+)` \|/gm)].map(([, type, name]) => [
    name,
    Number(type),
  ])
  expect(Object.fromEntries(rows)).toEqual(FRAME)
})

it('shows a beacon as its codec does', () => {
  const shape = /CBOR\(\["dibs\/beacon\/1".*?\]\]\)/s
  const codec = readFileSync('src/network/beacon-codec.ts', 'utf8').replaceAll(/\n \* +/g, ' ')
  const shown = shape.exec(spec)?.[0].replaceAll(/\s+/g, ' ')
  expect(shown).toBeDefined()
  expect(shape.exec(codec)?.[0].replaceAll(/\s+/g, ' ')).toBe(shown)
})

it('names the limits of beacons and frames', () => {
  const [heard, beacon, frame] = [MAX_HEARD, MAX_BEACON_BYTES, MAX_FRAME_BYTES].map((limit) =>
    limit.toLocaleString('en-US'),
  )
  expect(spec).toContain(`it has at most ${frame} bytes`)
  expect(spec).toContain(`A beacon has at most ${beacon} bytes`)
  expect(spec).toContain(`the freshest first, at most ${heard} |`)
})
