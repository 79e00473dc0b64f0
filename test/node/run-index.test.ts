import { describe, expect, it } from 'vitest'
import {
  isRunRecord,
  RunTable,
  type RunView,
  STATES,
  type State,
  type WaitingReason,
} from '../../protocol/index.js'
import { RunIndex } from '../../src/node/run-index.js'
import {
  matches,
  RUN_ORDERS,
  type RunFilter,
  type RunListOptions,
  type RunOrder,
} from '../../src/node/run-query.js'
import { type SeededRandom, seededRandom } from '../../src/testing/seeded.js'
import { ana, ben, cid, START, Story } from '../protocol/story.js'

/** A story's runs in an index, as a node keeps it. */
class Indexed {
  readonly story: Story = new Story()
  readonly index: RunIndex = new RunIndex((run) => this.#table.view(run))
  readonly #table: RunTable = new RunTable(this.story.group)
  #told = 0

  tell(): this {
    const records = this.story.records.slice(this.#told).filter(isRunRecord)
    this.#told = this.story.records.length
    for (const run of this.#table.addAll(records)) {
      const view = this.#table.view(run)
      if (view !== null) this.index.put(view)
    }
    return this
  }

  list(filter: RunFilter = {}, options: RunListOptions = {}): readonly string[] {
    return this.index.list(filter, options, this.story.nowMs).runs.map(({ run }) => run)
  }

  count(filter: RunFilter = {}): number {
    return this.index.count(filter, this.story.nowMs)
  }
}

describe('runs are found', () => {
  const indexed = new Indexed()
  const { story } = indexed
  const waiting = story.created(ana, { priority: 20, project: 'films', key: 'one' }).run
  const parent = story.wait(10).created(ben, { type: 'test.big' })
  const child = story.wait(10).created(ana, { parent: parent.run, notBefore: story.nowMs + 5000 }).run
  const paused = story.wait(10).created(cid, { priority: -11 }).run
  story.write(ben, { kind: 'paused', run: paused })
  story.taken(ben, parent)
  const done = story.wait(10).created(ana)
  story.completed(ana, story.taken(ana, done))
  indexed.tell()

  const cases: readonly (readonly [string, RunFilter, readonly string[]])[] = [
    ['all', {}, [waiting, parent.run, child, paused, done.run]],
    ['by state', { state: 'completed' }, [done.run]],
    ['by one of several states', { state: ['completed', 'processing'] }, [parent.run, done.run]],
    ['by type', { type: 'test.big' }, [parent.run]],
    ['by project', { project: 'films' }, [waiting]],
    ['by owner', { owner: ben }, [parent.run]],
    ['by creator', { creator: cid }, [paused]],
    ['by key', { key: 'one' }, [waiting]],
    ['by parent', { parent: parent.run }, [child]],
    ['by priority', { priority: 20 }, [waiting]],
    ['by class of priority', { priority: 'low' }, [paused]],
    ['by what they wait for', { waiting: 'not_before' }, [child]],
    ['that are paused', { waiting: 'paused' }, [paused]],
    ['that wait and have a state that does not', { waiting: 'no_device', state: 'processing' }, []],
    ['from a moment on', { createdAfter: START + 1030 }, [paused, done.run]],
    ['before a moment', { createdBefore: START + 1010 }, [waiting]],
    ['by several things at once', { state: 'created', creator: ana, createdAfter: START + 1001 }, [child]],
    ['by what no run has', { type: 'nope' }, []],
  ]
  for (const [what, filter, expected] of cases) {
    it(what, () => {
      expect(indexed.list(filter, { order: 'oldest' })).toEqual(expected)
      expect(indexed.list(filter)).toEqual([...expected].reverse())
      expect(indexed.count(filter)).toBe(expected.length)
    })
  }

  it('the most urgent first, and of those the oldest', () => {
    expect(indexed.list({}, { order: 'priority' })).toEqual([waiting, parent.run, child, done.run, paused])
  })
})

describe('an index', () => {
  it('follows a run through its life', () => {
    const indexed = new Indexed()
    const { story } = indexed
    const run = story.created(ana)
    indexed.tell()
    const assignment = story.assigned(ana, ben, run)
    story.claimed(ben, assignment)
    indexed.tell()
    expect([indexed.count({ state: 'created' }), indexed.count({ owner: ben })]).toEqual([0, 1])
    story.completed(ben, assignment)
    indexed.tell()
    expect([indexed.count({ owner: ben }), indexed.count({ state: 'completed' })]).toEqual([0, 1])
    indexed.index.remove(run.run)
    indexed.index.remove(run.run)
    expect([indexed.index.size, indexed.list(), indexed.index.get(run.run)]).toEqual([0, [], null])
  })

  it('moves a run that proves to be older than it seemed', () => {
    const indexed = new Indexed()
    const { story } = indexed
    const other = story.wait(100).created(ben)
    const keyed = story.wait(100).created(ana, { key: 'one' })
    indexed.tell()
    expect(indexed.list({}, { order: 'oldest' })).toEqual([other.run, keyed.run])
    story.write(cid, { kind: 'created', type: 'test.job', key: 'one', parent: other.run }, START + 1001)
    indexed.tell()
    expect(indexed.list({}, { order: 'oldest' })).toEqual([keyed.run, other.run])
    expect(indexed.list({ parent: other.run })).toEqual([keyed.run])
  })
})

describe('pages', () => {
  function pagesOf(
    indexed: Indexed,
    filter: RunFilter,
    options: RunListOptions,
    between?: () => void,
  ): string[] {
    const runs: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = indexed.index.list(filter, { ...options, cursor }, indexed.story.nowMs)
      expect(page.runs.length).toBeLessThanOrEqual(options.limit ?? 50)
      runs.push(...page.runs.map(({ run }) => run))
      cursor = page.cursor
      between?.()
    }
    return runs
  }

  it('together hold each run once, in every order', () => {
    const indexed = new Indexed()
    for (let i = 0; i < 23; i++) indexed.story.wait(i % 3).created(ana, { priority: (i * 7) % 5 })
    indexed.tell()
    for (const order of RUN_ORDERS) {
      for (const limit of [1, 5, 23, 100]) {
        expect(pagesOf(indexed, {}, { order, limit })).toEqual(indexed.list({}, { order, limit: 1000 }))
      }
    }
  })

  it('hold fifty if nothing else is said', () => {
    const indexed = new Indexed()
    for (let i = 0; i < 60; i++) indexed.story.created(ana)
    const page = indexed.tell().index.list({}, {}, 0)
    expect(page.runs).toHaveLength(50)
    expect(indexed.index.list({}, { cursor: page.cursor ?? undefined }, 0)).toMatchObject({ cursor: null })
  })

  it('go on where they were, whatever is added or dropped meanwhile', () => {
    for (const order of RUN_ORDERS) {
      const indexed = new Indexed()
      for (let i = 0; i < 20; i++) indexed.story.wait(5).created(ana)
      const before = indexed.tell().list({}, { order, limit: 100 })
      const seen = pagesOf(indexed, {}, { order, limit: 3 }, () => {
        if (indexed.index.size > 60) return
        indexed.story.wait(5).created(ana)
        indexed.story.write(ana, { kind: 'created', type: 'test.job' }, START + 500 + indexed.index.size)
        indexed.tell()
        const [first] = before
        if (first !== undefined) indexed.index.remove(first)
      })
      const known = new Set(before)
      expect(seen.filter((run) => known.has(run))).toEqual(before)
    }
  })
})

describe('what cannot be asked', () => {
  const { index } = new Indexed()
  const filters: readonly (readonly [string, unknown])[] = [
    ['state', 'done'],
    ['state', []],
    ['state', ['created', 'toString']],
    ['type', ''],
    ['project', 7],
    ['owner', 'ben'],
    ['creator', null],
    ['parent', 'x'],
    ['priority', 'urgent'],
    ['priority', 1001],
    ['waiting', 'luck'],
    ['createdAfter', Number.NaN],
    ['createdBefore', '2026'],
    ['colour', 'red'],
  ]
  for (const [field, value] of filters) {
    it(`${field}: ${JSON.stringify(value)}`, () => {
      const details = { option: field }
      const refused = expect.objectContaining({
        code: 'INVALID_OPTIONS',
        details: expect.objectContaining(details),
      })
      expect(() => index.list({ [field]: value }, {}, 0)).toThrowError(refused)
      expect(() => index.count({ [field]: value }, 0)).toThrowError(refused)
    })
  }

  it('pages that are none, and cursors of another order', () => {
    const indexed = new Indexed()
    for (let i = 0; i < 3; i++) indexed.story.created(ana)
    const { cursor } = indexed.tell().index.list({}, { limit: 1 }, 0)
    const options: unknown[] = [
      { limit: 0 },
      { limit: 1001 },
      { limit: 1.5 },
      { order: 'random' },
      { cursor: '' },
      { cursor: 7 },
      { cursor, order: 'oldest' },
      { cursor: `${cursor}x` },
      { cursor: cursor?.replace(/\w$/, '_') },
      { cursor: `n1000.${'z'.repeat(37)}` },
      { page: 2 },
      null,
    ]
    for (const given of options) {
      expect(() => index.list({}, given as RunListOptions, 0)).toThrowError(
        expect.objectContaining({ code: 'INVALID_OPTIONS' }),
      )
    }
  })
})

describe('whatever is asked', () => {
  const filterOf = (random: SeededRandom): RunFilter => ({
    ...(random.below(2) === 0 && { state: random.pick(Object.keys(STATES) as State[]) }),
    ...(random.below(4) === 0 && { state: ['created', 'completed', 'processing'] as const }),
    ...(random.below(3) === 0 && { type: `type.${random.below(4)}` }),
    ...(random.below(4) === 0 && { project: `project.${random.below(4)}` }),
    ...(random.below(6) === 0 && { owner: random.pick([ana, ben, cid]) }),
    ...(random.below(6) === 0 && { priority: random.pick(['high', 'low', 0, 3] as const) }),
    ...(random.below(6) === 0 && {
      waiting: random.pick<WaitingReason>(['no_device', 'paused', 'not_before']),
    }),
    ...(random.below(5) === 0 && { createdAfter: START + 1000 + random.below(3000) }),
    ...(random.below(5) === 0 && { createdBefore: START + 1000 + random.below(3000) }),
  })

  function live(indexed: Indexed, random: SeededRandom): void {
    const { story } = indexed
    const who = random.pick([ana, ben, cid])
    const run = story.wait(random.below(5)).created(who, {
      type: `type.${random.pick([0, 0, 0, 0, 1, 1, 2])}`,
      priority: random.pick([0, 0, 0, 3, 10, -10]),
      ...(random.below(3) === 0 && { project: `project.${random.below(3)}` }),
      ...(random.below(9) === 0 && { notBefore: story.nowMs + random.below(4000) }),
    })
    if (random.below(10) === 0) story.write(ben, { kind: 'paused', run: run.run })
    if (random.below(4) === 0) return
    const assignment = story.assigned(who, who, run)
    if (random.below(6) === 0) return
    story.claimed(who, assignment)
    if (random.below(4) > 0) story.completed(who, assignment)
  }

  it('the answer is that of looking at every run', () => {
    const random = seededRandom(4)
    const indexed = new Indexed()
    for (let i = 0; i < 1500; i++) live(indexed, random)
    indexed.tell()
    const { index, story } = indexed
    const all: RunView[] = [...index.list({}, { limit: 1000, order: 'oldest' }, 0).runs]
    const rest = index.list({}, { limit: 1000, order: 'oldest', cursor: cursorAfter(indexed) }, 0)
    all.push(...rest.runs)
    expect(all).toHaveLength(1500)
    let found = 0
    for (let i = 0; i < 1500; i++) {
      const filter = filterOf(random)
      const order = random.pick<RunOrder>(RUN_ORDERS)
      const limit = random.pick([1, 7, 50, 400])
      const expected = sorted(
        all.filter((view) => matches(view, filter, story.nowMs)),
        order,
      )
      const first = index.list(filter, { order, limit }, story.nowMs)
      expect(first.runs).toEqual(expected.slice(0, limit))
      expect(first.cursor === null).toBe(expected.length <= limit)
      expect(index.count(filter, story.nowMs)).toBe(expected.length)
      if (first.cursor === null) continue
      const second = index.list(filter, { order, limit, cursor: first.cursor }, story.nowMs)
      expect(second.runs).toEqual(expected.slice(limit, 2 * limit))
      found++
    }
    expect(found).toBeGreaterThan(300)
  })

  function cursorAfter({ index }: Indexed): string | undefined {
    return index.list({}, { limit: 1000, order: 'oldest' }, 0).cursor ?? undefined
  }

  function sorted(views: readonly RunView[], order: RunOrder): readonly RunView[] {
    const byAge = [...views].sort((a, b) => a.created.stamp - b.created.stamp || (a.run < b.run ? -1 : 1))
    if (order === 'newest') return byAge.reverse()
    return order === 'oldest' ? byAge : byAge.sort((a, b) => b.priority - a.priority)
  }

  it('runs that come in any order, and go, leave the order right', () => {
    const random = seededRandom(9)
    const indexed = new Indexed()
    const { story, index } = indexed
    // Each moment once, in an order that jumps about.
    const all = Array.from({ length: 5000 }, (_, i) =>
      story.write(ana, { kind: 'created', type: 'test.job' }, START + 1000 + ((i * 1877) % 5000)),
    )
    indexed.tell()
    const gone = new Set(all.filter(() => random.below(3) === 0).map(({ run }) => run))
    for (const run of gone) index.remove(run)
    const kept = all.filter(({ run }) => !gone.has(run)).sort((a, b) => a.stamp - b.stamp)
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = index.list({}, { order: 'oldest', limit: 999, cursor }, 0)
      seen.push(...page.runs.map(({ run }) => run))
      cursor = page.cursor
    }
    expect(seen).toEqual(kept.map(({ run }) => run))
  })
})
