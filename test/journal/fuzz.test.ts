/** Valid messages with a few bytes changed: 100,000 of them, the same at every run. */
import { expect, test } from 'vitest'
import { equalBytes, stampOf } from '../../protocol/index.js'
import { type Device, deliver, groupOf, START, seeded, snapshot } from './devices.js'
import { Pen } from './forge.js'
import { bytesInUse } from './heap.js'

const CASES = 100_000
const MAX_MS = 50

type Chance = () => number

function below(chance: Chance, limit: number): number {
  return Math.floor(chance() * limit)
}

/** Flips, sets, cuts, doubles, moves: one to three times. */
function mutated(message: Uint8Array, chance: Chance): Uint8Array {
  let bytes = message.slice()
  for (let times = 1 + below(chance, 3); times > 0; times--) {
    const at = below(chance, bytes.length)
    const to = below(chance, bytes.length)
    switch (below(chance, 6)) {
      case 0:
        bytes[at] = (bytes[at] as number) ^ (1 << below(chance, 8))
        break
      case 1:
        bytes[at] = [0, 1, 0x7f, 0x80, 0xff, below(chance, 256)][below(chance, 6)] as number
        break
      case 2:
        bytes = bytes.slice(0, Math.max(1, at))
        break
      case 3:
        bytes = Uint8Array.of(...bytes.subarray(0, at), below(chance, 256), ...bytes.subarray(at))
        break
      case 4:
        bytes.copyWithin(at, to, to + 1 + below(chance, 16))
        break
      default:
        if (bytes.length > 1) bytes = Uint8Array.of(...bytes.subarray(0, at), ...bytes.subarray(at + 1))
    }
  }
  return bytes
}

async function timed(device: Device, message: Uint8Array): Promise<{ status: string; ms: number }> {
  const begun = performance.now()
  const { status } = await device.receive(message)
  return { status, ms: performance.now() - begun }
}

test('nothing is applied that is not byte-equal to a valid message, and nothing takes long', {
  timeout: 300_000,
}, async () => {
  const [ana, victim, mallory] = (await groupOf('ana', 'ben', 'mallory')) as [Device, Device, Device]
  const pen = Pen.of(mallory)
  for (let i = 0; i < 3; i++) await pen.write()
  await victim.receive(pen.whole())
  const known = pen.message(pen.signed[2] as Uint8Array, 2)
  const next = await pen.write()
  const many = pen.message([...pen.signed], 0)
  await pen.write()
  const late = pen.message(pen.signed[4] as Uint8Array, 4)
  const begins = await Pen.of(mallory, { incarnation: stampOf(START, 8) }).write()
  await ana.journals.commit(
    (write) => void write({ kind: 'profiled', name: 'ana', class: 'server', capabilities: [] }),
  )
  const group = ana.published.at(-1) as Uint8Array
  const valid = [known, next, many, late, begins, group]

  const before = await snapshot(victim)
  const inUse = bytesInUse()
  const chance = seeded(42)
  const seen = new Map<string, number>()
  for (let i = 0; i < CASES; i++) {
    const message = mutated(valid[i % valid.length] as Uint8Array, chance)
    if (valid.some((one) => equalBytes(one, message))) continue
    let { status, ms } = await timed(victim, message)
    // A pause of the machine does not come again; bytes that are slow to check do.
    for (let again = 0; ms > MAX_MS && again < 20; again++) ({ status, ms } = await timed(victim, message))
    if (ms > MAX_MS || (status !== 'refused' && status !== 'gap'))
      expect.fail(`case ${i}: ${status} after ${ms} ms: ${Buffer.from(message).toString('hex')}`)
    seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  expect(await snapshot(victim)).toEqual(before)
  expect(bytesInUse() - inUse).toBeLessThan(16_000_000)
  expect(seen.get('refused')).toBeGreaterThan(CASES * 0.9)

  expect(await victim.receive(next)).toMatchObject({ status: 'applied' })
  expect((await deliver(ana, victim)).map(({ status }) => status)).toEqual(['applied'])
})
