/** What handlers are given, and what becomes of what they do. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineRun, type Run, type RunContext } from '../../../src/index.js'
import { codeOf, quickGroup, recordsSeen, Workshop } from '../group-kit.js'
import { schemaOf } from '../schemas.js'

describe('ctx', () => {
  it('ctx.signal: its reason has a code for each way to lose a run', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, { setUp: (node, place) => node.handle('job', workshop.at(place)) })
    const { node } = group.device(0)
    const reasonOf = async (act: (run: Run) => Promise<unknown>, options = {}): Promise<string | null> => {
      const run = await group.during(node.submit('job', null, options))
      await group.until(() => workshop.last.context.run === run.id)
      const call = workshop.last
      await group.during(act(run))
      await group.advance(2000)
      return call.reason()
    }
    expect(await reasonOf((run) => run.cancel())).toBe('cancelled')
    expect(await reasonOf((run) => run.pause())).toBe('paused')
    expect(await reasonOf((run) => run.release())).toBe('released')
    expect(await reasonOf((run) => run.reassign({ to: group.device(1).id }))).toBe('superseded')
    expect(await reasonOf(() => group.advance(5000), { timeoutMs: 4000 })).toBe('timeout')
    expect(await reasonOf(() => node.drain({ timeoutMs: 1 }))).toBe('shutdown')
    const { signal } = workshop.call(0).context
    expect(signal.reason).toBeInstanceOf(Error)
    expect(signal.reason?.message).toBe('The run was cancelled.')
  })

  it('ctx.fence: grows with every change of owner, and ctx.attempt with every failure', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, { setUp: (node, place) => node.handle('job', workshop.at(place)) })
    const run = await group.during(group.device(0).node.submit('job', null, { retry: { backoffMs: 10 } }))
    await group.during(run.release())
    await group.until(() => workshop.calls.length === 2)
    workshop.last.fail(new Error('no'))
    await group.until(() => workshop.calls.length === 3)
    const fences = workshop.calls.map(({ context }) => context.fence)
    expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b))
    expect(fences[0]).toBeGreaterThan(0)
    expect(workshop.calls.map(({ context }) => context.attempt)).toEqual([1, 1, 2])
  })

  it('ctx: tells the run, its type, its version and the device', async () => {
    const workshop = new Workshop()
    const job = defineRun({ type: 'job', version: 3 })
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const { node } = group.device(0)
    const run = await group.during(node.submit(job, 1))
    expect(workshop.last.context).toMatchObject({ run: run.id, type: 'job', version: 3, device: node.device })
  })

  it('ctx.checkpoint: the next attempt goes on from what the one before reported last', async () => {
    const steps: unknown[] = []
    const group = await quickGroup(1, {
      setUp: (node) =>
        node.handle('job', async (_, { checkpoint, progress, attempt }) => {
          steps.push(checkpoint)
          for (let step = 0; step < 5; step++) progress({ attempt, step })
          if (attempt < 3) throw new Error('again')
        }),
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.during(run.result())
    expect(steps).toEqual([null, { attempt: 1, step: 4 }, { attempt: 2, step: 4 }])
  })

  it('ctx.progress: is coalesced: however often it is called, one record a second, and the last counts', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const { node } = group.device(0)
    const seen = recordsSeen(node)
    const run = await group.during(node.submit('job'))
    const { context } = workshop.last
    for (let i = 0; i <= 10_000; i++) {
      context.progress({ i })
      if (i % 1000 === 0) await group.advance(500)
    }
    await group.advance(1000)
    const reports = seen.filter(({ kind }) => kind === 'progressed').length
    expect(reports).toBeGreaterThan(2)
    expect(reports).toBeLessThanOrEqual(8)
    expect(run.view.progress).toEqual({ i: 10_000 })
    expect(await codeOf(() => context.progress((() => {}) as never))).toBe('INVALID_PROGRESS')
  })

  it('ctx.log: never throws, whatever it is given, and lines are cut to size', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const run = await group.during(group.device(0).node.submit('job'))
    const { log } = workshop.last.context
    log('x'.repeat(10_000))
    log('function', () => {})
    log.error('big', { data: 'y'.repeat(10_000) })
    const lines = await run.logs()
    expect(lines.map(({ level, cut }) => [level, cut])).toEqual([
      ['info', true],
      ['info', true],
      ['error', true],
    ])
    expect(lines[0]?.message.length).toBeLessThanOrEqual(2000)
  })

  it('ctx.submit: makes child runs, and cancelling the parent cancels them, wherever they are', async () => {
    const workshop = new Workshop()
    const children: Run[] = []
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 0)
          node.handle('parent', async (_, context: RunContext) => {
            children.push(await context.submit('child', 1), await context.submit('nobody', 2))
            await new Promise((_, reject) => context.signal.addEventListener('abort', reject))
          })
        else node.handle('child', workshop.at(1))
      },
    })
    const { node } = group.device(0)
    const parent = await group.during(node.submit('parent'))
    await group.until(() => workshop.calls.length === 1)
    expect(children.map(({ view }) => view.created.parent)).toEqual([parent.id, parent.id])
    expect(node.runs.count({ parent: parent.id })).toBe(2)
    await group.during(parent.cancel())
    await group.advance(1000)
    expect(children.map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
    expect(workshop.last.reason()).toBe('cancelled')
    expect(await codeOf(node.submit('child', 3, { parent: parent.id }))).toBe('RUN_TERMINAL')
  })

  it('ctx.yield: lets others run, and throws the reason once the run is lost', async () => {
    let turns = 0
    let thrown: unknown = null
    const group = await quickGroup(1, {
      setUp: (node) =>
        node.handle('job', async (_, context) => {
          try {
            for (;;) {
              await context.yield()
              if (++turns === 5) await run?.cancel()
            }
          } catch (error) {
            thrown = error
            throw error
          }
        }),
    })
    const run = await group.device(0).node.submit('job')
    await group.advance(1000)
    expect(thrown).toMatchObject({ code: 'cancelled' })
    expect(turns).toBeGreaterThanOrEqual(5)
  })
})

describe('how a handler ends', () => {
  it('unresponsive handlers: one that ignores its signal is abandoned after the grace, released and counted', async () => {
    let isStuck = true
    const group = await quickGroup(2, {
      device: { abortGraceMs: 5000 },
      setUp: (node) =>
        node.handle('job', async () => {
          if (isStuck) await new Promise(() => {})
          return 'done'
        }),
    })
    const { node } = group.device(0)
    const told: unknown[] = []
    node.addEventListener('node:unresponsive', ({ detail }) => void told.push(detail))
    const run = await group.during(node.submit('job', null, { timeoutMs: 1000 }))
    await group.advance(5500)
    expect(told).toEqual([])
    expect(run.state).toBe('processing')
    isStuck = false
    await group.advance(1000)
    expect(told).toEqual([{ run: run.id, type: 'job' }])
    expect(node.metrics().unresponsive).toBe(1)
    expect(await group.during(run.result())).toBe('done')
    expect(run.history()[0]?.reason).toBe('failed')
  })

  it('a claim lost: what a handler returns after its signal is no result', async () => {
    const returned: string[] = []
    const group = await quickGroup(2, {
      setUp: (node, place) =>
        node.handle('job', async (_, { signal }) => {
          if (place === 1) return 'whole'
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          returned.push('half')
          return 'half'
        }),
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.during(run.reassign({ to: group.device(1).id }))
    expect(await group.during(run.result())).toBe('whole')
    await group.advance(1000)
    expect(returned).toEqual(['half'])
    expect(run.view.conflicts).toEqual([])
  })

  it('a handler that is taken away: what runs goes on, and new runs go elsewhere', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2)
    const { node } = group.device(0)
    const remove = node.handle('job', workshop.at(0))
    group.device(1).node.handle('job', workshop.at(1))
    await group.advance(3000)
    await group.during(node.submit('job', 'first'))
    remove()
    await group.during(node.submit('job', 'second'))
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.places).toEqual([0, 1])
    expect(workshop.call(0).reason()).toBeNull()
  })

  it('not-before: nobody begins a run before its time, whoever can', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, { setUp: (node, place) => node.handle('job', workshop.at(place)) })
    const { node } = group.device(0)
    await group.during(node.submit('job', 'at', { notBefore: group.time.nowMs + 20_000 }))
    await group.during(node.submit('job', 'in', { delayMs: 10_000 }))
    await group.during(node.submit('job', 'now', { delayMs: 0 }))
    await group.advance(9000)
    expect(workshop.calls.map(({ input }) => input)).toEqual(['now'])
    await group.advance(2000)
    expect(workshop.calls.map(({ input }) => input)).toEqual(['now', 'in'])
    await group.advance(10_000)
    expect(workshop.calls.map(({ input }) => input)).toEqual(['now', 'in', 'at'])
  })
})

describe('schemas', () => {
  const photo = defineRun({
    type: 'photo',
    input: z.object({ file: z.string(), taken: z.string().transform((text) => new Date(text)) }),
    output: z.object({ url: z.url() }),
  })

  it('Standard Schema: a bad input is refused at `submit`, and nothing is written', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const error = await node.submit(photo, { file: 7 } as never).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { type: 'photo' } })
    expect(await codeOf(node.submitMany([{ type: photo, input: {} }]))).toBe('INVALID_INPUT')
    expect(node.runs.count()).toBe(0)
  })

  it('Standard Schema: the handler gets what the schema makes of the input', async () => {
    const group = await quickGroup(1, {
      setUp: (node) =>
        node.handle(photo, async ({ file, taken }) => ({
          url: `https://example.org/${taken.getFullYear()}/${file}`,
        })),
    })
    const run = await group.during(group.device(0).node.submit(photo, { file: 'a.png', taken: '2020-02-03' }))
    expect(await group.during(run.result())).toEqual({ url: 'https://example.org/2020/a.png' })
  })

  it('Standard Schema: a bad output fails the run, without a retry', async () => {
    let attempts = 0
    const group = await quickGroup(1, {
      setUp: (node) =>
        node.handle(photo, async () => {
          attempts++
          return { url: 'nowhere' }
        }),
    })
    const run = await group.during(group.device(0).node.submit(photo, { file: 'a', taken: '2020-02-03' }))
    expect(await codeOf(group.during(run.result()))).toBe('INVALID_OUTPUT')
    await group.advance(60_000)
    expect(attempts).toBe(1)
  })

  it('Standard Schema: an input that another version let through fails on the device that is stricter', async () => {
    const loose = defineRun({ type: 'photo' })
    let attempts = 0
    const group = await quickGroup(2, {
      setUp: (node, place) => {
        if (place === 1)
          node.handle(photo, async () => {
            attempts++
            return { url: 'https://example.org' }
          })
      },
    })
    const run = await group.during(group.device(0).node.submit(loose, { file: 1 }))
    await codeOf(group.during(run.result()))
    expect(run.view.error).toMatchObject({ code: 'INVALID_INPUT', device: group.device(1).id })
    expect(attempts).toBe(0)
  })

  it('Standard Schema: any library’s, also one that answers later', async () => {
    const even = defineRun({
      type: 'even',
      input: schemaOf<number>(async (value) =>
        Number(value) % 2 === 0 ? { value: Number(value) } : { issues: [{ message: 'is odd' }] },
      ),
    })
    const group = await quickGroup(1, { setUp: (node) => node.handle(even, async (n) => n / 2) })
    const { node } = group.device(0)
    expect(await codeOf(group.during(node.submit(even, 3)))).toBe('INVALID_INPUT')
    expect(await group.during((await group.during(node.submit(even, 4))).result())).toBe(2)
  })
})
