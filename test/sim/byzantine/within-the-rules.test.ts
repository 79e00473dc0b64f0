/** Attacks that any member may carry out: all agree on what comes of them, and a revocation ends them. */
import { describe, expect, test } from 'vitest'
import type { Attack } from '../../../sim/byzantine/index.js'
import { isWhole, played } from './story.js'
import { HONEST } from './town.js'

describe.each<Attack>(['backdate', 'claim-all', 'hoard', 'usurp-itself'])('%s', (kind) => {
  test('all agree, and once it is revoked everything ends', async () => {
    const story = await played(kind)
    await story.town.revokeEvil()
    await story.town.untilEnded(story.open)
    await isWhole(story)
  })
})

describe.each<Attack>(['backdate', 'claim-all', 'usurp-itself'])('%s', (kind) => {
  test('everything ends even if nobody revokes it', async () => {
    const { town, open } = await played(kind)
    await town.untilEnded(open)
    for (const run of open) expect(town.stateOf(0, run)).toBe('completed')
  })
})

test('who takes runs in the name of a process that nobody sees has its node do them: nothing is held for ever', async () => {
  const { town, open, later } = await played('hoard')
  await town.untilEnded(open)
  const views = open.map((run) => town.device(0).node.runs.view(run))
  expect(views.some((view) => view?.result?.device === town.evil.id)).toBe(true)
  for (const run of [...open, ...later]) expect(town.stateOf(0, run)).toBe('completed')
})

// Where the owner gave itself the run in the very next stamp there is no earlier one: a tie, which a hash breaks.
test('who backdates an assignment takes runs from those who work on them', async () => {
  const { town, open, owners } = await played('backdate')
  await town.untilEnded(open)
  const views = open.map((run) => town.device(0).node.runs.view(run))
  const taken = views.filter((view, i) => view?.result?.device !== owners[i])
  expect(taken.length).toBeGreaterThan(0)
})

test('who backdates a result replaces those of runs that were completed, the same everywhere', async () => {
  const story = await played('rewrite')
  const { town, done } = story
  await isWhole(story)
  const views = done.map((run) => town.device(0).node.runs.view(run))
  const rewritten = views.filter((view) => view?.result?.output === 'rewritten')
  expect(rewritten.length).toBeGreaterThan(0)
  for (const view of rewritten) {
    expect(view?.result?.device).toBe(town.evil.id)
    expect(view?.conflicts).toContainEqual(expect.objectContaining({ type: 'completed' }))
  }
})

test('who forks its log is found out by all, and nothing of others is held up', async () => {
  const { town, later } = await played('equivocate')
  await town.advance(200_000)
  for (const place of HONEST) {
    const [proof, ...more] = await town.inside(place).journals.proofs()
    expect(more).toEqual([])
    expect(proof?.log.device).toBe(town.evil.id)
    expect(town.heads(place)).toBe(town.heads(0))
    for (const run of later) expect(town.stateOf(place, run)).toBe('completed')
  }
  expect(town.faults).toEqual([])
})

test('who usurps itself is heard no more', async () => {
  const { town } = await played('usurp-itself')
  await town.advance(60_000)
  for (const { node } of town.honest) expect(node.devices.get(town.evil.id)?.isOnline).toBe(false)
})
