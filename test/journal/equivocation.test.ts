/** A writer who signs two batches for one place: proven, frozen, and in nobody else's way. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  batchHash,
  type RunId,
  signedHash,
  signingInput,
  splitSigned,
  stampOf,
} from '../../protocol/index.js'
import type { EquivocationProof } from '../../src/journal/index.js'
import { Log } from '../../src/journal/log.js'
import {
  admit,
  DAY_MS,
  Device,
  groupOf,
  headsText,
  START,
  signerOf,
  snapshot,
  sync,
  TODAY,
  verifier,
  viewsOf,
} from './devices.js'
import { JOB, Pen } from './forge.js'

let ana: Device
let ben: Device
let cid: Device
let mallory: Device
let pen: Pen
let left: Uint8Array
let right: Uint8Array

/** Mallory's log has five batches everywhere; ana gets one batch 5, ben another. */
beforeEach(async () => {
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

describe('of a forked log only what stands before the fork counts', () => {
  const inputs = async (device: Device): Promise<readonly unknown[]> =>
    (await device.records()).filter((record) => record.kind === 'created').map((record) => record.input)

  test('whoever counted more is told to take it back', async () => {
    await sync(ana, ben)
    for (const [device, input] of [
      [ana, 'left'],
      [ben, 'right'],
    ] as const) {
      const [event, ...more] = device.eventsOf('withdrawn')
      expect(more).toEqual([])
      expect(event).toMatchObject({ journal: TODAY, records: [{ kind: 'created', input }] })
      expect(await inputs(device)).toEqual(Array(5).fill(undefined))
    }
    expect(await viewsOf(ana)).toBe(await viewsOf(ben))
  })

  test('a restart tells of nothing else', async () => {
    await sync(ana, ben)
    for (const restart of ['reopen', 'crash'] as const) {
      ana.events.length = 0
      await ana[restart]()
      await ana.journals.load(TODAY)
      const told = ana.eventsOf('records').filter(({ journal }) => journal === TODAY)
      expect(told.flatMap(({ records }) => records)).toHaveLength(5)
    }
  })

  test('of several forks the lowest holds, and the rest is taken back', async () => {
    await sync(ana, ben)
    const lower = await pen.batch([pen.record({ ...JOB, input: 'lower' })], {
      sequence: 3,
      previous: signedHash(pen.signed[2] as Uint8Array),
    })
    await ana.receive(pen.message(lower, 3))
    expect(await ana.journals.proofs()).toMatchObject([{ sequence: 3 }])
    expect(ana.eventsOf('withdrawn').map(({ records }) => records.length)).toEqual([1, 2])
    await sync(ana, ben)
    expect(await viewsOf(ben)).toBe(await viewsOf(ana))
    expect(headsText(ben)).toBe(headsText(ana))
    // The higher one, again, changes nothing.
    await ana.receive(pen.message(right, 5))
    expect(ana.eventsOf('withdrawn')).toHaveLength(2)
  })

  test('a record that the writer also put into another journal stays', async () => {
    ana.clock.advance(DAY_MS)
    const { incarnation } = pen.log.key
    const tomorrow = new Pen(mallory.signer, ana.journals.group.id, { journal: '2026-01-02', incarnation })
    const stamp = stampOf(START + DAY_MS)
    const { run } = pen.record({ ...JOB, key: 'album' }) as unknown as { run: RunId }
    const both = pen.record({ kind: 'paused', run }, stamp)
    expect(await ana.receive(await tomorrow.write([both]))).toMatchObject({ status: 'applied' })
    pen.adopt(left)
    const message = await pen.write([both, pen.record({ kind: 'resumed', run }, stamp + 1)])
    expect(await ana.receive(message)).toMatchObject({ status: 'applied' })
    await ana.receive(pen.message(right, 5))
    const [event] = ana.eventsOf('withdrawn')
    expect(event?.records.map(({ kind }) => kind)).toEqual(['created', 'resumed'])
  })

  test('but for the group’s journal: nobody undoes an admission by forking the log that it is in', async () => {
    const { incarnation } = ana.journals
    const founder = Pen.of(ana, { journal: 'group', incarnation })
    const profile = { kind: 'profiled', name: 'x', class: 'server', capabilities: [] } as const
    await ben.receive(founder.message(await founder.batch([founder.record(profile)]), 0))
    expect(await ben.journals.proofs()).toMatchObject([{ sequence: 0 }])
    for (const restart of ['reopen', 'crash'] as const) {
      expect(ben.journals.group.founder).toBe(ana.id)
      for (const { id } of [ana, ben, cid]) expect(ben.journals.group.members.has(id)).toBe(true)
      await ben[restart]()
    }
    expect(ben.eventsOf('withdrawn')).toEqual([])
  })

  test('a journal that was dropped is fetched up to the fork', async () => {
    await sync(ana, ben)
    await ana.journals.evict(TODAY)
    await ben.take()
    await sync(ana, ben)
    expect(headsText(ana)).toBe(headsText(ben))
    expect(await viewsOf(ana)).toBe(await viewsOf(ben))
    expect(await ana.receive(pen.message(left, 5))).toMatchObject({ code: 'FROZEN' })
  })
})

test('a process whose own log was forked by another with its key is told so, and a new start goes on', async () => {
  await ana.take()
  const { incarnation } = ana.journals
  const twin = Pen.of(ana, { incarnation })
  expect(await ana.receive(await twin.write())).toMatchObject({ code: 'EQUIVOCATION' })
  await expect(ana.take()).rejects.toMatchObject({ code: 'LOG_FORKED' })
  await ana.reopen()
  await ana.take()
})

test('branches of any length are found out by one sync, if they are equally long', async () => {
  const other = new Pen(mallory.signer, ana.journals.group.id)
  for (const signed of [...pen.signed, right]) other.adopt(signed)
  pen.adopt(left)
  for (let i = 0; i < 300; i++) {
    await ana.receive(await pen.write())
    await ben.receive(await other.write([other.record(JOB, stampOf(START + 2000 + i))]))
  }
  await sync(ana, ben)
  for (const device of [ana, ben]) expect(await device.journals.proofs()).toMatchObject([{ sequence: 5 }])
  expect(headsText(ana)).toBe(headsText(ben))
})

test('if one is shorter, two syncs do', async () => {
  pen.adopt(left)
  for (let i = 0; i < 300; i++) await ana.receive(await pen.write())
  await sync(ana, ben)
  await sync(ben, ana)
  for (const device of [ana, ben]) expect(await device.journals.proofs()).toMatchObject([{ sequence: 5 }])
  expect(headsText(ana)).toBe(headsText(ben))
})
