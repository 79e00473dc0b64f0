import { afterEach, describe, expect, it } from 'vitest'
import { createNode, type DibsNode, type OutboxEvent } from '../../../src/index.js'
import { tempFolder } from '../../store/temp-folder.js'
import { codeOf, quickGroup, Workshop } from '../group-kit.js'

const nodes: DibsNode[] = []

afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close()
})

async function nodeIn(storage: string): Promise<DibsNode> {
  const node = await createNode({ storage })
  nodes.push(node)
  return node
}

describe('a restart restores everything', () => {
  it('on disk: identity, group, results, failures, waiting runs, logs and pauses', async () => {
    const storage = await tempFolder()
    const before = await nodeIn(storage)
    before.handle('ok', async (input, { log }) => {
      log.warn('half way', { at: 0.5 })
      return { got: input }
    })
    before.handle('bad', async () => {
      throw Object.assign(new Error('no'), { code: 'NO', retry: false })
    })
    const done = await before.submit('ok', [1, 2], { project: 'album', key: 'photo-17' })
    await done.result()
    const failed = await before.submit('bad')
    expect(await codeOf(failed.result())).toBe('RUN_FAILED')
    const waiting = await before.submit('later', { n: 3 }, { priority: 'high', requires: ['gpu'] })
    const paused = await before.submit('later', 4)
    await paused.pause('not today')
    await before.close()

    const after = await nodeIn(storage)
    expect(after.device).toBe(before.device)
    expect(after.group.id).toBe(before.group.id)
    expect(await after.runs.get(done.id)?.result()).toEqual({ got: [1, 2] })
    expect(await after.runs.get(done.id)?.logs()).toMatchObject([{ message: 'half way', data: { at: 0.5 } }])
    expect(after.runs.view(failed.id)).toMatchObject({ state: 'failed', error: { code: 'NO' } })
    expect(after.runs.view(waiting.id)).toMatchObject({ state: 'created', priority: 10 })
    expect(after.runs.view(paused.id)?.paused).toMatchObject({ reason: 'not today' })
    expect(after.metrics().depth.byState).toMatchObject({ completed: 1, failed: 1, created: 2 })
    // The key is remembered too.
    const again = await after.submit('ok', [1, 2], { project: 'album', key: 'photo-17' })
    expect(again).toMatchObject({ id: done.id, isNew: false })
    // And what waited goes on.
    after.handle('later', async (input) => input)
    await after.runs.get(paused.id)?.resume()
    expect(await after.runs.get(paused.id)?.result()).toBe(4)
  })

  it('on disk: a process that dies mid-run leaves its checkpoint, and the next one goes on from it', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const run = await group.during(group.device(0).node.submit('job', 'film'))
    workshop.last.context.progress({ step: 5 })
    await group.advance(100)
    const node = await group.device(0).restart()
    node.handle('job', workshop.at(0))
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.last.context).toMatchObject({ attempt: 2, checkpoint: { step: 5 } })
    workshop.last.end('done')
    expect(await group.during(node.runs.get(run.id)?.result() ?? Promise.reject())).toBe('done')
    expect(node.runs.get(run.id)?.history()[0]).toMatchObject({
      reason: 'failed',
      detail: expect.stringContaining('INTERRUPTED'),
    })
  })

  it('a run that kills its worker each time ends when its attempts are spent', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    const run = await group.during(group.device(0).node.submit('job', null, { retry: { max: 1 } }))
    const id = run.id
    for (let i = 2; i <= 2; i++) {
      const node = await group.device(0).restart()
      node.handle('job', workshop.at(0))
      await group.until(() => workshop.calls.length === i)
    }
    const node = await group.device(0).restart()
    node.handle('job', workshop.at(0))
    await group.until(() => node.runs.view(id)?.state === 'failed')
    expect(workshop.calls).toHaveLength(2)
    expect(await codeOf(async () => node.runs.get(id)?.result())).toBe('RETRIES_EXHAUSTED')
  })

  it('a clean restart spends no attempt', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', workshop.at(0)) })
    await group.during(group.device(0).node.submit('job'))
    await group.during(group.device(0).close())
    const node = await group.device(0).restart()
    node.handle('job', workshop.at(0))
    await group.until(() => workshop.calls.length === 2)
    expect(workshop.last.context.attempt).toBe(1)
  })
})

describe('the app’s listener', () => {
  it('crashes with the process: the event comes again after the restart', async () => {
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', async () => 'done') })
    const first: OutboxEvent[] = []
    // It never says that it is done with the result: the process dies first.
    const listener = (event: OutboxEvent): Promise<void> => {
      first.push(event)
      return event.type === 'run.completed' ? new Promise(() => {}) : Promise.resolve()
    }
    await group.during(group.device(0).node.outbox.start(listener))
    const run = await group.during(group.device(0).node.submit('job'))
    await group.advance(3000)
    const told = first.find(({ type }) => type === 'run.completed')
    expect(told?.run).toBe(run.id)
    const node = await group.device(0).restart()
    const second: OutboxEvent[] = []
    await group.during(node.outbox.start((event) => void second.push(event)))
    await group.advance(3000)
    expect(second).toContainEqual(told)
    expect(second.find(({ type }) => type === 'run.completed')?.key).toBe(told?.key)
  })

  it('throws: the event comes again, later each time, until it is taken', async () => {
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', async () => 'done') })
    const { node } = group.device(0)
    const keys: string[] = []
    const listener = (event: OutboxEvent): void => {
      if (event.type !== 'run.completed') return
      keys.push(event.key)
      if (keys.length < 3) throw new Error('not now')
    }
    await group.during(node.outbox.start(listener))
    await group.during(node.submit('job'))
    await group.advance(60_000)
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(node.outbox.pending()).toMatchObject({ queued: 0, aside: 0, dead: 0 })
  })
})
