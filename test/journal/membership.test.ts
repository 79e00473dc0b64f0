/** Who may write, and what becomes of what was written by those who may no longer. */
import { beforeEach, describe, expect, test } from 'vitest'
import { stampOf } from '../../protocol/index.js'
import { JournalError } from '../../src/journal/index.js'
import {
  admit,
  Device,
  deliver,
  groupOf,
  headsText,
  START,
  signerOf,
  snapshot,
  strangerTo,
  sync,
  TODAY,
  viewsOf,
} from './devices.js'
import { JOB, Pen } from './forge.js'

let ana: Device
let ben: Device
let cid: Device
let mallory: Device

beforeEach(async () => {
  ;[ana, ben, cid, mallory] = (await groupOf('ana', 'ben', 'cid', 'mallory')) as [
    Device,
    Device,
    Device,
    Device,
  ]
  for (const device of [ana, ben, cid, mallory]) device.clock.advance(10_000)
})

async function revoke(device: Device): Promise<void> {
  await ana.journals.commit((write) => void write({ kind: 'revoked', device: device.id }))
}

describe('a revoked device', () => {
  test('keeps what it wrote before, and gets nothing more in', async () => {
    const pen = Pen.of(mallory)
    const early = await pen.write([pen.record(JOB, stampOf(START + 9000))])
    const late = await pen.write([pen.record(JOB, stampOf(START + 11_000))])
    await revoke(mallory)
    await deliver(ana, ben)
    expect(await ben.receive(early)).toMatchObject({ status: 'applied' })
    const before = await snapshot(ben)
    expect(await ben.receive(late)).toMatchObject({ status: 'refused', code: 'REVOKED' })
    expect(await snapshot(ben)).toEqual(before)
  })

  test('is cut off at the same place by those who heard of it late', async () => {
    const pen = Pen.of(mallory)
    await pen.write([pen.record(JOB, stampOf(START + 9000))])
    await pen.write([pen.record(JOB, stampOf(START + 11_000))])
    await pen.write([pen.record(JOB, stampOf(START + 12_000))])
    expect(await cid.receive(pen.whole())).toMatchObject({ status: 'applied', batches: 3 })
    await revoke(mallory)
    await deliver(ana, ben)
    expect(await ben.receive(pen.message(pen.signed.slice(0, 1), 0))).toMatchObject({ status: 'applied' })
    await deliver(ana, cid)
    expect(headsText(ben)).toBe(headsText(cid))
    expect((await sync(ben, cid)).messages).toEqual([])
    await sync(ana, cid)
    expect(headsText(ana)).toBe(headsText(cid))
  })

  test('whose revocation and whose late batches meet in one sync ends alike everywhere', async () => {
    const pen = Pen.of(mallory)
    await pen.write([pen.record(JOB, stampOf(START + 9000))])
    await pen.write([pen.record(JOB, stampOf(START + 11_000))])
    await cid.receive(pen.whole())
    await cid.take()
    await revoke(mallory)
    for (let i = 0; i < 2; i++) {
      await sync(ana, cid)
      await sync(ben, cid)
      await sync(ana, ben)
    }
    expect(new Set([ana, ben, cid].map(headsText)).size).toBe(1)
  })

  test('is cut off in journals at rest as well', async () => {
    const pen = Pen.of(mallory)
    await pen.write([pen.record(JOB, stampOf(START + 9000))])
    await pen.write([pen.record(JOB, stampOf(START + 11_000))])
    await cid.receive(pen.whole())
    await cid.journals.unload(TODAY)
    await revoke(mallory)
    await deliver(ana, cid)
    await deliver(ana, ben)
    await ben.receive(pen.message(pen.signed.slice(0, 1), 0))
    expect(headsText(cid)).toBe(headsText(ben))
    await cid.reopen()
    expect(headsText(cid)).toBe(headsText(ben))
  })

  test('is told so when it goes on to commit', async () => {
    await revoke(mallory)
    await deliver(ana, mallory)
    await expect(mallory.take()).rejects.toMatchObject({ code: 'NOT_A_MEMBER' })
  })
})

test('a device whose admission was undone is in nobody’s way', async () => {
  // Mallory is an admin, admits eve, and is revoked with nothing kept: eve was never a member.
  await admit(ana, mallory, 'admin')
  await deliver(ana, mallory)
  const eve = new Device('eve', await signerOf('eve'))
  await admit(mallory, eve)
  await deliver(ana, eve)
  await deliver(mallory, eve)
  await deliver(ana, cid)
  await deliver(mallory, cid)
  eve.clock.advance(10_000)
  await eve.take()
  await deliver(eve, cid)
  await cid.take()
  ana.clock.advance(60_000)
  await ana.journals.commit((write) => void write({ kind: 'revoked', device: mallory.id, keeps: [] }))
  for (const device of [ben, cid]) device.clock.advance(60_000)
  for (let i = 0; i < 2; i++) {
    await sync(ana, ben)
    await sync(ben, cid)
  }
  expect(headsText(ben)).toBe(headsText(cid))
  expect((await ben.journals.load(TODAY)).log(cid.id, cid.journals.incarnation).head.sequence).toBe(0)
  expect((await ben.journals.load(TODAY)).log(eve.id, eve.journals.incarnation).head.sequence).toBe(-1)
})

test('an observer’s batches are kept, and its records about runs count for nothing', async () => {
  const obi = new Device('obi', await signerOf('obi'))
  await admit(ana, obi, 'observer')
  await deliver(ana, obi)
  await deliver(ana, ben)
  obi.clock.advance(10_000)
  await obi.journals.commit((write) => {
    write({ kind: 'profiled', name: 'obi', class: 'tablet', capabilities: [] })
    write(JOB)
  })
  expect((await deliver(obi, ben)).map(({ status }) => status)).toEqual(['applied', 'applied'])
  expect(ben.journals.group.profiles.get(obi.id)?.name).toBe('obi')
  expect(JSON.parse(await viewsOf(ben))[1]).toEqual([null])
})

test('a device that is no member commits nothing: others would never take its log', async () => {
  const eve = await strangerTo(ana)
  await expect(eve.take()).rejects.toBeInstanceOf(JournalError)
  await expect(eve.take()).rejects.toMatchObject({ code: 'NOT_A_MEMBER' })
  expect(eve.published).toEqual([])
  await admit(ana, eve)
  await sync(eve, ana)
  eve.clock.advance(1000)
  await eve.take()
  await deliver(ana, ben)
  expect((await deliver(eve, ben)).map(({ status }) => status)).toEqual(['applied'])
})
