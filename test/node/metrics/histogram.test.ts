import { describe, expect, it } from 'vitest'
import { BUCKETS_SECONDS } from '../../../src/node/metrics/constants.js'
import { Histogram } from '../../../src/node/metrics/histogram.js'

describe('a histogram', () => {
  it('has cumulative buckets, and counts beyond the last one too', () => {
    const histogram = new Histogram()
    for (const seconds of [0, 0.0005, 0.7, 1, 1_000_000]) histogram.observe(seconds * 1000)
    const { buckets, count, sum } = histogram.snapshot()
    expect(buckets.map(({ le }) => le)).toEqual(BUCKETS_SECONDS)
    expect(buckets.find(({ le }) => le === 0.0005)?.count).toBe(2)
    expect(buckets.find(({ le }) => le === 0.5)?.count).toBe(2)
    expect(buckets.find(({ le }) => le === 1)?.count).toBe(4)
    expect(buckets[buckets.length - 1]?.count).toBe(4)
    expect(count).toBe(5)
    expect(sum).toBeCloseTo(1_000_001.7005)
  })

  it('estimates quantiles within their bucket', () => {
    const histogram = new Histogram()
    for (let i = 1; i <= 1000; i++) histogram.observe(i)
    const { p50, p90, p99, mean } = histogram.snapshot()
    expect(p50).toBeCloseTo(0.5, 2)
    expect(p90).toBeCloseTo(0.9, 2)
    expect(p99).toBeCloseTo(0.99, 2)
    expect(mean).toBeCloseTo(0.5005)
  })

  it('knows nothing before it has seen anything, and takes a negative time for none', () => {
    const histogram = new Histogram()
    expect(histogram.snapshot()).toMatchObject({ count: 0, mean: null, p50: null, p99: null })
    histogram.observe(-5)
    expect(histogram.snapshot().sum).toBe(0)
  })

  it('does not guess beyond its last bound', () => {
    const histogram = new Histogram()
    histogram.observe(1e12)
    expect(histogram.snapshot().p50).toBe(BUCKETS_SECONDS[BUCKETS_SECONDS.length - 1])
  })
})
