/** A journal as lines of JSON: out here, in there, and trusted no more than any message. */
import { beforeEach, describe, expect, test } from 'vitest'
import { admit, Device, groupOf, headsText, signerOf, snapshot, sync, TODAY } from './devices.js'

let ana: Device
let cid: Device

beforeEach(async () => {
  let ben: Device
  ;[ana, ben] = (await groupOf('ana', 'ben')) as [Device, Device]
  await ana.take({ input: 'a' })
  await ben.take({ input: 'b' })
  await ben.journals.commit(
    (write) => void write({ kind: 'profiled', name: 'ben', class: 'phone', capabilities: [] }),
  )
  cid = new Device('cid', await signerOf('cid'))
  await admit(ana, cid)
  await sync(ana, ben)
})

async function linesOf(name: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of ana.journals.exportLines(name)) lines.push(line)
  return lines
}

test('an export taken in by a fresh member gives equal heads', async () => {
  for (const name of ['group', TODAY]) {
    const outcomes = await cid.journals.importLines(await linesOf(name))
    expect(outcomes.every(({ status }) => status === 'applied')).toBe(true)
  }
  expect(headsText(cid)).toBe(headsText(ana))
})

test('a line shows the records beside their bytes', async () => {
  const [header, ...lines] = (await linesOf(TODAY)).map((line) => JSON.parse(line))
  expect(header).toEqual({ format: 'dibs/journal/1', group: ana.journals.group.id, journal: TODAY })
  expect(lines.map(({ records }) => records[0].input)).toEqual(['a', 'b'])
})

describe('a mangled export', () => {
  const mangled: [string, number, (lines: string[]) => string[]][] = [
    ['nothing at all', 1, () => []],
    ['another format', 1, (lines) => ['{"format":"other"}', ...lines.slice(1)]],
    [
      'another group',
      1,
      (lines) => [(lines[0] as string).replace(/"group":"."?/, '"group":"x'), ...lines.slice(1)],
    ],
    ['a line cut short', 3, (lines) => [...lines.slice(0, 2), (lines[2] as string).slice(0, 40)]],
    [
      'bytes that are no hex',
      2,
      (lines) => [lines[0] as string, (lines[1] as string).replace('"signed":"', '"signed":"zz')],
    ],
    [
      'a device that is none',
      2,
      (lines) => [lines[0] as string, (lines[1] as string).replace('12D3KooW', '12D3KooX')],
    ],
    [
      'a sequence that is none',
      2,
      (lines) => [lines[0] as string, (lines[1] as string).replace('"sequence":0', '"sequence":-1')],
    ],
  ]

  test.each(mangled)('%s is IMPORT_INVALID, with the line', async (_, line, mangle) => {
    await sync(cid, ana)
    const imported = cid.journals.importLines(mangle(await linesOf(TODAY)))
    await expect(imported).rejects.toMatchObject({ code: 'IMPORT_INVALID', details: { line } })
  })

  test('a changed batch is refused like any message', async () => {
    await cid.journals.importLines(await linesOf('group'))
    const before = await snapshot(cid)
    const [header, line] = (await linesOf(TODAY)) as [string, string]
    const at = line.indexOf('"signed":"') + 20
    const flipped = line.slice(0, at) + (line[at] === '0' ? '1' : '0') + line.slice(at + 1)
    expect(await cid.journals.importLines([header, flipped])).toMatchObject([
      { status: 'refused', code: 'FORGED' },
    ])
    expect(await snapshot(cid)).toEqual(before)
  })
})
