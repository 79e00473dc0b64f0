import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as protocol from '../../protocol/index.js'
import { candidate } from '../protocol/choose/candidates.js'
import { play } from '../protocol/fold/cases.js'
import { ben, GROUP } from '../protocol/story.js'

it('the README’s code runs and says what its comments say', () => {
  const readme = readFileSync('README.md', 'utf8')
  const [, block = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const [, names = ''] = /import \{(.*)\} from 'dibs\/protocol'/.exec(block) ?? []
  const { story } = play('split brain with both alive: the first owner holds')
  const given = {
    records: story.runRecords,
    group: GROUP,
    deviceRecords: story.deviceRecords,
    devices: [candidate({ device: ben })],
    nowMs: story.nowMs,
  }
  const code = `const {${names}} = protocol; ${block.replace(/^import.*$/m, '')}; return { view, winner, sentence, candidates }`
  const shown = new Function('protocol', ...Object.keys(given), code)(protocol, ...Object.values(given))
  expect(shown.view).toMatchObject({
    state: 'processing',
    owner: ben,
    previousAssignments: [{ reason: 'voided' }],
  })
  expect(shown).toMatchObject({ winner: ben, candidates: [{ device: ben, gates: [] }] })
  // Every part of the view that the README names is there.
  for (const [, name = ''] of block.matchAll(/^view\.(\w+)/gm)) expect(shown.view).toHaveProperty(name)
})
