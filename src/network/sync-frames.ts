/**
 * The frames of a sync: a byte that tells the type, then the payload.
 *
 *     begins   SUMMARY
 *     answers                      END: all stands alike, or
 *                                  HEADS: its heads of the journals that differ
 *     begins   HEADS: its own of the same journals
 *     answers                      HEADS, or UNCHANGED: what it lists now that it may have revived a journal
 *                                  MESSAGE …, END: what the other lacks
 *     begins   MESSAGE …, END
 *     answers                      END: all was taken in
 *
 * MORE stands for END where a side sent as much as one sync may: another should follow.
 */
import { SyncError } from './sync-error.js'

export const FRAME = { SUMMARY: 1, HEADS: 2, UNCHANGED: 3, MESSAGE: 4, END: 5, MORE: 6 } as const
export type FrameType = (typeof FRAME)[keyof typeof FRAME]

export interface Frame {
  readonly type: FrameType
  readonly payload: Uint8Array
}

const EMPTY = new Uint8Array(0)
const TYPES: ReadonlySet<unknown> = new Set(Object.values(FRAME))

/** Types that say all there is to say. */
const BARE: ReadonlySet<FrameType> = new Set([FRAME.UNCHANGED, FRAME.END, FRAME.MORE])

export function writeFrame(type: FrameType, payload: Uint8Array = EMPTY): Uint8Array {
  const frame = new Uint8Array(1 + payload.length)
  frame[0] = type
  frame.set(payload, 1)
  return frame
}

/** Throws `SYNC_MALFORMED` for bytes that are no frame, or not of a type that may come now. */
export function readFrame(bytes: Uint8Array, expected: readonly FrameType[]): Frame {
  const type = bytes[0]
  const payload = bytes.subarray(1)
  if (!isType(type)) throw malformed('a frame of an unknown type')
  if (!expected.includes(type)) throw malformed(`a frame of type ${type} out of turn`)
  if (BARE.has(type) !== (payload.length === 0))
    throw malformed(`a frame of type ${type} with a wrong payload`)
  return { type, payload }
}

function isType(type: unknown): type is FrameType {
  return TYPES.has(type)
}

function malformed(what: string): SyncError {
  return new SyncError('SYNC_MALFORMED', `The other side sent ${what}. What was taken in before stays.`)
}
