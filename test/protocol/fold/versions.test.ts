/** Old devices beside new ones. */
import { expect, it } from 'vitest'
import {
  type AnyRecord,
  BatchCodec,
  encodeView,
  foldRun,
  isRunRecord,
  type RunRecord,
  type RunView,
  type UnknownRecord,
} from '../../../protocol/index.js'
import { ana, ben, GROUP, Story } from '../story.js'

function unknown(story: Story, stamp: number): UnknownRecord {
  const { device: author, incarnation } = story.namer(ana).writer
  return {
    id: story.namer(ana).next(stamp),
    stamp,
    author,
    incarnation,
    kind: 'unknown',
    code: 900,
    values: ['news', { of: [1] }],
  }
}

it('an old-version device keeps and forwards a newer device’s records, and folds what it knows', () => {
  const story = new Story()
  const run = story.created(ana)
  story.wait(10)
  const assigned = story.assigned(ana, ben, run)
  const sent: AnyRecord[] = [run, unknown(story, run.stamp + 1), assigned, unknown(story, assigned.stamp + 1)]
  const codec = new BatchCodec({ group: GROUP, writer: story.namer(ana).writer })
  const bytes = codec.encode({ sequence: 0, previous: new Uint8Array(32), records: sent })
  const got = codec.decode(bytes)
  expect(got.records).toEqual(sent)
  expect(codec.encode(got)).toEqual(bytes)
  const view = foldRun(got.records.filter(isRunRecord), story.group) as RunView
  expect(view).toMatchObject({ state: 'assigned', rejected: [] })
  expect(encodeView(view)).toEqual(encodeView(foldRun([run, assigned], story.group) as RunView))
})

it('a new device folds an old-version device’s records, which say only what they must', () => {
  const story = new Story()
  const run = story.created(ben)
  const assigned = story.assigned(ben, ben, run)
  story.claimed(ben, assigned)
  const codec = new BatchCodec({ group: GROUP, writer: story.namer(ben).writer })
  const records = story.runRecords
  const bytes = codec.encode({ sequence: 0, previous: new Uint8Array(32), records })
  const view = foldRun(codec.decode(bytes).records.filter(isRunRecord) as RunRecord[], story.group) as RunView
  expect(view).toMatchObject({ state: 'claimed', owner: ben, priority: 0, attemptsAllowed: 4, round: 0 })
})
