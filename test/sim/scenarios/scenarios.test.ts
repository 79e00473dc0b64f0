/** Every scenario, as it is told: what it expects comes true, and nothing that must hold is broken. */
import { describe, expect, test } from 'vitest'
import { SCENARIOS } from '../../../sim/scenarios/index.js'

/** Milliseconds that one may take on a busy machine: a week of five devices is a million things that happen. */
const PATIENCE_MS = 900_000

describe.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', (_name, scenario) => {
  test(scenario.title, { timeout: PATIENCE_MS }, async () => {
    const result = await scenario.play()
    expect(result.failures).toEqual([])
    expect(result.violations).toEqual([])
    expect(result.expectations.length).toBeGreaterThan(0)
    expect(result.report()).toMatch(/^<!doctype html>/i)
  })
})
