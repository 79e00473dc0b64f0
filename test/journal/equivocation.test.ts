/** A writer who signs two batches for one place: proven, frozen, and in nobody else's way. */
import { beforeEach, describe, expect, test } from 'vitest'
import { batchHash, signingInput, splitSigned } from '../../protocol/index.js'
import type { EquivocationProof } from '../../src/journal/index.js'
import { Log } from '../../src/journal/log.js'
import { admit, Device, groupOf, headsText, signerOf, snapshot, sync, TODAY, verifier } from './devices.js'
import { JOB, Pen } from './forge.js'

let ana: Device
let ben: Device
let cid: Device
let pen: Pen
let left: Uint8Array
let right: Uint8Array

/** Mallory's log has five batches everywhere; ana gets one batch 5, ben another. */
beforeEach(async () => {
  let mallory: Device
  ;[ana, ben, cid, mallory] = (await groupOf('ana', 'ben', 'cid', 'mallory')) as [
    Device,
    Device,
    Device,
    Device,
  ]
  pen = Pen.of(mallory)
  for (let i = 0; i < 5; i++) await pen.write()
  left = await pen.batch([pen.record({ ...JOB, input: 'left' })])
  right = await pen.batch([pen.record({ ...JOB, input: 'right' })])
  for (const device of [ana, ben, cid]) await device.receive(pen.whole())
  await ana.receive(pen.message(left, 5))
  await ben.receive(pen.message(right, 5))
})

async function verifies({ log, sequence, kept, other }: EquivocationProof, group: string): Promise<boolean> {
  const { id, codec } = new Log(group, log)
  for (const signed of [kept, other]) {
    const { signature, bytes } = splitSigned(signed)
    if (codec.decode(bytes).sequence !== sequence) return false
    if (!(await verifier.verify(log.device, signingInput(id, batchHash(bytes)), signature))) return false
  }
  return Buffer.compare(kept, other) !== 0
}

describe('seen from two sides', () => {
  test('both are told by one sync, and hold a proof that anyone can check', async () => {
    await sync(ana, ben)
    for (const [device, kept, other] of [
      [ana, left, right],
      [ben, right, left],
    ] as const) {
      const [proof, ...more] = await device.journals.proofs()
      expect(more).toEqual([])
      expect(proof).toEqual({ log: pen.log.key, sequence: 5, kept, other })
      expect(device.eventsOf('equivocation')).toHaveLength(1)
      expect(await verifies(proof as EquivocationProof, ana.journals.group.id)).toBe(true)
    }
  })

  test('both stand alike afterwards: there is nothing more to exchange', async () => {
    await sync(ana, ben)
    expect(headsText(ana)).toBe(headsText(ben))
    expect((await sync(ana, ben)).messages).toEqual([])
  })

  test('the log is frozen on both', async () => {
    await sync(ana, ben)
    pen.adopt(left)
    const next = await pen.write()
    const before = await snapshot(ana)
    expect(await ana.receive(next)).toMatchObject({ status: 'refused', code: 'FROZEN' })
    expect(await ben.receive(next)).toMatchObject({ status: 'refused', code: 'FROZEN' })
    expect(await snapshot(ana)).toEqual(before)
  })

  test('proof and frost survive a restart', async () => {
    await sync(ana, ben)
    pen.adopt(left)
    const next = await pen.write()
    for (const restart of ['reopen', 'crash'] as const) {
      await ana[restart]()
      expect(await ana.journals.proofs()).toHaveLength(1)
      expect(await ana.receive(next)).toMatchObject({ code: 'FROZEN' })
      expect(headsText(ana)).toBe(headsText(ben))
    }
  })
})

test('a device that has only one branch learns of the fork from whoever knows', async () => {
  await sync(ana, ben)
  await cid.receive(pen.message(left, 5))
  await sync(ana, cid)
  expect(await cid.journals.proofs()).toHaveLength(1)
  for (const device of [ana, ben]) expect(headsText(cid)).toBe(headsText(device))
})

test('branches of different length are found out, too', async () => {
  pen.adopt(left)
  for (let i = 0; i < 3; i++) await ana.receive(await pen.write())
  for (let i = 0; i < 3; i++) {
    await sync(ana, ben)
    await sync(ben, ana)
  }
  expect(await ana.journals.proofs()).toHaveLength(1)
  expect(await ben.journals.proofs()).toHaveLength(1)
  expect(headsText(ana)).toBe(headsText(ben))
})

test('a forked log does not keep other logs from syncing', async () => {
  await ana.take()
  await ben.take()
  await sync(ana, ben)
  await ana.take()
  await sync(ben, ana)
  expect(headsText(ana)).toBe(headsText(ben))
  const journal = await ben.journals.load(TODAY)
  expect(journal.log(ana.id, ana.journals.incarnation).head.sequence).toBe(1)
})

test('a newcomer gets what stands before the fork, and what all others wrote', async () => {
  await ana.take()
  await sync(ana, ben)
  const dee = new Device('dee', await signerOf('dee'))
  await admit(ana, dee)
  await sync(dee, ana)
  await sync(dee, ben)
  await sync(ana, ben)
  expect(headsText(dee)).toBe(headsText(ben))
})

test('only the writer’s own signature makes a fork', async () => {
  const mutated = right.slice()
  mutated[70] = (mutated[70] as number) ^ 1
  const before = await snapshot(ana)
  const outcome = await ana.receive(pen.message(mutated, 5))
  expect(outcome.status === 'refused' && ['FORGED', 'BAD_BATCH'].includes(outcome.code)).toBe(true)
  expect(await snapshot(ana)).toEqual(before)
})
