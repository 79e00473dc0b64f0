/** What an agent dispatch does, and where dibs has it. Each test is named after its feature. */
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { createNode, ERROR_CODES, type OutboxEvent } from '../../../src/index.js'
import { tempFolder } from '../../store/temp-folder.js'
import { codeOf, quickGroup, recordsSeen, Workshop } from '../group-kit.js'

describe('the queue', () => {
  it('enqueue/dequeue/update/retry: submit, lease, progress and complete or fail, and a new round', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const run = await group.during(node.submit('job', 'task', { retry: { max: 0 } }))
    const first = await group.during(node.leaseNext())
    expect(first?.input).toBe('task')
    first?.progress({ percent: 50 })
    await group.advance(1000)
    expect(run.view.progress).toEqual({ percent: 50 })
    expect(await codeOf(run.retry())).toBe('RUN_OPEN')
    await group.during(first?.fail(new Error('no')) ?? Promise.reject())
    expect(run.state).toBe('failed')
    await group.during(run.retry('try again'))
    expect(run.view).toMatchObject({ state: 'created', round: 1 })
    const second = await group.during(node.leaseNext())
    expect(second).toMatchObject({ run: run.id, attempt: 1 })
    await group.during(second?.complete('done') ?? Promise.reject())
    expect(await run.result()).toBe('done')
    expect(await codeOf(run.retry())).toBe('RUN_TERMINAL')
  })

  it('1-2-4 s backoff: the wait before each retry doubles', async () => {
    const starts: number[] = []
    const group = await quickGroup(1, {
      setUp: (node) =>
        node.handle('job', async () => {
          starts.push(group.time.nowMs)
          throw new Error('no')
        }),
    })
    const run = await group.during(group.device(0).node.submit('job'))
    await codeOf(group.during(run.result()))
    const waits = starts.slice(1).map((start, i) => start - (starts[i] ?? 0))
    expect(waits).toEqual([1000, 2000, 4000])
  })

  it('1 h timeout: an attempt that takes longer is stopped, if nothing else was said', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    await group.during(group.device(0).node.submit('job'))
    await group.advance(3_599_000)
    expect(workshop.last.reason()).toBeNull()
    await group.advance(2000)
    expect(workshop.call(0).reason()).toBe('timeout')
  })

  it('10 at once: a device does as many runs at a time, if nothing else was said', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const { node } = group.device(0)
    for (let i = 0; i < 15; i++) await group.during(node.submit('job', i))
    await group.advance(1000)
    expect(workshop.calls).toHaveLength(10)
    workshop.call(3).end()
    await group.until(() => workshop.calls.length === 11)
    expect(workshop.last.input).toBe(10)
  })

  it('cancel: from any device, waiting or running; the handler is told by its signal', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, {
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    const running = await group.during(group.device(0).node.submit('job'))
    const waiting = await group.during(group.device(0).node.submit('nobody'))
    await group.until(() => workshop.calls.length === 1)
    const elsewhere = group.device(2).node
    await group.during(elsewhere.runs.get(running.id)?.cancel('enough') ?? Promise.reject())
    await group.during(elsewhere.runs.get(waiting.id)?.cancel() ?? Promise.reject())
    await group.advance(1000)
    expect(workshop.last.reason()).toBe('cancelled')
    expect(running.view.cancelled).toMatchObject({ by: group.device(2).id, reason: 'enough' })
    expect(await codeOf(running.result())).toBe('RUN_CANCELLED')
    expect(waiting.state).toBe('cancelled')
    expect(workshop.calls).toHaveLength(1)
    expect(group.device(1).node.metrics().active).toBe(0)
  })

  it('dead letters: events that nobody takes are kept, listed, dropped or sent again', async () => {
    const group = await quickGroup(1, { device: { outbox: { maxAttempts: 1 } } })
    const { node } = group.device(0)
    const taken: OutboxEvent[] = []
    let isDown = true
    await group.during(
      node.outbox.start((event) => {
        if (isDown) throw new Error('down')
        taken.push(event)
      }),
    )
    const first = await group.during(node.submit('job'))
    const second = await group.during(node.submit('job'))
    await group.advance(1000)
    const { letters } = await node.deadLetters.list()
    expect(letters.map(({ event }) => event.run)).toEqual([first.id, second.id])
    isDown = false
    await node.deadLetters.drop(letters[0]?.id ?? '')
    await group.during(node.deadLetters.redrive(letters[1]?.id ?? ''))
    await group.advance(1000)
    expect(taken.map(({ run }) => run)).toEqual([second.id])
    expect(node.deadLetters.size).toBe(0)
  })

  it('logs for each task: what a handler logs is kept for its run, in order and bounded', async () => {
    const group = await quickGroup(1, {
      setUp: (node) =>
        node.handle('job', async (input, { log }) => {
          log('began', { input })
          log.debug('detail')
          log.warn('odd')
          log.error('bad', { code: 7 })
          for (let i = 0; i < 600; i++) log(`line ${i}`)
        }),
    })
    const { node } = group.device(0)
    const [first, second] = [
      await group.during(node.submit('job', 1)),
      await group.during(node.submit('other', 2)),
    ]
    await group.during(first.result())
    const lines = await first.logs()
    expect(lines).toHaveLength(500)
    expect(lines.at(-1)?.message).toBe('line 599')
    expect(lines[0]?.line).toBe(104)
    expect(await second.logs()).toEqual([])
  })

  it('state restored on restart: what was stored before the process died is there again, and goes on', async () => {
    const storage = await tempFolder()
    const before = await createNode({ storage })
    const run = await before.submit('job', { n: 1 }, { key: 'k' })
    await before.close()
    await using after = await createNode({ storage })
    expect(after.runs.view(run.id)?.created.input).toEqual({ n: 1 })
    after.handle('job', async (input) => input)
    expect(await after.runs.get(run.id)?.result()).toEqual({ n: 1 })
  })
})

