/** What an assignment control plane does: decisions, and where dibs has it. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import { codeOf, quickGroup, Workshop } from '../group-kit.js'

describe('decisions', () => {
  it('hard gates: each device that cannot take a run says so with a code and a sentence', async () => {
    const group = await quickGroup(5, {
      device: (place) =>
        [
          {},
          { projects: ['mail'] },
          { capabilities: ['gpu'], power: () => ({ onMains: false, battery: 0.1 }) },
          { capabilities: ['gpu'] },
          { capabilities: ['gpu'], role: 'observer' as const },
        ][place] ?? {},
      setUp: (node, place) => {
        if (place !== 3) node.handle('job', async () => place)
      },
    })
    await group.advance(6000)
    const { node } = group.device(0)
    const options = { project: 'album', requires: ['gpu'], minBattery: 0.5 }
    const decision = await node.evaluate('job', null, options)
    const codes = (place: number): readonly string[] =>
      decision.candidates
        .find(({ device }) => device === group.device(place).id)
        ?.gates.map(({ code }) => code) ?? []
    expect(decision).toMatchObject({ winner: null, rule: 'nobody' })
    expect(codes(0)).toEqual(['LACKS_CAPABILITY'])
    expect(codes(1)).toEqual(['WRONG_PROJECT', 'LACKS_CAPABILITY'])
    expect(codes(2)).toEqual(['LOW_BATTERY'])
    expect(codes(3)).toEqual(['NO_HANDLER'])
    expect(codes(4)).toContain('OBSERVER')
    for (const { gates } of decision.candidates)
      for (const { sentence } of gates) expect(sentence).toMatch(/^\w.+\.$/)
  })

  it('weighted score: load, connection, rank and capabilities add up, and the weights can be changed', async () => {
    const group = await quickGroup(3, {
      device: (place) => ({
        ...(place === 2 && { capabilities: ['gpu'], load: () => 0.5 }),
        ...(place === 0 && { choose: { weights: { load: 0, quality: 0, rank: 0, capability: 100 } } }),
      }),
      setUp: (node, place) => {
        if (place > 0) node.handle('job', async () => place)
      },
    })
    await group.advance(6000)
    const byWeights = await group.device(0).node.evaluate('job', null, { prefers: ['gpu'] })
    expect(byWeights.winner).toBe(group.device(2).id)
    const usual = await group.device(1).node.evaluate('job', null, { prefers: ['gpu'], coordinator: true })
    for (const { score, parts } of usual.candidates) {
      if (score === null || parts === null) continue
      expect(parts.load + parts.quality + parts.rank + parts.capability).toBe(score)
    }
    const loads = new Map(usual.candidates.map(({ device, parts }) => [device, parts?.load ?? 0]))
    expect(loads.get(group.device(2).id)).toBeLessThan(loads.get(group.device(1).id) ?? 0)
  })

  it('reasons and skip reasons: a run explains where it is, why, and why not elsewhere', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const { sentences, owner, decision, state } = run.explain()
    expect(state).toBe('processing')
    expect(owner).toMatchObject({ device: group.device(1).id, name: 'device-1' })
    expect(sentences[0]).toContain('device-1 has been working on it')
    expect(sentences.join(' ')).toContain('device-2 cannot: It has no handler for “job”.')
    expect(decision?.candidates).toHaveLength(3)
    // Any device can say, not just the one that decided.
    const elsewhere = group.device(2).node.runs.get(run.id)?.explain()
    expect(elsewhere?.owner?.device).toBe(group.device(1).id)
  })

  it('dry run: `evaluate` tells who would get a run, and writes nothing', async () => {
    const group = await quickGroup(2, { setUp: (node, place) => node.handle('job', async () => place) })
    const { node } = group.device(0)
    const before = group.network.messages.batches
    expect(await node.evaluate('job')).toMatchObject({ winner: node.device, rule: 'local' })
    expect(await node.evaluate('other')).toMatchObject({ winner: null, rule: 'nobody' })
    expect(await codeOf(node.evaluate('job', () => {}))).toBe('INVALID_INPUT')
    await group.advance(1000)
    expect(node.runs.count()).toBe(0)
    expect(group.network.messages.batches).toBe(before)
  })

  it('context revision: a decision carries what it was made from: every candidate, its gates, its rank, the coordinator', async () => {
    const group = await quickGroup(2, { setUp: (node, place) => node.handle('job', async () => place) })
    const decision = await group.device(0).node.evaluate('job', null, { coordinator: true })
    expect(decision.coordinator).toBe(decision.winner)
    expect(decision.rule).toBe('coordinator')
    for (const candidate of decision.candidates)
      expect(candidate).toMatchObject({ gates: [], rank: expect.any(Number), score: expect.any(Number) })
    expect(decision.sentence).not.toBe('')
  })
})
