/** Hosts that note down what they are told, and waiting for it. */
import type { DeviceId, GroupId } from '../../../protocol/index.js'
import {
  type Channel,
  type Peer,
  type Topic,
  type Transport,
  TransportError,
  type TransportHost,
} from '../../network/transport.js'
import type { TransportSet, TransportSuiteOptions } from './options.js'

/** Settlings that may pass until something comes. What takes longer is counted as missing. */
const MAX_SETTLINGS = 500

/** One member of a set, as its node would see it. */
export class Member implements TransportHost {
  readonly device: DeviceId
  readonly group: GroupId
  readonly transport: Transport
  /** In order: `connected`, `disconnected` or the topic, and whom it is about. */
  readonly heard: string[] = []
  readonly messages: { readonly topic: Topic; readonly text: string; readonly from: DeviceId }[] = []
  readonly channels: Channel[] = []
  readonly unwelcome: Set<DeviceId> = new Set()

  constructor(transport: Transport, device: DeviceId, group: GroupId) {
    this.transport = transport
    this.device = device
    this.group = group
  }

  isWelcome(device: DeviceId): boolean {
    return !this.unwelcome.has(device)
  }

  onConnected({ device }: Peer): void {
    this.heard.push(`connected ${device}`)
  }

  onDisconnected(device: DeviceId): void {
    this.heard.push(`disconnected ${device}`)
  }

  onQuality({ device }: Peer): void {
    this.heard.push(`quality ${device}`)
  }

  onMessage(topic: Topic, bytes: Uint8Array, from: DeviceId): void {
    this.messages.push({ topic, text: textOf(bytes), from })
  }

  onChannel(channel: Channel): void {
    this.channels.push(channel)
  }

  get peers(): readonly DeviceId[] {
    return this.transport
      .peers()
      .map(({ device }) => device)
      .sort()
  }

  count(event: string): number {
    return this.heard.filter((heard) => heard === event).length
  }
}

export interface Started {
  readonly set: TransportSet
  readonly members: readonly Member[]
  /** Lets things arrive until this holds. Fails if it never does. */
  until(what: string, holds: () => boolean): Promise<void>
  /** Lets things arrive until this resolves or rejects. Fails if it never does. */
  come<T>(promise: Promise<T>): Promise<T>
  /** Lets whatever may still come, come. */
  rest(): Promise<void>
}

/** A set whose members are started; connected with each other unless `unwelcome` says otherwise. */
export async function using(
  { create }: TransportSuiteOptions,
  count: number,
  body: (started: Started) => Promise<void>,
  prepare: (members: readonly Member[]) => void = () => undefined,
): Promise<void> {
  const set = await create(count)
  const members = set.members.map(({ transport, device }) => new Member(transport, device, set.group))
  const until = async (what: string, holds: () => boolean): Promise<void> => {
    for (let i = 0; i < MAX_SETTLINGS && !holds(); i++) await set.settle()
    if (!holds()) throw new Error(`It never came: ${what}.`)
  }
  const come = async <T>(promise: Promise<T>): Promise<T> => {
    let isDone = false
    const done = (): void => {
      isDone = true
    }
    promise.then(done, done)
    await until('what was waited for', () => isDone)
    return promise
  }
  const rest = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await set.settle()
  }
  prepare(members)
  try {
    for (const member of members) await member.transport.start(member)
    const mutual = (a: Member, b: Member): boolean => a.isWelcome(b.device) && b.isWelcome(a.device)
    for (const member of members) {
      const friends = members.filter((other) => other !== member && mutual(member, other))
      await until('a connection', () => friends.every(({ device }) => member.peers.includes(device)))
    }
    await body({ set, members, until, come, rest })
  } finally {
    for (const { transport } of members) await transport.close()
  }
}

/** A channel from the first to the second, and its other end. */
export async function channelBetween(
  { until, come }: Started,
  from: Member,
  to: Member,
): Promise<readonly [Channel, Channel]> {
  const before = to.channels.length
  const near = await come(from.transport.open(to.device))
  // Some transports tell the other side of a channel only with its first frame.
  await come(near.send(bytesOf('hello')))
  await until('a channel', () => to.channels.length > before)
  const far = to.channels[before] as Channel
  if (textOf((await come(far.receive())) ?? bytesOf('')) !== 'hello')
    throw new Error('The first frame was another.')
  return [near, far]
}

/** The code of the `TransportError` that this fails with; what it resolves with, as text, if it does not. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    return `resolved with ${String(await call)}`
  } catch (error) {
    if (error instanceof TransportError) return error.code
    throw error
  }
}

export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

export function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}
