/** Choices a second, over more and more candidates. */
import { type Candidate, choose, deviceOfKey, type RunNeeds } from '../../protocol/index.js'
import { rate, type Table } from '../measure.js'
import { group, life } from './lives.js'

export function chooseTable(): Table {
  return {
    title: 'Choices with every candidate explained',
    unit: 'choices/s on one core',
    note: 'Gates, election, score and reasons for each candidate; a tenth of them lacks the capability.',
    rows: [10, 100, 1000].map((count) => {
      const candidates = Array.from({ length: count }, (_, i) => candidate(i))
      const times = Math.ceil(50_000 / count)
      return rate(`${count} candidates`, {
        run() {
          for (let i = 0; i < times; i++) choose({ group, run: needs(i), candidates, nowMs: 0 })
          return times
        },
      })
    }),
  }
}

const [created] = life(1)

function needs(n: number): RunNeeds {
  return {
    run: created?.run ?? '',
    type: 'media.thumbnail',
    priority: n % 3,
    requires: ['sharp'],
    prefers: [],
    privacy: [],
    creator: created?.author ?? '',
    approved: true,
    coordinator: false,
    minBattery: 0,
    exclusions: [],
  }
}

function candidate(i: number): Candidate {
  const key = new Uint8Array(32)
  new DataView(key.buffer).setUint32(0, i)
  return {
    device: deviceOfKey(key),
    role: 'member',
    revoked: false,
    clearances: [],
    class: i % 2 === 0 ? 'laptop' : 'desktop',
    capabilities: i % 10 === 9 ? [] : ['sharp', 'ffmpeg'],
    slots: 10,
    reserved: 1,
    beacon: {
      ageMs: 1000,
      active: i % 7,
      load: (i % 5) / 10,
      draining: false,
      onMains: true,
      battery: null,
      uptimeMs: i * 60_000,
      stability: 1,
    },
    pending: 0,
    quality: (i % 11) / 10,
    circuitOpen: false,
  }
}
