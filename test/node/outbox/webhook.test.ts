import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DibsError, InputError } from '../../../src/node/errors.js'
import {
  type Outbox,
  signatureOf,
  type WebhookFetch,
  type WebhookOptions,
  webhook,
} from '../../../src/node/outbox/index.js'
import { ana } from '../../protocol/story.js'
import { thrown } from '../../protocol/thrown.js'
import { Host, until } from './kit.js'

const URL_OF_HOOK = 'https://example.org/hooks/dibs'
type Sent = { readonly url: string } & Parameters<WebhookFetch>[1]

let host: Host
let sent: Sent[]
beforeEach(() => {
  host = new Host()
  sent = []
})

/** A receiver that notes down what it was sent, and answers what it is told to. */
function answering(...statuses: readonly number[]): WebhookFetch {
  const left = [...statuses]
  return async (url, init) => {
    sent.push({ url, ...init })
    return { status: left.shift() ?? 204 }
  }
}

async function open(
  options: Partial<WebhookOptions>,
  settings: Parameters<Host['open']>[0] = {},
): Promise<Outbox> {
  const outbox = await host.open(settings)
  await outbox.start(webhook({ url: URL_OF_HOOK, fetch: answering(), clock: host.clock, ...options }))
  return outbox
}

describe('a webhook', () => {
  it('gets the event as JSON, with its id, type and idempotency key', async () => {
    const outbox = await open({ headers: { Authorization: 'Bearer x', 'Idempotency-Key': 'mine' } })
    const { id, run } = host.story.created(ana)
    host.tell()
    await outbox.flush()
    expect(sent).toMatchObject([{ url: URL_OF_HOOK, method: 'POST', redirect: 'manual' }])
    expect(sent[0]?.headers).toEqual({
      authorization: 'Bearer x',
      'content-type': 'application/json',
      'dibs-event-id': id,
      'dibs-event-type': 'run.created',
      'idempotency-key': id,
    })
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ id, run, type: 'run.created', key: id })
  })

  it('gets no payloads unless the app wants it to, and then bytes as text', async () => {
    const input = { secret: 'swordfish', bytes: new Uint8Array([1, 2, 3]) }
    for (const payloads of [false, true]) {
      host = new Host()
      const outbox = await open({}, { payloads })
      host.story.created(ana, { input })
      host.tell()
      await outbox.flush()
    }
    const [without, withThem] = sent.map(({ body }) => JSON.parse(body).data.input)
    expect(without).toBe(undefined)
    expect(withThem).toEqual({ secret: 'swordfish', bytes: { $bytes: 'AQID' } })
  })

  it('can tell by the signature that it was dibs, and when', async () => {
    const outbox = await open({ secret: 'swordfish' })
    host.story.created(ana)
    host.tell()
    await outbox.flush()
    const { headers, body } = sent[0] as Sent
    const seconds = Math.floor(host.clock.nowMs / 1000)
    const mac = createHmac('sha256', 'swordfish').update(`${seconds}.${body}`).digest('hex')
    expect(headers['dibs-signature']).toBe(`t=${seconds},v1=${mac}`)
    expect(signatureOf('swordfish', seconds, body)).toBe(headers['dibs-signature'])
    expect(signatureOf('sword', seconds, body)).not.toBe(headers['dibs-signature'])
  })

  it('signs each attempt with its own time', async () => {
    const outbox = await open({ secret: 'swordfish', fetch: answering(500) })
    host.story.created(ana)
    host.tell()
    await outbox.flush()
    await host.pass(2000)
    expect(new Set(sent.map(({ headers }) => headers['dibs-signature'])).size).toBe(2)
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it.each([199, 301, 302, 404, 410, 429, 500, 503])(
    'that answers %d gets the event again',
    async (status) => {
      const outbox = await open({ fetch: answering(status, 200) })
      host.story.created(ana)
      host.tell()
      await outbox.flush()
      expect(outbox.list()).toMatchObject([
        { lastError: { code: 'WEBHOOK_STATUS', message: expect.stringContaining(`status ${status}`) } },
      ])
      await host.pass(2000)
      expect(sent).toHaveLength(2)
      expect(outbox.pending()).toMatchObject({ aside: 0, delivered: 1 })
    },
  )

  it('that does not answer in time is given up, and gets the event again', async () => {
    const signals: AbortSignal[] = []
    const fetch: WebhookFetch = (_url, { signal }) => {
      signals.push(signal)
      // One that does not even listen to its signal.
      return signals.length === 1 ? new Promise(() => {}) : Promise.resolve({ status: 200 })
    }
    const outbox = await open({ fetch, timeoutMs: 3000 })
    host.story.created(ana)
    host.tell()
    await until(() => signals.length === 1)
    host.clock.advance(2999)
    expect(signals[0]?.aborted).toBe(false)
    await host.pass(1)
    expect(signals[0]?.reason).toMatchObject({ code: 'TIMEOUT' })
    expect(outbox.list()).toMatchObject([{ lastError: { code: 'TIMEOUT' } }])
    await host.pass(2000)
    expect(outbox.pending()).toMatchObject({ aside: 0, delivered: 1 })
  })

  it('that is being called when the outbox closes is let go', async () => {
    const signals: AbortSignal[] = []
    const fetch: WebhookFetch = (_url, { signal }) => {
      signals.push(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const outbox = await open({ fetch })
    host.story.created(ana)
    host.tell()
    await until(() => signals.length === 1)
    await outbox.close()
    expect(signals[0]?.reason).toMatchObject({ code: 'NODE_CLOSED' })
    expect(outbox.pending()).toMatchObject({ aside: 0, dead: 0 })
  })

  it('need not read its answer for the connection to be freed', async () => {
    let cancelled = 0
    const body = { cancel: () => Promise.reject(new Error(`${++cancelled}`)) }
    const outbox = await open({ fetch: async () => ({ status: 200, body }) })
    host.story.created(ana)
    host.tell()
    await outbox.flush()
    expect(cancelled).toBe(1)
    expect(outbox.pending().delivered).toBe(1)
  })

  it.each<[string, Partial<WebhookOptions>]>([
    ['url', { url: 'ftp://example.org' }],
    ['url', { url: 'example.org' }],
    ['url', { url: 'https://ana:swordfish@example.org' }],
    ['secret', { secret: '' }],
    ['headers', { headers: { 'x y': '1' } }],
    ['headers', { headers: { authorization: 'swordfish\nx: y' } }],
    ['headers', { headers: { authorization: 'swordfish🐟' } }],
    ['timeoutMs', { timeoutMs: 0 }],
  ])('is not set up with a wrong %s, and nothing of it is shown', (option, options) => {
    const whole = { url: URL_OF_HOOK, fetch: answering(), clock: host.clock, ...options }
    const error = thrown(InputError, () => webhook(whole))
    expect(error).toBeInstanceOf(DibsError)
    expect(error).toMatchObject({ code: 'INVALID_OPTIONS', details: { option } })
    expect(JSON.stringify(error)).not.toContain('swordfish')
  })
})

describe('over HTTP', () => {
  let server: Server
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  let statuses: number[]

  beforeEach(async () => {
    received.length = 0
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      const status = statuses.shift() ?? 200
      response.writeHead(status, { location: '/elsewhere' }).end('an answer that nobody reads')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  it('an event arrives signed, again after a failure, and a redirect is not followed', async () => {
    statuses = [500, 302, 200]
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const outbox = await open({ url, secret: 'swordfish', fetch })
    const { id } = host.story.created(ana)
    host.tell()
    await outbox.flush()
    await host.pass(2000)
    await host.pass(4000)
    expect(outbox.pending()).toMatchObject({ aside: 0, delivered: 1 })
    expect(received).toHaveLength(3)
    for (const { headers, body } of received) {
      expect(headers['idempotency-key']).toBe(id)
      const [, seconds = '', mac] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['dibs-signature'])) ?? []
      expect(createHmac('sha256', 'swordfish').update(`${seconds}.${body}`).digest('hex')).toBe(mac)
      expect(JSON.parse(body)).toMatchObject({ id, type: 'run.created' })
    }
  })

  it('nobody there is a failure like any other', async () => {
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const outbox = await open({ url: `http://127.0.0.1:${port}/`, fetch })
    server.listen(0, '127.0.0.1')
    host.story.created(ana)
    host.tell()
    await outbox.flush()
    expect(outbox.list()).toMatchObject([{ attempts: 1, lastError: { code: expect.any(String) } }])
  })
})
