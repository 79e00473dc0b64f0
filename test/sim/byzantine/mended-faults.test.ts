/** What attacks once did to honest devices, and no longer do. */
import { expect, test } from 'vitest'
import { MIN_BEACON_GAP_MS } from '../../../protocol/index.js'
import { Town } from './town.js'

/** A device that followed such parents went round for ever, and this test never ended. */
test('assignments that name each other as parents do not stop a device for ever', async () => {
  const town = await Town.of(7)
  const runs = await town.submit(6, 60_000)
  await town.advance(3000)
  await town.attack('twins')
  await town.advance(5000)
  await town.revokeEvil()
  await town.untilEnded(runs)
})

/** The second was never begun, and its device believed that it went on. */
test('a device that was given two runs under one id does both', async () => {
  const town = await Town.of(7)
  const runs = await town.submit(6, 30_000)
  await town.advance(3000)
  await town.attack('double-book')
  await town.untilEnded(runs, 10 * 60_000)
})

test('nobody sends beacons faster than they may, whatever a run asks for', async () => {
  const town = await Town.of(7)
  const sent = new Map<string, number>()
  town.onPublish = ({ from, topic }) => {
    if (topic === 'beacons') sent.set(from, (sent.get(from) ?? 0) + 1)
  }
  // Those of the attack take as long as this one.
  await town.submit(1, 3_000)
  await town.advance(1000)
  await town.attack('odd-runs')
  sent.clear()
  await town.advance(2_000)
  for (const { id } of town.honest) expect(sent.get(id) ?? 0).toBeLessThanOrEqual(2_000 / MIN_BEACON_GAP_MS)
})
