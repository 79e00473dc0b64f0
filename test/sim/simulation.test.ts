import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createSimulation, type Outcome, type Simulation } from '../../sim/index.js'
import { createNode, defineRun } from '../../src/index.js'

const resize = defineRun({
  type: 'media.resize',
  input: z.object({ width: z.number().int().positive(), seconds: z.number().default(5) }),
  output: z.object({ pixels: z.number(), by: z.number() }),
  retry: { max: 5 },
})

/** Three devices that can resize. */
async function studio(options: Partial<Parameters<typeof createSimulation>[0]> = {}): Promise<Simulation> {
  const simulation = await createSimulation({ seed: 5, devices: 3, ...options })
  simulation.handle(
    resize,
    async ({ width, seconds }: { width: number; seconds: number }, _context, device) => {
      await device.delay(seconds * 1000)
      return { pixels: width * width, by: device.place }
    },
  )
  return simulation
}

/** Where a run is worked on now. */
function ownerOf(simulation: Simulation, run: { readonly view: { readonly owner: string | null } }): number {
  return simulation.devices.findIndex(({ id }) => id === run.view.owner)
}

describe('an app’s own runs in a simulation', () => {
  it('go as the page of createSimulation says', async () => {
    const simulation = await createSimulation({ seed: 7, devices: 3 })
    simulation.handle('greet', async (name, _context, device) => {
      await device.delay(5000)
      return `Hello, ${name}!`
    })
    const run = await simulation.submit(0, 'greet', 'world')
    simulation.partition([[0], [1, 2]])
    await simulation.advance('5m')
    simulation.heal()
    await simulation.until(() => run.state === 'completed')
    expect(run.view.result?.output).toBe('Hello, world!')
    expect(simulation.check()).toEqual([])
  })

  it('are checked by their schemas on the way in', async () => {
    const simulation = await studio()
    await expect(simulation.submit(0, resize, { width: -1 })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    const run = await simulation.submit(0, resize, { width: 4 })
    await simulation.until(() => run.state === 'completed', '1m')
    expect(run.view.result?.output).toEqual({ pixels: 16, by: 0 })
  })

  it('that return what their schema refuses fail', async () => {
    const simulation = await createSimulation({ devices: 1 })
    simulation.handle(resize, async () => ({ pixels: 'many' }))
    const run = await simulation.submit(0, resize, { width: 4 }, { retry: { max: 0 } })
    await simulation.until(() => run.state === 'failed', '1m')
    expect(run.view.error?.code).toBe('INVALID_OUTPUT')
  })

  it('go to who is willing, by the app’s own policy', async () => {
    const simulation = await studio({
      node: (place) => ({ willing: () => (place === 2 ? true : 'on battery') }),
    })
    const run = await simulation.submit(0, resize, { width: 2 })
    await simulation.until(() => run.state === 'completed', '10m')
    expect(run.view.result?.output).toMatchObject({ by: 2 })
    expect(simulation.check()).toEqual([])
  })

  it('take up no more slots than the app says', async () => {
    const simulation = await studio({ devices: 1, node: () => ({ slots: 2 }) })
    const runs = []
    for (let i = 0; i < 5; i++) runs.push(await simulation.submit(0, resize, { width: 2, seconds: 60 }))
    await simulation.advance('30s')
    expect(runs.filter(({ state }) => state === 'processing')).toHaveLength(2)
  })

  it('are known to devices that come later, with their handlers', async () => {
    const simulation = await studio({ devices: [{}, { joinsLater: true, capabilities: ['gpu'] }] })
    const run = await simulation.submit(0, resize, { width: 2 }, { requires: ['gpu'] })
    await simulation.advance('5m')
    expect(run.state).toBe('created')
    simulation.join(1)
    await simulation.until(() => run.state === 'completed', '5m')
    expect(run.view.result?.output).toMatchObject({ by: 1 })
  })
})

describe('what goes wrong in a simulation', () => {
  it('a device that crashes loses its work to another, and comes back', async () => {
    const simulation = await studio()
    const run = await simulation.submit(0, resize, { width: 3, seconds: 600 })
    await simulation.advance('1m')
    expect(ownerOf(simulation, run)).toBe(0)
    simulation.crash(0)
    expect(simulation.device(0).isUp).toBe(false)
    expect(() => simulation.node(0)).toThrow('is down')
    const view = () => simulation.node(1).runs.view(run.id)
    await simulation.until(() => view()?.state === 'completed', '1h')
    expect(view()?.result?.device).not.toBe(simulation.device(0).id)
    simulation.restart(0)
    await simulation.until(() => simulation.device(0).isUp, '1m')
    await simulation.until(() => simulation.node(0).runs.view(run.id)?.state === 'completed', '10m')
    expect(simulation.check()).toEqual([])
  })

  it('a device that sleeps for long loses its work to another, and lets go when it wakes', async () => {
    const simulation = await studio()
    const run = await simulation.submit(0, resize, { width: 3, seconds: 120 })
    await simulation.advance('10s')
    simulation.sleep(0)
    expect(simulation.device(0).isAsleep).toBe(true)
    const view = () => simulation.node(1).runs.view(run.id)
    await simulation.until(() => view()?.state === 'completed', '1h')
    expect(view()?.result?.device).not.toBe(simulation.device(0).id)
    simulation.wake(0)
    await simulation.until(() => run.state === 'completed', '10m')
    expect(simulation.check()).toEqual([])
  })

  it('a device that stalls for a moment keeps its work', async () => {
    const simulation = await studio()
    const run = await simulation.submit(0, resize, { width: 3, seconds: 120 })
    await simulation.advance('10s')
    simulation.stall(0, '20s')
    await simulation.until(() => run.state === 'completed', '10m')
    expect(run.view.result?.output).toMatchObject({ by: 0 })
    expect(simulation.outcome()).toMatchObject({ starts: 1, doubleExecutions: 0, violations: [] })
  })

  it('a device that leaves hands its work back at once', async () => {
    const simulation = await studio()
    const run = await simulation.submit(0, resize, { width: 3, seconds: 600 })
    await simulation.advance('10s')
    simulation.leave(0)
    await simulation.advance('30s')
    expect(simulation.device(0).isStarted).toBe(false)
    expect(simulation.node(1).runs.view(run.id)?.state).toBe('processing')
    expect(simulation.check()).toEqual([])
  })

  it('a device that is put out has no say any more', async () => {
    const simulation = await studio()
    simulation.revoke(2)
    await simulation.until(
      () => simulation.node(1).devices.get(simulation.device(2).id)?.revoked === true,
      '5m',
    )
    simulation.restart(2)
    expect(simulation.device(2).isRevoked).toBe(true)
    await simulation.settle()
    expect(simulation.violations).toEqual([])
  })

  it('a full disk refuses what is submitted, and nothing is made', async () => {
    const simulation = await studio()
    simulation.disk(0, { full: true })
    await expect(simulation.submit(0, resize, { width: 3 })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('disk is full'),
    })
    simulation.disk(0, { full: false })
    const run = await simulation.submit(0, resize, { width: 3 })
    await simulation.until(() => run.state === 'completed', '10m')
    expect(simulation.outcome().runs).toBe(1)
  })

  it('all of it is taken back at the end, everything that can be done is done, and then nothing is written', async () => {
    const simulation = await studio()
    for (let i = 0; i < 6; i++) await simulation.submit(i % 3, resize, { width: i + 1, seconds: 90 })
    simulation.partition([[0], [1, 2]])
    simulation.weather({ loss: 0.3, latencyMs: 300 })
    simulation.skew(1, 5000)
    simulation.drift(2, 0.0001)
    simulation.disk(2, { slowMs: 200 })
    await simulation.advance('2m')
    simulation.crash(1)
    simulation.sleep(0)
    await simulation.settle()
    await simulation.rest('1h')
    expect(simulation.calmMs).not.toBe(null)
    expect(simulation.network.isWhole).toBe(true)
    expect(simulation.outcome()).toMatchObject({ runs: 6, completed: 6, waiting: 0, violations: [] })
  })
})

