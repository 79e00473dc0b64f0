import { beforeEach, describe, expect, it } from 'vitest'
import { turn } from '../../src/platform/index.js'
import { Ed25519Signer } from '../../src/platform/signer.js'
import { createVerifier } from '../../src/platform/verifier.js'
import { MemoryStore } from '../../src/store/memory-store.js'
import { VIRTUAL_START_MS, VirtualTime } from '../../src/testing/index.js'

let time: VirtualTime

beforeEach(() => {
  time = new VirtualTime()
})

describe('virtual time', () => {
  it('starts at noon of 2026-01-01, and passes only when told to', async () => {
    const clock = time.clock()
    expect(new Date(clock.wallMs()).toISOString()).toBe('2026-01-01T12:00:00.000Z')
    await time.settle()
    expect([clock.wallMs(), clock.monotonicMs()]).toEqual([VIRTUAL_START_MS, 0])
    await time.advance(1500)
    expect([clock.wallMs() - VIRTUAL_START_MS, clock.monotonicMs()]).toEqual([1500, 1500])
  })

  it('goes from timer to timer in order, those of one moment in the order in which they were set', async () => {
    const [a, b] = [time.clock(), time.clock()]
    const fired: string[] = []
    const note = (name: string) => () => fired.push(`${name} at ${time.nowMs - VIRTUAL_START_MS}`)
    b.setTimer(20, note('third'))
    a.setTimer(10, note('first'))
    b.setTimer(10, note('second'))
    a.setTimer(20, note('fourth'))
    a.setTimer(31, note('never'))
    await time.advance(30)
    expect(fired).toEqual(['first at 10', 'second at 10', 'third at 20', 'fourth at 20'])
    expect(time.nowMs).toBe(VIRTUAL_START_MS + 30)
  })

  it('fires timers that others set while it passes', async () => {
    const clock = time.clock()
    const fired: number[] = []
    const again = (): void => {
      fired.push(clock.monotonicMs())
      clock.setTimer(10, again)
    }
    clock.setTimer(10, again)
    await time.advance(35)
    expect(fired).toEqual([10, 20, 30])
  })

  it('does not fire what was cancelled; cancelling twice, or late, is fine', async () => {
    const clock = time.clock()
    const fired: string[] = []
    const cancels = ['a', 'b', 'c'].map((name) => clock.setTimer(10, () => fired.push(name)))
    cancels[1]?.()
    cancels[1]?.()
    await time.advance(10)
    cancels[0]?.()
    expect(fired).toEqual(['a', 'c'])
    expect(clock.timers).toBe(0)
  })

  it('settles what is due now without moving on', async () => {
    const clock = time.clock()
    const fired: string[] = []
    clock.setTimer(0, () => clock.setTimer(0, () => fired.push('now')))
    clock.setTimer(1, () => fired.push('later'))
    await time.settle()
    expect(fired).toEqual(['now'])
  })

  it('does not move on before promises, turns, stores and signatures are through', async () => {
    const clock = time.clock()
    const signer = await Ed25519Signer.generate()
    const store = new MemoryStore()
    const seen: number[] = []
    const work = async (): Promise<void> => {
      for (let sequence = 0; sequence < 20; sequence++) {
        for (let i = 0; i < 10; i++) await turn()
        const bytes = Uint8Array.of(sequence)
        const signature = await signer.sign(bytes)
        if (!(await createVerifier().verify(signer.device, bytes, signature))) throw new Error('Not signed.')
        const log = { journal: '2026-01-01', device: signer.device, incarnation: 1 }
        await store.append([{ log, sequence, signed: signature }], { durable: true })
      }
      seen.push(clock.monotonicMs())
    }
    clock.setTimer(5, () => void work())
    clock.setTimer(6, () => seen.push(-1))
    await time.advance(10)
    expect(seen).toEqual([5, -1])
  })

  it('stands still during work that leaves the thread', async () => {
    const clock = time.clock()
    const seen: number[] = []
    // Nothing that virtual time could see: neither a timer of its own nor a counted turn.
    const outside = new Promise<void>((resolve) => {
      const wait = (turns: number): void => void setImmediate(turns === 0 ? resolve : () => wait(turns - 1))
      wait(50)
    })
    void time.during(outside).then(() => seen.push(clock.monotonicMs()))
    await time.advance(1000)
    expect(seen).toEqual([0])
  })
})

describe('a device’s clock', () => {
  it('may be set wrong, and set anew', async () => {
    const clock = time.clock({ skewMs: 5000 })
    expect(clock.wallMs()).toBe(VIRTUAL_START_MS + 5000)
    clock.jump(-7000)
    expect(clock.wallMs()).toBe(VIRTUAL_START_MS - 2000)
    expect(clock.monotonicMs()).toBe(0)
  })

  it('asleep fires no timer and counts no time, but its wall clock goes on', async () => {
    const clock = time.clock()
    const fired: number[] = []
    clock.setTimer(100, () => fired.push(time.nowMs - VIRTUAL_START_MS))
    await time.advance(40)
    clock.sleep()
    await time.advance(1000)
    expect([fired, clock.monotonicMs(), clock.wallMs() - VIRTUAL_START_MS]).toEqual([[], 40, 1040])
    clock.wake()
    await time.advance(59)
    expect(fired).toEqual([])
    await time.advance(1)
    expect(fired).toEqual([1100])
    expect(clock.monotonicMs()).toBe(100)
  })

  it('sleeps alone', async () => {
    const [laptop, desk] = [time.clock(), time.clock()]
    let beats = 0
    desk.setTimer(10, () => beats++)
    laptop.sleep()
    laptop.sleep()
    await time.advance(10)
    laptop.wake()
    laptop.wake()
    expect([beats, laptop.monotonicMs(), desk.monotonicMs()]).toEqual([1, 0, 10])
  })

  it('blocked fires its timers late, in order, while both clocks go on', async () => {
    const clock = time.clock()
    const fired: string[] = []
    const note = (name: string) => () => fired.push(`${name} at ${clock.monotonicMs()}`)
    clock.setTimer(30, note('second'))
    clock.setTimer(20, note('first'))
    clock.setTimer(60, note('third'))
    clock.block(50)
    await time.advance(49)
    expect([fired, clock.monotonicMs(), clock.wallMs() - VIRTUAL_START_MS]).toEqual([[], 49, 49])
    await time.advance(20)
    expect(fired).toEqual(['first at 50', 'second at 50', 'third at 60'])
  })

  it('stopped drops its timers and takes no more', async () => {
    const clock = time.clock()
    const fired: string[] = []
    clock.setTimer(10, () => fired.push('before'))
    clock.stop()
    clock.setTimer(10, () => fired.push('after'))
    await time.advance(100)
    expect([fired, clock.timers]).toEqual([[], 0])
  })
})
