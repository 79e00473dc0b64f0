/** Devices that lose, double and reorder messages, part and meet again: in the end all stand alike. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Device, groupOf, headsText, sync, viewsOf } from './devices.js'

const NAMES = ['ana', 'ben', 'cid'] as const
const who = fc.integer({ min: 0, max: NAMES.length - 1 })

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('take' as const),
      who,
      key: fc.option(fc.constantFrom('k1', 'k2')),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('gossip' as const),
      who,
      to: who,
      picks: fc.array(fc.nat(50), { maxLength: 8 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('sync' as const),
      who,
      to: who,
      loses: fc.array(fc.nat(5), { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('wait' as const),
      who,
      ms: fc.integer({ min: 1, max: 20 * 3_600_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom('rest' as const, 'crash' as const, 'reopen' as const), who }),
  },
)

async function play(
  devices: readonly Device[],
  steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
): Promise<void> {
  for (const one of steps) {
    const device = devices[one.who] as Device
    if (one.act === 'take') await device.take(one.key === null ? {} : { key: one.key })
    // Any of its messages, in any order, some twice, some never.
    else if (one.act === 'gossip')
      for (const pick of one.picks) {
        const message = device.published[pick % Math.max(1, device.published.length)]
        if (message !== undefined) await (devices[one.to] as Device).receive(message)
      }
    else if (one.act === 'sync') {
      if (one.to !== one.who) await sync(device, devices[one.to] as Device, (i) => one.loses.includes(i))
    } else if (one.act === 'wait') device.clock.advance(one.ms)
    else if (one.act === 'rest') for (const name of device.journals.names) await device.journals.unload(name)
    else if (one.act === 'crash') await device.crash()
    else await device.reopen()
  }
}

test('three devices converge, whatever gets lost between them', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const devices = await groupOf(...NAMES)
      await play(devices, steps)
      // All clocks at one time, then everyone with everyone.
      const latest = Math.max(...devices.map(({ clock }) => clock.nowMs))
      for (const { clock } of devices) clock.advance(latest - clock.nowMs)
      const [ana, ben, cid] = devices as [Device, Device, Device]
      await sync(ana, ben)
      await sync(ben, cid)
      await sync(cid, ana)
      await sync(ana, ben)
      expect(new Set(devices.map(headsText)).size).toBe(1)
      expect(new Set(await Promise.all(devices.map(viewsOf))).size).toBe(1)
      for (const name of ana.journals.names) expect((await ben.journals.verify(name)).problems).toEqual([])
    }),
    { numRuns: 120, seed: 7 },
  )
})
