import { expect, it } from 'vitest'
import { Hearing } from '../../sim/hearing.js'

const [ANA, BEN, CID] = ['ana', 'ben', 'cid'] as const

it('tells when one last heard another before a moment', () => {
  const hearing = new Hearing()
  hearing.note(ANA, BEN, 1, 1000)
  hearing.note(ANA, BEN, 2, 2000)
  expect([999, 1000, 1001, 2000, 2001, 9999].map((atMs) => hearing.before(ANA, BEN, atMs))).toEqual([
    null,
    null,
    1000,
    1000,
    2000,
    2000,
  ])
})

it('keeps apart who heard whom', () => {
  const hearing = new Hearing()
  hearing.note(ANA, BEN, 1, 1000)
  expect([hearing.before(BEN, ANA, 5000), hearing.before(ANA, CID, 5000)]).toEqual([null, null])
})

it('takes an old message that comes late, or twice, for no sign of life', () => {
  const hearing = new Hearing()
  hearing.note(ANA, BEN, 5, 1000)
  hearing.note(ANA, BEN, 4, 2000)
  hearing.note(ANA, BEN, 5, 3000)
  expect(hearing.before(ANA, BEN, 5000)).toBe(1000)
})

it('remembers the last ones only', () => {
  const hearing = new Hearing()
  for (let i = 1; i <= 100; i++) hearing.note(ANA, BEN, i, i * 1000)
  expect(hearing.before(ANA, BEN, 100_001)).toBe(100_000)
  expect(hearing.before(ANA, BEN, 94_000)).toBe(93_000)
  expect(hearing.before(ANA, BEN, 50_000)).toBe(null)
})

it('forgets what a process heard that ended, and not what others heard of it', () => {
  const hearing = new Hearing()
  hearing.note(ANA, BEN, 1, 1000)
  hearing.note(BEN, ANA, 2, 1000)
  hearing.forget(ANA)
  expect([hearing.before(ANA, BEN, 5000), hearing.before(BEN, ANA, 5000)]).toEqual([null, 1000])
  hearing.note(ANA, BEN, 1, 2000)
  expect(hearing.before(ANA, BEN, 5000)).toBe(2000)
})
