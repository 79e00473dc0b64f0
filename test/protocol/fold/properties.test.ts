import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareRecords } from '../../../protocol/fold/order.js'
import {
  encodeView,
  foldRun,
  type GroupView,
  isTerminal,
  isTransition,
  type RunRecord,
  RunTable,
  type RunView,
  type State,
  TRANSITIONS,
} from '../../../protocol/index.js'
import { CASES, type CaseName, play } from './cases.js'
import { divided, history, shuffled } from './histories.js'

const RUNS = { numRuns: 1500 }

/** A view as text that is equal exactly if the bytes are. */
function digest(view: RunView | null): string | null {
  return view === null ? null : Buffer.from(encodeView(view)).toString('base64')
}

function folded(records: readonly RunRecord[], group: GroupView): string | null {
  return digest(foldRun(records, group))
}

describe('the fold of a set of records', () => {
  it('does not depend on their order, nor on repetitions', () => {
    fc.assert(
      fc.property(shuffled, ({ story: { group }, records, mixed }) => {
        expect(folded(mixed, group)).toBe(folded(records, group))
      }),
      RUNS,
    )
  })

  it('does not depend on how they arrived: one by one, or in groups, from either side', () => {
    fc.assert(
      fc.property(divided, ({ story: { group }, records, left, right }) => {
        const oneByOne = new RunTable(group)
        for (const record of [...left, ...right]) oneByOne.add(record)
        const grouped = new RunTable(group)
        grouped.addAll(right)
        grouped.addAll(left)
        const whole = folded(records, group)
        const run = (records[0] as RunRecord).run
        for (const table of [oneByOne, grouped]) {
          const view = table.view(run)
          expect(digest(view)).toBe(whole)
          expect(table.records(run)).toHaveLength(records.length)
        }
      }),
      RUNS,
    )
  })

  it('leaves the records as they were', () => {
    fc.assert(
      fc.property(history, ({ story: { group }, records }) => {
        const frozen = records.map((record) => Object.freeze({ ...record }))
        expect(folded(Object.freeze(frozen) as readonly RunRecord[], group)).toBe(folded(records, group))
      }),
      RUNS,
    )
  })
})

describe('more records', () => {
  it('never un-terminate a run, but for a new round', () => {
    let ends = 0
    fc.assert(
      fc.property(divided, ({ story: { group }, records, left }) => {
        const part = foldRun(left, group)
        if (part === null || !isTerminal(part.state)) return
        ends++
        const whole = foldRun(records, group) as RunView
        if (part.state === 'completed') expect(whole.state).toBe('completed')
        else expect(isTerminal(whole.state) || whole.round > part.round).toBe(true)
      }),
      RUNS,
    )
    expect(ends).toBeGreaterThan(100)
  })

  it('never lower the highest fence', () => {
    fc.assert(
      fc.property(divided, ({ story: { group }, records, left }) => {
        const part = foldRun(left, group)
        const whole = foldRun(records, group) as RunView
        expect(whole.highestFence).toBeGreaterThanOrEqual(part?.highestFence ?? 0)
      }),
      RUNS,
    )
  })

  it('never take an assignment out of the history', () => {
    fc.assert(
      fc.property(divided, ({ story: { group }, records, left }) => {
        const ids = (view: RunView | null): string[] =>
          view === null ? [] : [view.assignment, ...view.previousAssignments].flatMap((one) => one?.id ?? [])
        const whole = new Set(ids(foldRun(records, group)))
        for (const id of ids(foldRun(left, group))) expect(whole).toContain(id)
      }),
      RUNS,
    )
  })
})

describe('along a history, as it was written', () => {
  it('the fence on a path never decreases from one owner to the next', () => {
    fc.assert(
      fc.property(history, ({ story: { group }, records }) => {
        let last: RunView | null = null
        for (const prefix of prefixes(records)) {
          const view = foldRun(prefix, group)
          if (view === null) continue
          expect(view.fence).toBeLessThanOrEqual(view.highestFence)
          if (view.owner !== null) {
            expect(view.fence).toBeGreaterThanOrEqual(view.assignment?.fence ?? 0)
            if ((view.assignment?.fence ?? 0) < view.highestFence) expect(view.contested).toBe(true)
          }
          const samePath: boolean = last !== null && last.round === view.round && isAncestor(last, view)
          if (last !== null && samePath) expect(view.fence).toBeGreaterThanOrEqual(last.fence)
          last = view
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('every change of state stands in the table of transitions, and every row of the table is taken', () => {
    const taken = new Set<string>()
    const walk = (records: readonly RunRecord[], group: GroupView): void => {
      let from: State | null = null
      for (const prefix of prefixes(records)) {
        const to: State | undefined = foldRun(prefix, group)?.state
        const { kind } = prefix[prefix.length - 1] as RunRecord
        if (to === undefined) continue
        if (!isTransition(from, to, kind)) throw new Error(`${from} → ${to} by ${kind}`)
        taken.add(`${from} ${to} ${kind}`)
        from = to
      }
    }
    for (const name of Object.keys(CASES) as CaseName[]) {
      const { story } = play(name)
      if (story.runRecords.length < 100) walk(story.runRecords, story.group)
    }
    // A fixed seed: whether rare rows are reached must not depend on luck.
    fc.assert(
      fc.property(history, ({ story: { group }, records }) => walk(records, group)),
      { numRuns: 4000, seed: 7 },
    )
    const rows = TRANSITIONS.map(({ from, to, record }) => `${from} ${to} ${record}`)
    expect(rows.filter((row) => !taken.has(row))).toEqual([])
  })

  it('there is an owner exactly while the run is claimed or in process', () => {
    fc.assert(
      fc.property(history, ({ story: { group }, records }) => {
        const view = foldRun(records, group) as RunView
        expect(view.owner !== null).toBe(view.state === 'claimed' || view.state === 'processing')
        if (view.owner !== null) expect(view.owner).toBe(view.assignment?.device)
        expect(view.result !== null).toBe(view.state === 'completed')
        expect(view.error !== null).toBe(view.state === 'failed')
        expect(view.cancelled !== null).toBe(view.state === 'cancelled')
        expect(view.attemptsSpent).toBeLessThanOrEqual(view.attemptsAllowed)
      }),
      RUNS,
    )
  })
})

function* prefixes(records: readonly RunRecord[]): Generator<readonly RunRecord[]> {
  const ordered = [...records].sort(compareRecords)
  for (let i = 1; i <= ordered.length; i++) yield ordered.slice(0, i)
}

function isAncestor(before: RunView, after: RunView): boolean {
  if (before.assignment === null || after.assignment === null) return false
  return before.assignment.id === after.assignment.id
}
