/** A headless Chromium, driven over pipes by its DevTools protocol: what a person does with the report, done by a test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

const NAMES = ['/usr/bin/chromium', 'chromium', 'chromium-browser', 'google-chrome']
const FLAGS = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
]
/** Milliseconds between two looks at whether something has come to be. */
const LOOK_MS = 20
const PATIENCE_LOOKS = 7_500

/** The path of a browser; null if this machine has none. The variable CHROMIUM names one. */
export function findBrowser(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const names = process.env['CHROMIUM'] === undefined ? NAMES : [process.env['CHROMIUM'], ...NAMES]
  const paths = names.flatMap((name) =>
    isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name)),
  )
  return paths.find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

type Message = Readonly<Record<string, unknown>>
interface Answer {
  readonly resolve: (result: Message) => void
  readonly reject: (error: Error) => void
}

export class Browser {
  readonly #process: ChildProcess
  readonly #folder: string
  readonly #waiting = new Map<number, Answer>()
  readonly #listeners = new Map<string, (method: string, parameters: Message) => void>()
  readonly #ended: Promise<void>
  #last = 0
  #rest: Buffer = Buffer.alloc(0)

  private constructor(process: ChildProcess, folder: string) {
    this.#process = process
    this.#folder = folder
    const [, , , , output] = process.stdio as unknown as readonly [null, null, null, Writable, Readable]
    output.on('data', (bytes: Buffer) => this.#read(bytes))
    this.#ended = new Promise((resolve) => process.once('exit', () => resolve()))
    void this.#ended.then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The browser has ended.'))
    })
  }

  static async open(path: string): Promise<Browser> {
    const folder = await mkdtemp(join(tmpdir(), 'dibs-browser-'))
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const
    return new Browser(spawn(path, [...FLAGS, `--user-data-dir=${folder}`], { stdio: [...stdio] }), folder)
  }

  async close(): Promise<void> {
    await this.send('Browser.close', {}).catch(() => this.#process.kill('SIGKILL'))
    await this.#ended
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  async page(width: number, height: number): Promise<Page> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true })
    const page = new Page(this, String(sessionId))
    this.#listeners.set(String(sessionId), (method, parameters) => page.hear(method, parameters))
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`)
    await page.resize(width, height)
    return page
  }

  send(method: string, params: Message, sessionId?: string): Promise<Message> {
    const id = ++this.#last
    const [, , , input] = this.#process.stdio as unknown as readonly [null, null, null, Writable]
    const answer = new Promise<Message>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return answer
  }

  #read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    for (let end = this.#rest.indexOf(0); end >= 0; end = this.#rest.indexOf(0)) {
      const message = JSON.parse(this.#rest.subarray(0, end).toString()) as Message
      this.#rest = this.#rest.subarray(end + 1)
      this.#take(message)
    }
  }

  #take({ id, result, error, method, params, sessionId }: Message): void {
    const answer = this.#waiting.get(Number(id))
    if (answer === undefined) {
      this.#listeners.get(String(sessionId))?.(String(method), (params ?? {}) as Message)
      return
    }
    this.#waiting.delete(Number(id))
    if (error === undefined) answer.resolve(result as Message)
    else answer.reject(new Error(JSON.stringify(error)))
  }
}

export class Page {
  readonly #browser: Browser
  readonly #session: string
  /** Errors on the console, exceptions, and what the policy of the page refused. */
  readonly complaints: string[] = []
  /** Addresses that it asked for. */
  readonly requests: string[] = []

  constructor(browser: Browser, session: string) {
    this.#browser = browser
    this.#session = session
  }

  hear(method: string, parameters: Message): void {
    if (method === 'Runtime.exceptionThrown')
      this.complaints.push(JSON.stringify(parameters['exceptionDetails']))
    if (method === 'Runtime.consoleAPICalled') this.complaints.push(JSON.stringify(parameters['args']))
    if (method === 'Log.entryAdded') this.complaints.push(JSON.stringify(parameters['entry']))
    if (method === 'Network.requestWillBeSent')
      this.requests.push(String((parameters['request'] as Message | undefined)?.['url']))
  }

  send(method: string, parameters: Message = {}): Promise<Message> {
    return this.#browser.send(method, parameters, this.#session)
  }

  resize(width: number, height: number): Promise<Message> {
    const size = { width, height, deviceScaleFactor: 1, mobile: false }
    return this.send('Emulation.setDeviceMetricsOverride', size)
  }

  /** Shows a page, and waits until its script has run. */
  async show(url: string): Promise<void> {
    await this.send('Page.navigate', { url })
    await this.until(`location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`)
  }

  /** The value of an expression, in the page. */
  async value(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
    })
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`)
    return (result as Message)['value']
  }

  async until(expression: string): Promise<void> {
    for (let i = 0; i < PATIENCE_LOOKS; i++) {
      if (await this.value(expression)) return
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
    throw new Error(`It never came to be: ${expression}`)
  }

  textOf(selector: string): Promise<string> {
    return this.value(`document.querySelector(${JSON.stringify(selector)}).innerText`) as Promise<string>
  }

  /** Points at a place of the window. */
  async pointAt(x: number, y: number): Promise<void> {
    await this.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })
  }

  async clickAt(x: number, y: number): Promise<void> {
    const button = { x, y, button: 'left', clickCount: 1 }
    await this.pointAt(x, y)
    await this.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button })
    await this.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button })
  }

  async click(selector: string): Promise<void> {
    await this.value(
      `document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'nearest' })`,
    )
    const { x, y, width, height } = await this.boxOf(selector)
    await this.clickAt(x + width / 2, y + height / 2)
  }

  boxOf(selector: string): Promise<{ x: number; y: number; width: number; height: number }> {
    const box = `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`
    return this.value(box) as Promise<{ x: number; y: number; width: number; height: number }>
  }

  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text })
  }

  async press(key: string): Promise<void> {
    const text = key.length === 1 ? { text: key } : {}
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, ...text })
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key })
  }

  /** The window as PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' })
    return Buffer.from(String(data), 'base64')
  }
}
