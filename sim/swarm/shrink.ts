/**
 * The minimiser: makes a script that goes wrong as short as it can, so that a person can read it. It only ever tries; a
 * shorter script counts if it still goes wrong in the same way. The same script gives the same result.
 */
import { msOfDuration } from '../script/duration.js'
import { sensible } from '../script/sense.js'
import type { DeviceSpec, Script, Step } from '../script/types.js'
import { DEVICE_SPEC } from '../simulation.js'

export interface ShrinkOptions {
  /** Whether a script still goes wrong in the same way. */
  readonly goesWrong: (script: Script) => Promise<boolean>
  /** Scripts that may be played. @default 200 */
  readonly tries?: number | undefined
  /** Told after each try. */
  readonly onTry?: ((tries: number, shortest: Script) => void) | undefined
}

export interface Shrunk {
  readonly script: Script
  /** Scripts that were played. */
  readonly tries: number
  /** Whether nothing was left to try. */
  readonly isShortest: boolean
}

export const SHRINK_TRIES = 200

/** `script` has to go wrong. */
export async function shrink(script: Script, options: ShrinkOptions): Promise<Shrunk> {
  const search = new Search(script, options)
  for (let before: Script | null = null; before !== search.shortest && !search.isSpent; ) {
    before = search.shortest
    await dropSteps(search)
    await dropDevices(search)
    await simplify(search)
    await shorten(search)
  }
  return { script: search.shortest, tries: search.tries, isShortest: !search.isSpent }
}

class Search {
  readonly #options: ShrinkOptions
  readonly #limit: number
  shortest: Script
  tries = 0

  constructor(script: Script, options: ShrinkOptions) {
    this.shortest = script
    this.#options = options
    this.#limit = options.tries ?? SHRINK_TRIES
  }

  get isSpent(): boolean {
    return this.tries >= this.#limit
  }

  /** Plays a candidate, and keeps it if it goes wrong. */
  async offer(candidate: Script): Promise<boolean> {
    if (this.isSpent) return false
    this.tries++
    const isKept = await this.#options.goesWrong(candidate)
    if (isKept) this.shortest = candidate
    this.#options.onTry?.(this.tries, this.shortest)
    return isKept
  }
}

/** Drops chunks of steps: halves first, single ones at last. What no longer has a meaning goes with them. */
async function dropSteps(search: Search): Promise<void> {
  for (let size = Math.ceil(search.shortest.steps.length / 2); size > 0 && !search.isSpent; ) {
    // From the end: what came last seldom matters to what went wrong before.
    for (let end = search.shortest.steps.length; end > 0 && !search.isSpent; ) {
      const from = Math.max(0, end - size)
      const { steps } = search.shortest
      const left = steps.filter((_, place) => place < from || place >= end)
      await search.offer(sensible({ ...search.shortest, steps: left }))
      end = Math.min(from, search.shortest.steps.length)
    }
    size = size === 1 ? 0 : Math.ceil(size / 2)
  }
}

/** Drops devices from the end, with what befell them: the places of the others have to stay. */
async function dropDevices(search: Search): Promise<void> {
  for (let size = Math.ceil(search.shortest.devices.length / 2); size > 0 && !search.isSpent; ) {
    const left = search.shortest.devices.length - size
    const isDropped = left > 0 && (await search.offer(firstDevices(search.shortest, left)))
    if (!isDropped) size = size === 1 ? 0 : Math.ceil(size / 2)
  }
}

function firstDevices(script: Script, count: number): Script {
  const steps = script.steps.map((step) =>
    step.do === 'partition'
      ? {
          ...step,
          sides: step.sides
            .map((side) => side.filter((place) => place < count))
            .filter((side) => side.length > 0),
        }
      : step,
  )
  return sensible({
    ...script,
    devices: script.devices.slice(0, count),
    steps: steps.filter((step) => step.do !== 'partition' || step.sides.length > 0),
  })
}

/** Makes conditions, devices and jobs ordinary, one at a time. */
async function simplify(search: Search): Promise<void> {
  const { network, abortGraceMs, weights: _weights, ...plain } = search.shortest
  if (Object.keys(network).length > 0) await search.offer({ ...search.shortest, network: {} })
  if ('weights' in search.shortest && search.shortest.weights !== undefined)
    await search.offer({ ...plain, network, abortGraceMs })
  for (let place = 0; place < search.shortest.devices.length && !search.isSpent; place++) {
    const now = search.shortest.devices[place]
    if (now !== undefined && !isEqual(now, DEVICE_SPEC))
      (await search.offer(withDevice(search.shortest, place, DEVICE_SPEC))) ||
        (await simplifyDevice(search, place))
  }
  for (let place = 0; place < search.shortest.steps.length && !search.isSpent; place++) {
    const step = search.shortest.steps[place]
    const simpler = step === undefined ? null : simplerStep(step)
    if (simpler !== null) await search.offer(sensible(withStep(search.shortest, place, simpler)))
  }
}

async function simplifyDevice(search: Search, place: number): Promise<void> {
  for (const name of Object.keys(DEVICE_SPEC) as (keyof DeviceSpec)[]) {
    const now = search.shortest.devices[place]
    if (now === undefined || isEqual(now[name], DEVICE_SPEC[name])) continue
    await search.offer(withDevice(search.shortest, place, { ...now, [name]: DEVICE_SPEC[name] }))
  }
}

/** Null if it cannot be simpler. */
function simplerStep(step: Step): Step | null {
  if (step.do !== 'submit') return null
  const simpler: Step = {
    ...step,
    type: 'work',
    count: 1,
    job: { ...step.job, fails: 0, hangs: false },
    options: {},
  }
  return isEqual(simpler, step) ? null : simpler
}

/** Ends right after the last step, or in half the time. */
async function shorten(search: Search): Promise<void> {
  const lastMs = Math.max(0, ...search.shortest.steps.map(({ at }) => msOfDuration(at)))
  for (const addMs of [0, 60_000, 600_000]) {
    const lasts = Math.ceil((lastMs + addMs) / 1000) * 1000
    if (lasts >= msOfDuration(search.shortest.lasts)) return
    if (await search.offer({ ...search.shortest, lasts })) return
  }
}

function withDevice(script: Script, place: number, device: DeviceSpec): Script {
  return { ...script, devices: script.devices.map((now, i) => (i === place ? device : now)) }
}

function withStep(script: Script, place: number, step: Step): Script {
  return { ...script, steps: script.steps.map((now, i) => (i === place ? step : now)) }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
