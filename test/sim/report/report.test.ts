import { describe, expect, it } from 'vitest'
import { reportOf } from '../../../sim/report/index.js'
import { packed } from '../../../sim/report/pack.js'
import { sidesOf } from '../../../sim/report/sides.js'
import type { Trace } from '../../../sim/trace.js'
import { EVIL, evilTrace, madeTrace } from './kit.js'

const small = madeTrace({ devices: 5, runs: 50, violations: 2 })
const page = reportOf(small)

describe('a report', () => {
  it('is the same for the same trace', () => {
    expect(reportOf(madeTrace({ devices: 5, runs: 50, violations: 2 }))).toBe(page)
  })

  it('needs nothing from outside', () => {
    const markup = withoutText(page)
    expect(markup).not.toMatch(/https?:/)
    expect(markup).not.toMatch(/\s(?:src|srcset|action|poster|data)=/)
    expect(markup).not.toMatch(/@import|url\(/)
    expect([...markup.matchAll(/<link[^>]*>/g)].map(([link]) => link)).toEqual([
      '<link rel="icon" href="data:,">',
    ])
  })

  it('forbids the network, and every script and style but its own', () => {
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/)
    expect(policy).not.toContain('unsafe')
  })

  it('says how to play it again', () => {
    expect(dataOf(page).replay).toBe(small.replay)
  })

  it('cannot be broken out of by what runs, devices or titles are called', () => {
    const evil = reportOf(evilTrace())
    expect(evil.match(/<script/g)).toEqual(['<script', '<script'])
    expect(evil.match(/<\/script/g)).toEqual(['</script', '</script'])
    expect(evil).not.toContain('<img')
    expect(evil).not.toContain('<!--')
    expect(dataOf(evil).runs.map(({ name }) => name)).toContain(EVIL)
  })
})

describe('a trace, packed', () => {
  it('keeps every entry and decision', () => {
    const { entries, decisions, words, partNames } = packed(small)
    const read = entries.map(([atMs, place, kind, run, text]) => ({
      atMs,
      place: place < 0 ? null : place,
      kind: words[kind],
      run: run < 0 ? null : words[run],
      text: words[text],
    }))
    expect(read).toEqual(small.entries)
    expect(partNames).toEqual(['load', 'quality', 'rank', 'capability'])
    const sentences = decisions.map(([, , , , , sentence]) => words[sentence])
    expect(sentences).toEqual(small.decisions.map(({ sentence }) => sentence))
  })

  it('finds the run of a line that names it as the script does', () => {
    const [run] = small.runs
    const entry = { atMs: 1, place: 0, kind: 'record', run: run?.name ?? '', text: 'created' }
    const violation = {
      invariant: 'one-owner' as const,
      atMs: 1,
      place: 0,
      run: run?.name ?? '',
      message: 'both',
    }
    const trace: Trace = {
      ...small,
      entries: [entry],
      outcome: { ...small.outcome, violations: [violation] },
    }
    const { entries, words, outcome } = packed(trace)
    expect(words[entries[0]?.[3] ?? -1]).toBe(run?.id)
    expect(outcome.violations[0]?.run).toBe(run?.id)
  })

  it('does not guess which run is meant where several have the name', () => {
    const runs = small.runs.slice(0, 2).map((run) => ({ ...run, name: 'twin' }))
    const entry = { atMs: 1, place: 0, kind: 'record', run: 'twin', text: 'created' }
    const { entries, words } = packed({ ...small, runs, entries: [entry] })
    expect(words[entries[0]?.[3] ?? -1]).toBe('twin')
  })

  it('ends with the simulation what goes on for ever', () => {
    const span = { place: 0, kind: 'revoked' as const, fromMs: 0, toMs: Number.POSITIVE_INFINITY, text: '' }
    expect(packed({ ...small, spans: [span] }).spans[0]?.toMs).toBe(small.outcome.simulatedMs)
  })
})

describe('the text of a split', () => {
  it.each([
    [
      '0 1 | 2 3 4',
      [
        [0, 1],
        [2, 3, 4],
      ],
    ],
    ['0 | 1 2', [[0], [1, 2], [3, 4]]],
    ['3', [[3], [0, 1, 2, 4]]],
    ['0 – 1', null],
    ['0 ↛ 1', null],
    ['', null],
  ])('“%s” says who was with whom', (text, sides) => {
    expect(sidesOf(text, [0, 1, 2, 3, 4])).toEqual(sides)
  })
})

/** The page without its data, in which an address may stand as text. */
function withoutText(html: string): string {
  return html.replace(/<script type="application\/json"[\s\S]*?<\/script>/, '')
}

function dataOf(html: string): Pick<Trace, 'replay' | 'runs'> {
  const [, json = ''] = /<script type="application\/json" id="trace">([\s\S]*?)<\/script>/.exec(html) ?? []
  return JSON.parse(json)
}
