import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MAX_KEY_LENGTH } from '../../../protocol/index.js'
import { defineRun } from '../../../src/node/define-run.js'
import { keyOf } from '../../../src/node/rules/key.js'
import { Desk, event, triage } from './kit.js'

let desk: Desk
beforeEach(() => {
  desk = new Desk()
})

describe('ingest', () => {
  it('makes a run of each rule that is about the event', async () => {
    desk.rules.set([
      { name: 'triage', match: { source: 'inbox' }, run: triage },
      { name: 'other', match: { source: 'repository' }, run: 'other' },
      { name: 'archive', match: ({ payload }) => payload !== null, run: 'mail.archive' },
    ])
    const result = await desk.rules.ingest(event())
    expect(result).toEqual({
      event: '17',
      matched: [
        { rule: 'triage', run: expect.any(String), isNew: true },
        { rule: 'archive', run: expect.any(String), isNew: true },
      ],
      failed: [],
      skipped: 1,
    })
    expect(desk.submitted).toEqual([
      { type: 'issue.triage', input: { from: 'ben' }, options: { key: 'triage:inbox:17' } },
      { type: 'mail.archive', input: { from: 'ben' }, options: { key: 'archive:inbox:17' } },
    ])
  })

  it('of the same event again makes no further run, and names the one there is', async () => {
    desk.rules.set([{ name: 'triage', match: {}, run: triage }])
    const first = await desk.rules.ingest(event())
    const [again, atOnce] = await Promise.all([desk.rules.ingest(event()), desk.rules.ingest(event())])
    expect(desk.runs.size).toBe(1)
    for (const { matched } of [again, atOnce])
      expect(matched).toEqual([{ rule: 'triage', run: first.matched[0]?.run, isNew: false }])
  })

  it('makes one run of it on every device', async () => {
    const other = new Desk()
    for (const { rules } of [desk, other]) rules.set([{ name: 'triage', match: {}, run: triage }])
    await other.rules.ingest(event({ id: 'earlier' }))
    const [here, there] = await Promise.all([desk.rules.ingest(event()), other.rules.ingest(event())])
    expect(here.matched[0]?.run).toBe(there.matched[0]?.run)
  })

  it('takes events of two sources for two, though their ids are the same', async () => {
    desk.rules.set([{ name: 'triage', match: {}, run: triage }])
    await desk.rules.ingest(event({ source: 'inbox' }))
    await desk.rules.ingest(event({ source: 'calendar' }))
    expect(desk.runs.size).toBe(2)
  })

  it('makes one run of many events if the rule gives them one key', async () => {
    desk.rules.set([
      { name: 'digest', match: {}, run: 'digest', key: ({ payload }) => `from ${JSON.stringify(payload)}` },
    ])
    for (const id of ['1', '2', '3']) await desk.rules.ingest(event({ id }))
    expect(desk.runs.size).toBe(1)
  })

  it('maps priority, project, input and options, by value or by function', async () => {
    const fields = ({ payload }: { payload: unknown }): Record<string, unknown> =>
      payload as Record<string, unknown>
    desk.rules.set([
      {
        name: 'mapped',
        match: {},
        run: triage,
        priority: (given) => (fields(given)['urgent'] === true ? 'high' : 'low'),
        project: (given) => given.subject,
        input: (given) => ({ sender: fields(given)['from'] }),
        options: () => ({ timeoutMs: 5, priority: 3 }),
      },
      { name: 'fixed', match: {}, run: triage, priority: 7, project: 'films' },
    ])
    await desk.rules.ingest(event({ subject: 'letters', payload: { from: 'ben', urgent: true } }))
    expect(desk.submitted).toMatchObject([
      { input: { sender: 'ben' }, options: { priority: 'high', project: 'letters', timeoutMs: 5 } },
      { input: { from: 'ben', urgent: true }, options: { priority: 7, project: 'films' } },
    ])
  })

  it('lets a rule add to the privacy labels of an event, and take none away', async () => {
    desk.rules.set([
      { name: 'adds', match: {}, run: triage, options: () => ({ privacy: ['trusted_only', 'local_only'] }) },
      { name: 'empties', match: {}, run: triage, options: () => ({ privacy: [] }) },
    ])
    await desk.rules.ingest(event({ privacy: ['local_only'] }))
    expect(desk.submitted.map(({ options }) => options.privacy)).toEqual([
      ['local_only', 'trusted_only'],
      ['local_only'],
    ])
  })

  it('goes on with the other rules when one fails, and says which and why', async () => {
    const strict = defineRun({ type: 'strict', input: z.object({ to: z.string() }) })
    desk.rules.set([
      {
        name: 'throws',
        match: () => {
          throw new Error('No.')
        },
        run: triage,
      },
      { name: 'strict', match: {}, run: strict },
      { name: 'keyless', match: {}, run: triage, key: () => '' },
      { name: 'early', match: {}, run: triage, input: () => Promise.resolve(1) },
      { name: 'late', match: (async () => false) as unknown as () => boolean, run: triage },
      { name: 'good', match: {}, run: triage },
    ])
    const { matched, failed } = await desk.rules.ingest(event())
    expect(matched).toMatchObject([{ rule: 'good' }])
    expect(failed).toMatchObject([
      { rule: 'throws', error: { code: 'RULE_ERROR', message: 'No.' } },
      { rule: 'strict', error: { code: 'INVALID_INPUT' } },
      { rule: 'keyless', error: { code: 'INVALID_OPTIONS' } },
      { rule: 'early', error: { code: 'INVALID_INPUT', message: expect.stringContaining('await it first') } },
      { rule: 'late', error: { code: 'INVALID_OPTIONS', message: expect.stringContaining('no boolean') } },
    ])
  })

  it('gives each rule the event as it came: a rule that would change it fails', async () => {
    const spoil = ({ payload }: { payload: unknown }): unknown =>
      Object.assign(payload as object, { from: 'nobody' })
    desk.rules.set([
      { name: 'spoils', match: {}, run: triage, input: spoil },
      { name: 'good', match: {}, run: triage },
    ])
    expect(await desk.rules.ingest(event())).toMatchObject({ failed: [{ rule: 'spoils' }] })
    expect(desk.submitted).toMatchObject([{ input: { from: 'ben' } }])
  })

  it('refuses what is no event, and makes no run', async () => {
    desk.rules.set([{ name: 'triage', match: {}, run: triage }])
    await expect(desk.rules.ingest({ id: '17' })).rejects.toMatchObject({ code: 'INVALID_EVENT' })
    expect(desk.runs.size).toBe(0)
  })

  it('goes by the rules that were set last, and those stay if new ones are refused', async () => {
    desk.rules.set([{ name: 'first', match: {}, run: triage }])
    desk.rules.set([{ name: 'second', match: {}, run: triage }])
    expect(() => desk.rules.set([{ name: '', match: {}, run: triage }])).toThrow('stay in force')
    expect((await desk.rules.ingest(event())).matched).toMatchObject([{ rule: 'second' }])
    desk.rules.set([])
    expect(await desk.rules.ingest(event())).toMatchObject({ matched: [], skipped: 0 })
  })
})

describe('the key of a rule and an event', () => {
  it('tells apart what a colon could confuse', () => {
    const keys = [
      keyOf('a', event({ source: 'b:c', id: 'd' })),
      keyOf('a:b', event({ source: 'c', id: 'd' })),
      keyOf('a', event({ source: 'b', id: 'c:d' })),
    ]
    expect(new Set(keys).size).toBe(3)
  })

  it('fits, however long the names are', () => {
    const long = event({ source: '日'.repeat(128), id: 'x'.repeat(MAX_KEY_LENGTH) })
    const key = keyOf('本'.repeat(128), long)
    expect(key.length).toBeLessThanOrEqual(MAX_KEY_LENGTH)
    expect(key).toBe(keyOf('本'.repeat(128), { ...long }))
    expect(key).not.toBe(keyOf('本'.repeat(128), { ...long, id: 'y'.repeat(MAX_KEY_LENGTH) }))
  })
})
