/**
 * The Transport seam: how a node talks to the other devices of its group.
 *
 * A transport moves bytes and knows nothing of what they say. Publishing is best effort: messages get lost, come twice
 * and out of order, and the node's sync makes up for it. Channels are direct: what is sent arrives whole and in order,
 * or the channel ends. Liveness is not the transport's affair either: a connection that is lost starts a suspicion, and
 * beacons settle it.
 *
 * `transportSuite` in `dibs/testing` is this page as tests.
 */
import type { DeviceId, GroupId } from '../../protocol/index.js'

/** What is published: new batches of journals, and beacons. */
export type Topic = 'batches' | 'beacons'

export interface Transport {
  /** Begins to connect and to call the host back. Called once. */
  start(host: TransportHost): Promise<void>
  /** Sends to every connected device. Never throws; what cannot be sent is lost. The bytes must not change afterwards. */
  publish(topic: Topic, bytes: Uint8Array): void
  /** The devices that are connected now. */
  peers(): readonly Peer[]
  /** Opens a direct channel to a connected device. Rejects with `PEER_UNREACHABLE` if there is no connection. */
  open(device: DeviceId): Promise<Channel>
  /** Membership changed: connect to those who are welcome now, disconnect those who are not. */
  review(): void
  /** Disconnects and ends every channel. Afterwards the host hears nothing more. */
  close(): Promise<void>
}

export interface Peer {
  readonly device: DeviceId
  /** How good the connection is, 0 to 1. */
  readonly quality: number
}

/** What a transport is told by its node. None of the callbacks throws. */
export interface TransportHost {
  readonly device: DeviceId
  readonly group: GroupId
  /** Whether a device may be connected: a member of the group that is not revoked. Asked before anything is exchanged. */
  isWelcome(device: DeviceId): boolean
  onConnected(peer: Peer): void
  onDisconnected(device: DeviceId): void
  /** The quality of a connection changed. */
  onQuality(peer: Peer): void
  onMessage(topic: Topic, bytes: Uint8Array, from: DeviceId): void
  /** A connected device opened a channel. Never comes before its `onConnected`. */
  onChannel(channel: Channel): void
}

/** A direct, ordered, reliable way to one device, until it ends. */
export interface Channel {
  readonly device: DeviceId
  /**
   * Resolves once there is room for more. Rejects with `CHANNEL_ENDED` if the channel ended, and with `FRAME_TOO_LARGE`
   * for a frame over `MAX_FRAME_BYTES`: the channel then goes on.
   */
  send(frame: Uint8Array): Promise<void>
  /** The next frame; null once the other side has closed the channel and all frames were taken. Rejects if it broke. */
  receive(): Promise<Uint8Array | null>
  /** No more will be sent or received from this side: what waits here rejects. What was sent still arrives. */
  close(): void
}

/** Codes of what a transport throws. */
export const TRANSPORT_ERROR_CODES = {
  PEER_UNREACHABLE: 'There is no connection to the device.',
  CHANNEL_ENDED: 'The channel ended: the connection was lost, or the other side closed it.',
  FRAME_TOO_LARGE: 'A frame is over its limit. Nothing was sent.',
  TRANSPORT_CLOSED: 'The transport was closed.',
} as const
export type TransportErrorCode = keyof typeof TRANSPORT_ERROR_CODES

export class TransportError extends Error {
  readonly code: TransportErrorCode

  constructor(code: TransportErrorCode, message: string) {
    super(message)
    this.name = 'TransportError'
    this.code = code
  }
}
