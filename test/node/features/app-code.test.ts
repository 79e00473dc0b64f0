/** The app's own code may do what it likes: throw, return oddities, ask twice. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import { codeOf, quickGroup, Workshop } from '../group-kit.js'

describe('what handlers return and throw', () => {
  it('outputs: nothing is null, and what no record can carry fails the run without a retry', async () => {
    const outputs: Readonly<Record<string, unknown>> = {
      nothing: undefined,
      zero: 0,
      bytes: new Uint8Array([1, 2]),
      date: new Date(0),
      symbol: Symbol('no'),
      cycle: (() => {
        const self: unknown[] = []
        self.push(self)
        return self
      })(),
    }
    let attempts = 0
    const group = await quickGroup(1, {
      setUp: (node) =>
        node.handle('job', (name) => {
          attempts++
          return outputs[String(name)]
        }),
    })
    const outcome = async (name: string): Promise<unknown> => {
      const run = await group.during(group.device(0).node.submit('job', name))
      return group.during(run.result()).catch((error: { readonly code: string }) => error.code)
    }
    expect(await outcome('nothing')).toBeNull()
    expect(await outcome('zero')).toBe(0)
    expect(await outcome('bytes')).toEqual(new Uint8Array([1, 2]))
    expect(await outcome('date')).toBe('INVALID_OUTPUT')
    expect(await outcome('symbol')).toBe('INVALID_OUTPUT')
    expect(await outcome('cycle')).toBe('INVALID_OUTPUT')
    expect(attempts).toBe(6)
  })

  it('errors: whatever is thrown becomes a code and a message that fit a record', async () => {
    const thrown: readonly unknown[] = [
      new Error('plain'),
      Object.assign(new Error('named'), { code: 'E_NAMED', details: { at: 3 } }),
      'just text',
      null,
      undefined,
      { message: 7, code: ' spaces ' },
      new Error('x'.repeat(100_000)),
    ]
    const group = await quickGroup(1, {
      setUp: (node) =>
        // Not async: it throws rather than rejects.
        node.handle('job', (index) => {
          throw thrown[Number(index)]
        }),
    })
    const errors = []
    for (let i = 0; i < thrown.length; i++) {
      const run = await group.during(group.device(0).node.submit('job', i, { retry: { max: 0 } }))
      await codeOf(group.during(run.result()))
      errors.push(run.view.error)
    }
    expect(errors.map((error) => [error?.code, error?.message.slice(0, 20)])).toEqual([
      ['HANDLER_ERROR', 'plain'],
      ['E_NAMED', 'named'],
      ['HANDLER_ERROR', 'just text'],
      ['HANDLER_ERROR', 'null'],
      ['HANDLER_ERROR', 'undefined'],
      ['HANDLER_ERROR', '[object Object]'],
      ['HANDLER_ERROR', 'x'.repeat(20)],
    ])
    expect(errors[1]?.details).toEqual({ at: 3 })
    expect(errors[6]?.message.length).toBeLessThanOrEqual(1024)
  })

  it('circuits: what handlers throw counts against the device, not against the run’s other candidates', async () => {
    const group = await quickGroup(2, {
      setUp: (node, place) =>
        node.handle('job', async () => {
          if (place === 0) throw new Error('broken here')
          return 'done'
        }),
    })
    const { node } = group.device(0)
    const results = []
    for (let i = 0; i < 8; i++) {
      const run = await group.during(node.submit('job'))
      results.push(await group.during(run.result()))
    }
    expect(new Set(results)).toEqual(new Set(['done']))
    expect(node.metrics().counts.device.attemptsFailed).toBe(5)
  })
})

describe('what apps do besides', () => {
  it('rules: one that throws, or whose run is refused, does not keep the others back', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    node.rules([
      {
        name: 'throws',
        match: () => {
          throw new Error('oops')
        },
        run: 'a',
      },
      { name: 'refused', match: {}, run: 'b', input: () => Symbol('no') },
      { name: 'good', match: {}, run: 'c' },
    ])
    const event = { id: '1', type: 't', source: 's', payload: null }
    expect(await group.during(node.ingest(event))).toMatchObject({
      matched: [{ rule: 'good', isNew: true }],
      failed: [
        { rule: 'throws', error: { code: 'RULE_ERROR' } },
        { rule: 'refused', error: { code: 'INVALID_INPUT' } },
      ],
    })
    // Rules that cannot be used leave those before in force.
    expect(await codeOf(() => node.rules([{ name: 'good' }] as never))).toBe('INVALID_OPTIONS')
    expect((await group.during(node.ingest(event))).matched).toMatchObject([{ rule: 'good', isNew: false }])
  })

  it('batches: a node that closes before a batch is done goes on with it at the next start', async () => {
    const group = await quickGroup(1)
    const items = Array.from({ length: 2000 }, (_, input) => ({ type: 'job', input }))
    const { batch } = await group.device(0).node.submitMany(items)
    await group.during(group.device(0).close())
    const node = await group.device(0).restart()
    await group.during(node.batch(batch?.id ?? '').done)
    expect(node.runs.count()).toBe(2000)
  })

  it('observers: see all, and neither make nor own runs', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      device: (place) => (place === 1 ? { role: 'observer' } : {}),
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.advance(5000)
    const observer = group.device(1).node
    expect(observer.runs.view(run.id)?.state).toBe('created')
    expect(workshop.calls).toHaveLength(0)
    expect(await codeOf(group.during(observer.submit('job')))).toBe('NOT_A_MEMBER')
    expect(await codeOf(observer.runs.get(run.id)?.cancel() ?? Promise.resolve())).toBe('NOT_A_MEMBER')
    expect(await group.during(observer.leaseNext())).toBeNull()
    await group.advance(1000)
    expect(run.state).toBe('created')
  })

  it('close: may be called any number of times, and ends every iteration', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const run = await group.during(node.submit('job'))
    let ended = 0
    const read = async (views: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of views);
      ended++
    }
    const reading = [read(run.watch()), read(node.runs.watch())]
    await group.settle()
    await group.during(Promise.all([node.close(), node.close(), node[Symbol.asyncDispose]()]))
    await group.during(Promise.all(reading))
    expect(ended).toBe(2)
    await group.during(group.device(0).close())
  })
})