describe('time in a simulation', () => {
  it('stands where it was told to', async () => {
    const simulation = await createSimulation({ devices: 1 })
    const before = simulation.nowMs
    await simulation.advance('90s')
    await simulation.advance(500)
    expect(simulation.nowMs - before).toBe(90_500)
  })

  it('is not waited for longer than asked', async () => {
    const simulation = await createSimulation({ devices: 1 })
    const before = simulation.nowMs
    await expect(simulation.until(() => false, '2m')).rejects.toThrow('It did not come to pass within 2m.')
    expect(simulation.nowMs - before).toBe(120_000)
  })

  it('has no device beyond those that are there', async () => {
    const simulation = await createSimulation({ devices: 1 })
    expect(() => simulation.device(1)).toThrow(RangeError)
    await expect(simulation.submit(1, 'x')).rejects.toThrow(RangeError)
  })
})

/** Some work, and some trouble. */
async function story(seed: number, onLine?: (line: string) => void): Promise<Simulation> {
  const simulation = await studio({
    seed,
    network: { loss: 0.1, jitterMs: 40 },
    onLine,
    title: `story ${seed}`,
  })
  for (let i = 0; i < 4; i++) await simulation.submit(i % 3, resize, { width: i + 1, seconds: 40 })
  simulation.crash(1)
  await simulation.advance('4m')
  simulation.restart(1)
  await simulation.advance('2m')
  return simulation
}

