/** What an assignment control plane does: what it tells, and where dibs has it. Each test is named after its feature. */
import { describe, expect, it } from 'vitest'
import { createNode, type OutboxEvent, signatureOf, type WebhookFetch, webhook } from '../../../src/index.js'
import { codeOf, quickGroup, Workshop } from '../group-kit.js'

describe('what is told', () => {
  it('heartbeats with services and metrics: beacons carry load, slots, power, lag and waiting work; profiles what a device can do', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(2, {
      device: (place) =>
        place === 1
          ? {
              capabilities: ['gpu'],
              projects: ['album'],
              class: 'laptop' as const,
              slots: 4,
              load: () => 0.25,
              power: () => ({ onMains: false, battery: 0.5 }),
            }
          : {},
      setUp: (node, place) => {
        if (place === 1) node.handle('job', workshop.at(1))
      },
    })
    await group.during(group.device(0).node.submit('job', null, { project: 'album' }))
    await group.advance(10_000)
    expect(group.device(0).node.devices.get(group.device(1).id)).toMatchObject({
      name: 'device-1',
      class: 'laptop',
      capabilities: ['gpu'],
      projects: ['album'],
      handles: ['job'],
      slots: 4,
      claimed: 1,
      load: 0.25,
      onMains: false,
      battery: 0.5,
      lagMs: 0,
      isOnline: true,
      isConnected: true,
      draining: false,
    })
  })

  it('outbox with dead letters: an event that is refused too often is put away, and can be sent again', async () => {
    const group = await quickGroup(1, {
      device: { outbox: { maxAttempts: 2, backoffMs: 100 } },
      setUp: (node) => node.handle('job', async () => 'done'),
    })
    const { node } = group.device(0)
    let isDown = true
    const taken: OutboxEvent[] = []
    const listener = (event: OutboxEvent): void => {
      if (isDown) throw Object.assign(new Error('down'), { code: 'DOWN' })
      taken.push(event)
    }
    await group.during(node.outbox.start(listener))
    const run = await group.during(node.submit('job'))
    await group.advance(60_000)
    const { letters } = await node.deadLetters.list()
    expect(letters.map(({ event }) => event.type)).toEqual([
      'run.created',
      'run.assigned',
      'run.claimed',
      'run.started',
      'run.completed',
    ])
    expect(letters[0]).toMatchObject({ attempts: 2, lastError: { code: 'DOWN' } })
    isDown = false
    await group.during(node.deadLetters.redrive(letters[4]?.id ?? ''))
    await group.advance(1000)
    expect(taken).toMatchObject([{ type: 'run.completed', run: run.id }])
    expect(await group.during(node.deadLetters.redriveAll())).toBe(4)
    await group.advance(1000)
    expect(node.metrics().outbox).toMatchObject({ dead: 0, delivered: 5 })
    expect(await codeOf(node.deadLetters.redrive('nothing'))).toBe('DEAD_LETTER_NOT_FOUND')
  })

  it('signed events: who was not admitted can write nothing, and who was put out writes nothing more', async () => {
    const group = await quickGroup(2)
    const [founder, member] = [group.device(0), group.device(1)]
    const stranger = await createNode({
      group: founder.node.group,
      transport: group.network.transport(),
    })
    await group.advance(1000)
    expect(await codeOf(group.during(stranger.submit('job')))).toBe('NOT_A_MEMBER')
    expect(await codeOf(member.node.group.admit(stranger.device))).toBe('NOT_AN_ADMIN')
    await group.during(founder.node.group.revoke(member.id, 'lost on a train'))
    await group.advance(1000)
    // It may not have heard of it yet: what it writes is taken in by nobody.
    await codeOf(group.during(member.node.submit('job')))
    await group.advance(10_000)
    expect(founder.node.runs.count()).toBe(0)
    expect(founder.node.devices.get(member.id)?.revoked).toBe(true)
    await stranger.close()
  })

  it('signed events: a webhook’s receiver can tell by the signature who sent it', async () => {
    const group = await quickGroup(1)
    const { node, clock } = group.device(0)
    const sent: { readonly headers: Readonly<Record<string, string>>; readonly body: string }[] = []
    const fetch: WebhookFetch = async (_, { headers, body }) => {
      sent.push({ headers, body })
      return { status: 204 }
    }
    await group.during(node.outbox.start(webhook({ url: 'https://example.org', secret: 's3', fetch, clock })))
    const run = await group.during(node.submit('job'))
    await group.advance(1000)
    expect(sent).toHaveLength(1)
    const { headers, body } = sent[0] ?? { headers: {}, body: '' }
    expect(JSON.parse(body)).toMatchObject({ type: 'run.created', run: run.id })
    const [, seconds = ''] = /^t=(\d+),/.exec(headers['dibs-signature'] ?? '') ?? []
    expect(headers['dibs-signature']).toBe(signatureOf('s3', Number(seconds), body))
    expect(headers['dibs-signature']).not.toBe(signatureOf('guess', Number(seconds), body))
    expect(headers['idempotency-key']).toBe(JSON.parse(body).key)
  })

  it('health: what a device knows of itself and its peers can be read at any time', async () => {
    const group = await quickGroup(3)
    const { node } = group.device(0)
    expect(node.metrics()).toMatchObject({ peers: 2, storeErrors: 0, loopLagMs: 0, sleeps: 0 })
    expect(node.devices.list().map(({ isOnline }) => isOnline)).toEqual([true, true, true])
    group.device(2).crash()
    await group.advance(10_000)
    expect(node.devices.list().map(({ isOnline }) => isOnline)).toEqual([true, true, false])
    expect(node.metrics().peers).toBe(1)
  })

  it('scheduler tick: nobody has to call one: what waits for time goes on by itself', async () => {
    const group = await quickGroup(1, { setUp: (node) => node.handle('job', async () => 'done') })
    const { node } = group.device(0)
    const delayed = await group.during(node.submit('job', null, { delayMs: 60_000 }))
    expect(delayed.explain().waiting).toMatchObject({
      reason: 'not_before',
      until: group.time.nowMs + 60_000,
    })
    expect(await codeOf(delayed.reassign())).toBe('NOT_YET')
    await group.advance(59_000)
    expect(delayed.state).toBe('created')
    await group.advance(1100)
    expect(delayed.state).toBe('completed')
  })

  it('no payload bodies in logs by default: events, explanations, errors and metrics carry none', async () => {
    const secret = 'the moon is made of cheese'
    const group = await quickGroup(1, {
      setUp: (node) => node.handle('job', async () => ({ answer: secret })),
    })
    const { node } = group.device(0)
    const told: OutboxEvent[] = []
    await group.during(node.outbox.start((event) => void told.push(event)))
    const run = await group.during(node.submit('job', { question: secret }))
    await group.during(run.result())
    await group.advance(2000)
    expect(told.length).toBeGreaterThan(3)
    const said = JSON.stringify([told, run.explain(), node.metrics(), await run.logs(), node.devices.list()])
    expect(said).not.toContain(secret)
    const refused = await node
      .submit('job', { secret, bad: () => {} } as never)
      .catch((error: unknown) => error)
    expect(JSON.stringify(refused)).not.toContain(secret)
  })

  it('no payload bodies in logs by default: an app that asks for them gets them', async () => {
    const group = await quickGroup(1, {
      device: { outbox: { payloads: true } },
      setUp: (node) => node.handle('job', async () => ({ answer: 42 })),
    })
    const { node } = group.device(0)
    const told: OutboxEvent[] = []
    await group.during(node.outbox.start((event) => void told.push(event)))
    await group.during(node.submit('job', { question: 6 }))
    await group.advance(2000)
    expect(told.find(({ type }) => type === 'run.created')?.data.input).toEqual({ question: 6 })
    expect(told.find(({ type }) => type === 'run.completed')?.data.output).toEqual({ answer: 42 })
  })
})