describe('error codes', () => {
  it('error codes: every code has a sentence', () => {
    for (const [code, sentence] of Object.entries(ERROR_CODES)) {
      expect(code).toMatch(/^[A-Z_]+$/)
      expect(sentence).toMatch(/\.$/)
    }
  })

  it('error codes: every code is one that dibs throws, or writes down as why an attempt failed', async () => {
    const sources: string[] = []
    for (const file of await readdir('src', { recursive: true }))
      if (file.endsWith('.ts') && !file.endsWith('errors.ts'))
        sources.push(await readFile(`src/${file}`, 'utf8'))
    const text = sources.join('\n') + (await readFile('src/node/run-errors.ts', 'utf8'))
    const unused = Object.keys(ERROR_CODES).filter((code) => !text.includes(`'${code}'`))
    expect(unused).toEqual([])
  })

  it('error codes: what an app can do wrong has one each, and nothing is written', async () => {
    const group = await quickGroup(2)
    const { node } = group.device(0)
    const seen = recordsSeen(node)
    node.handle('job', async () => 'done')
    await group.settle()
    expect(await codeOf(() => node.handle('job', async () => 'again'))).toBe('DUPLICATE_HANDLER')
    expect(await codeOf(() => node.handle('other', async () => 1, { concurrency: 0 }))).toBe(
      'INVALID_OPTIONS',
    )
    expect(await codeOf(node.submit('', 1))).toBe('INVALID_OPTIONS')
    expect(await codeOf(node.submit('job', 1, { colour: 'red' } as never))).toBe('INVALID_OPTIONS')
    expect(await codeOf(node.submit('job', Symbol('no') as never))).toBe('INVALID_INPUT')
    expect(await codeOf(node.submitMany('job' as never))).toBe('INVALID_OPTIONS')
    expect(await codeOf(() => node.batch('nothing'))).toBe('BATCH_NOT_FOUND')
    expect(await codeOf(() => node.rules([{}] as never))).toBe('INVALID_OPTIONS')
    expect(await codeOf(() => node.runs.list({ state: 'lost' } as never))).toBe('INVALID_OPTIONS')
    expect(await codeOf(node.leaseNext({ leaseMs: 0 }))).toBe('INVALID_OPTIONS')
    expect(await codeOf(createNode({ slots: 0 }))).toBe('INVALID_OPTIONS')
    expect(await codeOf(createNode({ colour: 'red' } as never))).toBe('INVALID_OPTIONS')
    expect(node.runs.get('nothing')).toBeNull()
    expect(seen).toEqual([])
  })

  it('error codes: a closed node says so to everyone who still asks', async () => {
    const group = await quickGroup(1)
    const { node } = group.device(0)
    const run = await group.during(node.submit('job'))
    const waiting = codeOf(run.result())
    await group.during(group.device(0).close())
    expect(await waiting).toBe('NODE_CLOSED')
    for (const act of [
      () => node.submit('job'),
      () => node.leaseNext(),
      () => node.evaluate('job'),
      () => node.drain(),
      () => node.ingest({}),
      () => node.handle('job', async () => 1),
      () => run.cancel(),
      () => node.outbox.flush(),
    ])
      expect(await codeOf(act)).toBe('NODE_CLOSED')
  })

  it('error codes: a storage that is in use or of another group is not opened', async () => {
    const storage = await tempFolder()
    const node = await createNode({ storage })
    expect(await codeOf(createNode({ storage }))).toBe('STORE_UNAVAILABLE')
    await node.close()
    const other = await createNode()
    expect(await codeOf(createNode({ storage, group: other.group }))).toBe('OTHER_GROUP')
    await other.close()
  })
})
