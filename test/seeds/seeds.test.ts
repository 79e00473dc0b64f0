/**
 * Scripts that went wrong once, each named for what it is about; its title says what was wrong. They are kept as scripts,
 * and not as seeds, so that they stay what they are when chance is drawn otherwise.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readScript } from '../../sim/script/read.js'
import { playSafely } from '../../sim/swarm/swarm.js'

const FOLDER = join('test', 'seeds')
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))

describe('A script that went wrong once goes right', () => {
  test.each(FILES)('%s', { timeout: 300_000 }, async (name) => {
    const script = readScript(readFileSync(join(FOLDER, name), 'utf8'), name)
    expect(script.title).toBeTruthy()
    const { outcome } = await playSafely(script)
    expect(outcome.violations).toEqual([])
  })

  test('there are some', () => {
    expect(FILES.length).toBeGreaterThan(0)
  })
})
