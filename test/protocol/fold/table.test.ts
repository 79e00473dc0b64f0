import { describe, expect, it } from 'vitest'
import {
  encodeView,
  foldRun,
  MAX_REJECTIONS_LISTED,
  RunTable,
  type RunView,
} from '../../../protocol/index.js'
import { ana, ben, cid, eve, Story } from '../story.js'

describe('a table of runs', () => {
  it('keeps runs apart and tells which were touched', () => {
    const s = new Story()
    const one = s.created(ana)
    const two = s.created(ben)
    const table = new RunTable(s.group)
    expect(table.addAll(s.runRecords)).toEqual(new Set([one.run, two.run]))
    expect(table.addAll(s.runRecords)).toEqual(new Set())
    s.taken(ana, one)
    expect(table.addAll(s.runRecords)).toEqual(new Set([one.run]))
    expect(table.size).toBe(2)
    expect(table.views().map(({ run, state }) => [run, state])).toEqual([
      [one.run, 'processing'],
      [two.run, 'created'],
    ])
    expect(table.view('no such run')).toBeNull()
    expect(table.records('no such run')).toEqual([])
  })

  it('takes records back out as if they had never come', () => {
    const s = new Story()
    const [one, two] = [s.created(ana), s.created(ben)]
    const before = s.runRecords
    s.taken(ana, one)
    const table = new RunTable(s.group)
    table.addAll(s.runRecords)
    expect(table.view(one.run)?.state).toBe('processing')
    expect(table.removeAll(s.runRecords.slice(before.length))).toEqual(new Set([one.run]))
    expect(table.views()).toEqual(before.map((record) => foldRun([record], s.group)))
    expect(table.removeAll(before.filter(({ run }) => run === two.run))).toEqual(new Set([two.run]))
    expect([...table.runs()]).toEqual([one.run])
    expect(table.removeAll(before.slice(1))).toEqual(new Set())
  })

  it('has no view of a run until its created record arrives, and then all at once', () => {
    const s = new Story()
    const run = s.created(ana)
    s.taken(ana, run)
    const table = new RunTable(s.group)
    const [created, ...rest] = s.runRecords
    for (const record of rest) expect(table.add(record)).toBeNull()
    expect(table.add(created as NonNullable<typeof created>)).toMatchObject({
      state: 'processing',
      owner: ana,
    })
  })

  it('takes the same record twice, even as another object, for one', () => {
    const s = new Story()
    const run = s.created(ana)
    const table = new RunTable(s.group)
    table.add(run)
    const before = table.view(run.run)
    table.add({ ...run })
    expect(table.records(run.run)).toHaveLength(1)
    expect(table.view(run.run)).toBe(before)
  })

  it('lists a record whose id another one has', () => {
    const s = new Story()
    const run = s.created(ana)
    const table = new RunTable(s.group)
    table.add(run)
    const view = table.add({ ...run, type: 'another.job' }) as RunView
    expect(view.rejected).toMatchObject([{ record: run.id, code: 'DUPLICATE_ID' }])
    expect(encodeView(view)).toEqual(encodeView(foldRun(table.records(run.run), s.group) as RunView))
  })

  it('judges every run anew when membership changes', () => {
    const s = new Story()
    const run = s.created(ana)
    const first = s.assigned(ana, ben, run)
    s.claimed(ben, first)
    s.wait(1000)
    const before = s.group
    s.revoked(ana, ben)
    s.wait(1000)
    s.completed(ben, first, 'too late')
    const table = new RunTable(before)
    table.addAll(s.runRecords)
    expect(table.view(run.run)?.state).toBe('completed')
    table.setGroup(s.group)
    expect(table.view(run.run)).toMatchObject({
      state: 'claimed',
      rejected: [{ author: ben, code: 'REVOKED' }],
    })
    expect(table.add(s.reassigned(ana, cid, first, 'timeout'))).toMatchObject({ state: 'assigned' })
  })

  it('forgets a run that is removed, and begins anew if its records come again', () => {
    const s = new Story()
    const one = s.created(ana)
    const two = s.created(ben)
    const table = new RunTable(s.group)
    expect(table.isEmpty).toBe(true)
    table.addAll(s.runRecords)
    expect(table.remove(one.run)).toBe(true)
    expect(table.remove(one.run)).toBe(false)
    expect([...table.runs()]).toEqual([two.run])
    expect([table.has(one.run), table.has(two.run), table.isEmpty]).toEqual([false, true, false])
    expect(table.view(one.run)).toBeNull()
    expect(table.records(one.run)).toEqual([])
    expect(table.add(one)).toMatchObject({ run: one.run, state: 'created' })
  })

  it('counts a run among its runs while its created record is missing', () => {
    const s = new Story()
    const run = s.created(ana)
    const table = new RunTable(s.group)
    table.add(s.assigned(ana, ben, run))
    expect([...table.runs()]).toEqual([run.run])
    expect(table.views()).toEqual([])
  })

  it.each([1, 40])('shows an ended run with %i reports alike, however often it is asked', (reports) => {
    const s = new Story()
    const run = s.created(ana)
    const first = s.taken(ana, run)
    for (let step = 0; step < reports; step++) s.progressed(ana, first, { step })
    s.completed(ana, first, 'done')
    const table = new RunTable(s.group)
    expect(table.addAll(s.runRecords)).toEqual(new Set([run.run]))
    const folded = foldRun(s.runRecords, s.group) as RunView
    for (let i = 0; i < 3; i++) expect(table.view(run.run)).toEqual(folded)
    expect(table.views()).toEqual([folded])
    const paused = s.write(ben, { kind: 'paused', run: run.run })
    expect(table.add(paused)).toEqual(foldRun(s.runRecords, s.group))
  })

  it('gives out lists of records that stay as they were when a record is added to a short one', () => {
    const s = new Story()
    const run = s.created(ana)
    const table = new RunTable(s.group)
    table.add(run)
    const before = table.records(run.run)
    table.add(s.assigned(ana, ben, run))
    expect(before).toEqual([run])
    expect(table.records(run.run)).toHaveLength(2)
  })

  it('goes on from an ended run as from an open one', () => {
    const s = new Story()
    const run = s.created(ana)
    const table = new RunTable(s.group)
    table.addAll(s.runRecords)
    const cancelled = s.write(ana, { kind: 'cancelled', run: run.run })
    expect(table.add(cancelled)?.state).toBe('cancelled')
    expect(
      table.add(s.write(ben, { kind: 'retried', run: run.run, round: 1, ended: cancelled.id })),
    ).toMatchObject({
      state: 'created',
      round: 1,
    })
  })
})

it('a view lists so many rejections and counts them all', () => {
  const s = new Story()
  const run = s.created(ana)
  for (let i = 0; i < MAX_REJECTIONS_LISTED + 10; i++) s.write(eve, { kind: 'cancelled', run: run.run })
  expect(s.view.rejected).toHaveLength(MAX_REJECTIONS_LISTED)
  expect(s.view.rejectedCount).toBe(MAX_REJECTIONS_LISTED + 10)
})

it('a view that was handed out does not change when records are added', () => {
  const s = new Story()
  const run = s.created(ana)
  const table = new RunTable(s.group)
  table.addAll(s.runRecords)
  const view = table.view(run.run) as RunView
  const before = encodeView(view)
  s.write(eve, { kind: 'cancelled', run: run.run })
  const first = s.taken(ana, run)
  s.completed(ana, first)
  for (const record of s.runRecords) table.add(record)
  expect(encodeView(view)).toEqual(before)
})
