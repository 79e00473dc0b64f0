import { beforeEach, expect, it } from 'vitest'
import { DevicePulse } from '../../../sim/devices/pulse.js'

let pulse: DevicePulse

beforeEach(() => {
  pulse = new DevicePulse()
})

it('is silent from the moment that is asked for until now, if there never was a beacon', () => {
  expect(pulse.longestSilence(1000, 5000)).toBe(4000)
})

it('is silent for the longest time between two beacons, or since the last', () => {
  for (const atMs of [10_000, 20_000, 90_000, 100_000]) pulse.beat(atMs)
  expect(pulse.longestSilence(0, 101_000)).toBe(70_000)
  expect(pulse.longestSilence(0, 300_000)).toBe(200_000)
})

it('counts only what lies after the moment that is asked for', () => {
  for (const atMs of [10_000, 90_000, 100_000]) pulse.beat(atMs)
  expect(pulse.longestSilence(80_000, 101_000)).toBe(10_000)
  expect(pulse.longestSilence(50_000, 101_000)).toBe(40_000)
  expect(pulse.longestSilence(90_000, 101_000)).toBe(10_000)
})

it('begins anew with a new process, and its beacons are all counted', () => {
  pulse.beat(10_000)
  pulse.beat(90_000)
  pulse.reset()
  expect(pulse.longestSilence(100_000, 101_000)).toBe(1000)
  pulse.beat(102_000)
  expect(pulse.longestSilence(100_000, 103_000)).toBe(1000)
  expect(pulse.published).toBe(3)
})
