/**
 * The seams: all that dibs takes from the world. `src/platform` has the real ones for Node and browsers, the simulator
 * has virtual ones; whoever is handed time and chance can be replayed.
 */
import type { DeviceId } from '../../protocol/index.js'

/** Cancels a timer. Doing it twice, or after the timer fired, does nothing. */
export type CancelTimer = () => void

export interface Clock {
  /** Wall-clock time: milliseconds since 1970. May jump. */
  wallMs(): number
  /** Milliseconds since some moment in the past. Never goes back. */
  monotonicMs(): number
  /** Calls back once, not before `delayMs` have passed. A timer does not keep a process alive. */
  setTimer(delayMs: number, callback: () => void): CancelTimer
}

export interface Random {
  /** Unpredictable bytes. */
  bytes(count: number): Uint8Array
  /** A number from 0 up to, not including, 1. */
  number(): number
}

/** The device's identity: signs in its name. */
export interface Signer {
  readonly device: DeviceId
  /** An Ed25519 signature: 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>
}

/** Checks Ed25519 signatures of any device. */
export interface Verifier {
  verify(device: DeviceId, bytes: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>
}

/** Says how far a long piece of work has come. */
export type OnProgress = (progress: {
  readonly what: string
  readonly done: number
  readonly total: number | null
}) => void
