import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type DeviceId, HEARTBEAT_TIMEOUT_MS, type RunView } from '../../protocol/index.js'
import { Holdings } from '../../src/engine/holdings.js'
import type { Tracked } from '../../src/engine/state.js'
import { ana, ben } from '../protocol/story.js'
import { HEARTBEAT } from './desk.js'

const STATES = ['created', 'assigned', 'claimed', 'processing', 'reassigning'] as const

function viewOf(state: (typeof STATES)[number], device: DeviceId, isSpecial: boolean): RunView {
  const created = isSpecial ? { heartbeat: HEARTBEAT } : {}
  return { state, assignment: state === 'created' ? null : { device }, created } as unknown as RunView
}

const anyView = fc
  .tuple(fc.constantFrom(...STATES), fc.constantFrom(ana, ben), fc.boolean())
  .map((args) => viewOf(...args))

it('who has what is what a recount of the views gives, however they change', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 4 }), fc.option(anyView)), { maxLength: 40 }), (changes) => {
      const holdings = new Holdings()
      const runs = Array.from({ length: 5 }, () => ({ view: null }) as unknown as { view: RunView | null })
      for (const [i, view] of changes) {
        const run = runs[i] as { view: RunView | null }
        const before = run.view
        run.view = view
        holdings.update(run as Tracked, before, view)
      }
      for (const device of [ana, ben]) {
        const held = runs.filter(
          ({ view }) =>
            view?.assignment?.device === device && ['assigned', 'claimed', 'processing'].includes(view.state),
        )
        expect(new Set(holdings.of(device)?.runs)).toEqual(new Set(held))
        expect(holdings.of(device)?.assigned ?? 0).toBe(
          held.filter(({ view }) => view?.state === 'assigned').length,
        )
        expect(holdings.of(device)?.claimed ?? 0).toBe(
          held.filter(({ view }) => view?.state !== 'assigned').length,
        )
        const isAnySpecial = held.some(({ view }) => view?.created.heartbeat !== undefined)
        expect(holdings.heartbeatOf(device).timeoutMs).toBe(
          isAnySpecial ? HEARTBEAT.timeoutMs : HEARTBEAT_TIMEOUT_MS,
        )
      }
    }),
  )
})

it('tells who has one less, so that the line can move', () => {
  const holdings = new Holdings()
  const run = {} as Tracked
  const [mine, bens] = [viewOf('claimed', ana, false), viewOf('assigned', ben, false)]
  expect(holdings.update(run, null, mine)).toBeNull()
  expect(holdings.update(run, mine, viewOf('processing', ana, false))).toBeNull()
  expect(holdings.update(run, mine, bens)).toBe(ana)
  expect(holdings.update(run, bens, null)).toBe(ben)
})