function prints({ digest, logDigest }: Outcome): readonly string[] {
  return [digest, logDigest]
}

describe('the same seed', () => {
  it('gives the same, to the last line and byte; another seed does not', async () => {
    const lines: string[] = []
    const first = await story(11, (line) => lines.push(line))
    const again = await story(11)
    expect(again.outcome()).toEqual(first.outcome())
    expect(first.outcome()).toMatchObject({ seed: 11, title: 'story 11', runs: 4 })
    expect(lines.length).toBeGreaterThan(50)
    expect(prints((await story(12)).outcome())).not.toEqual(prints(first.outcome()))
  })

  it('gives the same with another simulation beside it', async () => {
    const alone = [await story(11), await story(12)]
    const beside = await Promise.all([story(11), story(12)])
    expect(beside.map((simulation) => prints(simulation.outcome()))).toEqual(
      alone.map((simulation) => prints(simulation.outcome())),
    )
  })

  it('gives the same with a real node beside it, which is none the worse for it', async () => {
    const alone = await story(11)
    const node = await createNode({ name: 'real', storage: 'memory' })
    node.handle('echo', async (input) => input)
    const work = async (): Promise<unknown> => {
      const outputs: unknown[] = []
      for (let i = 0; i < 5; i++) outputs.push(await (await node.submit('echo', i)).result())
      return outputs
    }
    const [beside, outputs] = await Promise.all([story(11), work()])
    await node.close()
    expect(prints(beside.outcome())).toEqual(prints(alone.outcome()))
    expect(outputs).toEqual([0, 1, 2, 3, 4])
  })

  it('does not depend on whether choices are taken down', async () => {
    const [plain, told] = await Promise.all([studio({ explain: false }), studio({ explain: true })])
    for (const simulation of [plain, told]) {
      await simulation.submit(0, resize, { width: 1 })
      await simulation.advance('1m')
    }
    expect(prints(plain.outcome())).toEqual(prints(told.outcome()))
    expect(told.trace().decisions.length).toBeGreaterThan(0)
  })
})

describe('the report', () => {
  it('is one page that tells of the runs, the devices and what was done to them', async () => {
    const simulation = await story(11)
    const page = simulation.report()
    expect(page).toMatch(/^<!doctype html>/i)
    const { runs, devices, spans } = simulation.trace()
    expect([runs.length, devices.length]).toEqual([4, 3])
    expect(spans).toMatchObject([{ kind: 'down', place: 1 }])
  })

  it('tells of what was violated', async () => {
    const simulation = await createSimulation({ devices: 1 })
    simulation.witness.violated('cost', 'too much of it', { place: 0 })
    expect(simulation.outcome().violations).toMatchObject([{ invariant: 'cost', place: 0 }])
    expect(simulation.report()).toContain('too much of it')
  })
})

it('real signatures change the ids, and nothing of what happens', async () => {
  const simulation = await studio({ signatures: 'ed25519' })
  const run = await simulation.submit(0, resize, { width: 4 })
  await simulation.until(() => simulation.node(2).runs.view(run.id)?.state === 'completed', '5m')
  expect(simulation.check()).toEqual([])
})
