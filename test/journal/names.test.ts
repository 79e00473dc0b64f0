import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_STAMP_MS, stampOf } from '../../protocol/index.js'
import { clientOf, dayOf, isJournalName, parseRootName, rootName } from '../../src/journal/names.js'
import { START, seeded, signerOf } from './devices.js'

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

describe('the day of a stamp', () => {
  test('is the UTC day, for 20,000 moments by chance and every day of four centuries’ leap years', () => {
    const chance = seeded(1)
    for (let i = 0; i < 20_000; i++) {
      const ms = Math.floor(chance() * MAX_STAMP_MS)
      expect(dayOf(stampOf(ms, i % 1024))).toBe(day(ms))
    }
    for (const year of [1970, 1972, 1999, 2000, 2024, 2100, 2200, 2247]) {
      const begin = Date.UTC(year, 0, 1)
      for (let i = 0; i < 366; i++) {
        const ms = begin + i * 86_400_000
        expect(dayOf(stampOf(ms))).toBe(day(ms))
        expect(dayOf(stampOf(ms + 86_399_999, 1023))).toBe(day(ms))
      }
    }
    expect(dayOf(stampOf(MAX_STAMP_MS, 1023))).toBe(day(MAX_STAMP_MS))
  })

  test('is the name of a journal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_STAMP_MS }), (ms) => isJournalName(dayOf(stampOf(ms)))),
    )
  })
})

test('no other text is the name of a journal', () => {
  for (const name of ['group', '2026-01-31', '2024-02-29', '2000-02-29'])
    expect(isJournalName(name)).toBe(true)
  for (const name of [
    '',
    'Group',
    'groups',
    '__proto__',
    '2026-1-1',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '2026-02-29',
    '2100-02-29',
    '2026-04-31',
    ' 2026-01-01',
    '2026-01-01\n',
    '2026-01-01T00',
    '٢٠٢٦-٠١-٠١',
    7,
    null,
  ])
    expect(isJournalName(name)).toBe(false)
})

test('the name of an array says which log and which segment, and only in one spelling', async () => {
  const { device } = await signerOf('ana')
  const log = { device, incarnation: stampOf(START, 3) }
  expect(parseRootName(rootName(log, 12))).toEqual({ ...log, segment: 12 })
  const name = rootName(log, 1)
  for (const other of [
    '',
    '/',
    `${name}/`,
    `${name}0000000000`,
    name.replace(/1$/, '01'),
    name.replace(/1$/, '-1'),
    name.slice(1),
    name.toUpperCase(),
    name.replace('/', '//'),
  ])
    expect(parseRootName(other)).toBeUndefined()
})

test('a client is the first 53 of the last bits of seven bytes', () => {
  expect(clientOf(new Uint8Array(32).fill(255))).toBe(Number.MAX_SAFE_INTEGER)
  expect(clientOf(Uint8Array.of(0xe0, 0, 0, 0, 0, 0, 1, 9))).toBe(1)
  expect(clientOf(Uint8Array.of(0x20, 0, 0, 0, 0, 0, 0))).toBe(0)
})
