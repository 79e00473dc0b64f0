import { describe, expect, it } from 'vitest'
import { engineConfig } from '../../src/engine/config.js'
import { Peers } from '../../src/engine/peers.js'
import { ana, ben, cid, dee, FOUNDED, GROUP } from '../protocol/story.js'
import { beaconOf, HEARTBEAT } from './desk.js'

const { timeoutMs } = HEARTBEAT

class Listener {
  readonly peers: Peers
  ms = 0
  #sequence = 0

  constructor() {
    const config = engineConfig({
      group: GROUP,
      device: ana,
      incarnation: FOUNDED,
      heartbeat: HEARTBEAT,
      viewOf: () => null,
      recordsOf: () => [],
    })
    this.peers = new Peers(config, this.now)
  }

  get now(): { wallMs: number; monoMs: number } {
    return { wallMs: this.ms, monoMs: this.ms }
  }

  hear(device: string, extra: Parameters<typeof beaconOf>[3] = {}): void {
    this.peers.hear(beaconOf(device, this.ms, this.#sequence++, extra), this.now)
  }

  isGone(device: string): boolean {
    return this.peers.isGone(device, timeoutMs, this.now)
  }
}

describe('a device', () => {
  it('is gone after the timeout, counted from its last beacon', () => {
    const here = new Listener()
    here.ms = 1000
    here.hear(ben)
    here.ms += timeoutMs
    expect(here.isGone(ben)).toBe(false)
    here.ms++
    expect(here.isGone(ben)).toBe(true)
    expect(here.peers.takeOffline(here.now)).toEqual([ben])
    expect(here.peers.takeOffline(here.now)).toEqual([])
  })

  it('that was never heard is gone only after a newcomer has listened for a whole timeout', () => {
    const here = new Listener()
    here.ms = timeoutMs
    expect(here.isGone(ben)).toBe(false)
    here.ms++
    expect(here.isGone(ben)).toBe(true)
  })

  it('is not gone while another hears it, and is once the other does not either', () => {
    const here = new Listener()
    here.hear(ben)
    here.ms = 10_000
    here.hear(cid, { heard: [[ben, 500]] })
    expect(here.isGone(ben)).toBe(false)
    here.ms += 1000
    here.hear(cid, { heard: [[ben, timeoutMs + 1]] })
    expect(here.isGone(ben)).toBe(true)
  })

  it('is gone at once when it says so', () => {
    const here = new Listener()
    here.hear(ben, { leaving: true })
    expect(here.isGone(ben)).toBe(true)
    expect(here.peers.goneAtMs(ben, timeoutMs, here.now)).toBe(0)
    expect(here.peers.isLive(ben, here.now)).toBe(false)
  })

  it('is back with its next process, and an old process is not listened to any more', () => {
    const here = new Listener()
    here.hear(ben, { leaving: true })
    here.hear(ben, { incarnation: FOUNDED + 1 })
    expect(here.isGone(ben)).toBe(false)
    here.hear(ben, { leaving: true })
    expect(here.isGone(ben)).toBe(false)
  })

  it('whose beacon comes twice, or late, is heard once', () => {
    const here = new Listener()
    const beacon = beaconOf(ben, 0, 5)
    expect(here.peers.hear(beacon, here.now)?.isNew).toBe(true)
    expect(here.peers.hear(beacon, here.now)).toBeNull()
    expect(here.peers.hear({ ...beacon, sequence: 4 }, here.now)).toBeNull()
    expect(here.peers.hear({ ...beacon, sequence: 6 }, here.now)?.isNew).toBe(false)
  })
})

describe('a lost connection', () => {
  function lost(): Listener {
    const here = new Listener()
    here.peers.connection(ben, 1, here.now)
    here.hear(ben)
    here.peers.connection(ben, null, here.now)
    here.ms = timeoutMs / 2 + 100
    return here
  }

  it('alone is no reason', () => {
    expect(lost().isGone(ben)).toBe(false)
  })

  it('halves the wait if another has not heard the device for a while either', () => {
    const here = lost()
    here.hear(cid, { heard: [[ben, timeoutMs / 2 + 200]] })
    expect(here.isGone(ben)).toBe(true)
  })

  it('is not confirmed by one who heard it a moment ago', () => {
    const here = lost()
    here.hear(cid, { heard: [[ben, 900]] })
    expect(here.isGone(ben)).toBe(false)
  })

  it('is forgotten when it is there again', () => {
    const here = lost()
    here.hear(cid)
    here.peers.connection(ben, 1, here.now)
    expect(here.isGone(ben)).toBe(false)
  })
})

describe('time in which this device could not listen', () => {
  it('is held against nobody', () => {
    const here = new Listener()
    here.hear(ben)
    here.ms = 1000
    here.peers.slept(2000, 2000, { wallMs: 3000, monoMs: 3000 })
    here.ms = 3000 + timeoutMs - 1000
    expect(here.isGone(ben)).toBe(false)
    here.ms++
    expect(here.isGone(ben)).toBe(true)
  })

  it('makes a newcomer of it if it was long', () => {
    const here = new Listener()
    here.hear(ben)
    here.ms = 60_000
    here.peers.slept(60_000, 60_000, here.now)
    here.ms += timeoutMs
    expect([here.isGone(ben), here.isGone(cid)]).toEqual([false, false])
    here.ms++
    expect([here.isGone(ben), here.isGone(cid)]).toEqual([true, true])
  })
})

describe('the clocks of others', () => {
  function skewOf(...skews: readonly number[]): number | null {
    const here = new Listener()
    for (const [i, skew] of skews.entries()) here.hear([ben, cid, dee][i] as string, { wallMs: skew })
    return here.peers.skew(here.now)
  }

  it('say nothing if only one is heard', () => {
    expect(skewOf(20_000)).toBeNull()
  })

  it('outvote ours if two agree against it', () => {
    expect(skewOf(20_000, 20_000)).toBe(20_000)
  })

  it('are outvoted if ours agrees with one of two', () => {
    expect(skewOf(0, 20_000)).toBe(0)
  })

  it('of an even number: the middle one that asks for less', () => {
    expect(skewOf(-5, 20, 30)).toBe(0)
  })

  it('are not told by a beacon that was held up, nor by the next, until they are in step for a while', () => {
    const here = new Listener()
    const skews = [20, 60_000, 60_000, 20, 20, 20].map((lateMs) => {
      here.ms += 4_000
      for (const device of [ben, cid]) here.hear(device, { wallMs: here.ms - lateMs })
      return here.peers.skew(here.now)
    })
    expect(skews).toEqual([-20, -20, -20, -20, -20, -20])
  })

  it('are told anew by beacons that go on in step after a clock was set', () => {
    const here = new Listener()
    const skews = [0, 40_000, 40_000, 40_000].map((aheadMs) => {
      here.ms += 4_000
      for (const device of [ben, cid]) here.hear(device, { wallMs: here.ms + aheadMs })
      return here.peers.skew(here.now)
    })
    expect(skews).toEqual([0, 0, 0, 40_000])
  })

  it('are not told by beacons that waited for us to wake up', () => {
    const here = new Listener()
    for (const device of [ben, cid]) here.hear(device, { wallMs: here.ms })
    here.ms += 600_000
    here.peers.slept(600_000, 600_000, here.now)
    for (const waitedMs of [500_000, 400_000, 399_000, 20_000]) {
      for (const device of [ben, cid, dee]) here.hear(device, { wallMs: here.ms - waitedMs })
      expect(here.peers.skew(here.now)).toBeNull()
    }
    for (let beat = 0; beat < 2; beat++) {
      here.ms += 30_000
      for (const device of [ben, cid]) here.hear(device, { wallMs: here.ms })
    }
    expect(here.peers.skew(here.now)).toBe(0)
  })

  it('are told at once by the first beacon after a sleep that is in step with the last before it', () => {
    const here = new Listener()
    for (const device of [ben, cid]) here.hear(device, { wallMs: here.ms })
    here.peers.slept(600_000, 0, here.now)
    here.ms += 1_000
    for (const device of [ben, cid]) here.hear(device, { wallMs: here.ms + 600_000 })
    expect(here.peers.skew(here.now)).toBe(600_000)
  })
})
