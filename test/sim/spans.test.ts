import { beforeEach, expect, it } from 'vitest'
import { Spans } from '../../sim/spans.js'

let spans: Spans

beforeEach(() => {
  spans = new Spans()
})

it('last from their beginning to their end', () => {
  spans.begin('asleep', 1, 100, 'lid')
  spans.end('asleep', 1, 300)
  expect(spans.all(1000)).toEqual([{ kind: 'asleep', place: 1, fromMs: 100, toMs: 300, text: 'lid' }])
})

it('that have not ended end now, and go on all the same', () => {
  spans.begin('split', null, 100)
  expect(spans.all(200)).toMatchObject([{ kind: 'split', place: null, toMs: 200 }])
  spans.end('split', null, 500)
  expect(spans.all(1000)).toMatchObject([{ toMs: 500 }])
})

it('of one kind and device follow each other: a new one ends the one before', () => {
  spans.begin('weather', null, 100, 'rain')
  spans.begin('weather', null, 200, 'snow')
  expect(spans.all(300)).toMatchObject([
    { fromMs: 100, toMs: 200, text: 'rain' },
    { fromMs: 200, toMs: 300, text: 'snow' },
  ])
})

it('of several kinds and devices lie side by side', () => {
  spans.begin('asleep', 1, 100)
  spans.begin('asleep', 2, 100)
  spans.begin('disk', 1, 100)
  spans.end('asleep', 1, 200)
  expect(spans.all(300).map(({ kind, place, toMs }) => `${kind} ${place} ${toMs}`)).toEqual([
    'asleep 1 200',
    'asleep 2 300',
    'disk 1 300',
  ])
})

it('of no time at all are left out, and so are ends of what never began', () => {
  spans.begin('asleep', 1, 100)
  spans.end('asleep', 1, 100)
  spans.end('down', 2, 100)
  expect(spans.all(300)).toEqual([])
})
