/**
 * The platform: everything real that a node stands on, as one object. `nodePlatform` and `browserPlatform` are the two
 * there are. Code that browsers load imports this file's types and is handed the object, so it never loads a `node:`
 * module.
 */
import type { Clock, Random } from './seams.js'

export interface Platform {
  readonly clock: Clock
  readonly random: Random
  /** SHA-256, by the fastest means at hand: opening a store hashes all of it. */
  readonly sha256: (bytes: Uint8Array) => Uint8Array
  /** `null` where there are no files: the store then lives in IndexedDB. */
  readonly files: Files | null
}

/** The few things that a store does with files of its own, beside those of LevelDB. */
export interface Files {
  join(folder: string, name: string): string
  /** Makes a folder, and those above it, that only the owner can enter. One that is there stays as it is. */
  makeFolder(path: string): Promise<void>
  /** Names in a folder; none if there is no such folder. */
  list(folder: string): Promise<readonly string[]>
  /** The bytes of a file; `null` if there is none. */
  read(path: string): Promise<Uint8Array | null>
  move(from: string, to: string): Promise<void>
  /** Whether this many bytes would still fit on the folder's disk. */
  hasRoom(folder: string, bytes: number): Promise<boolean>
  /** Writes down which process holds a store. */
  claimHolder(path: string): Promise<void>
  /** Who wrote itself down last, or `null` if nobody did or it cannot be read. */
  readHolder(path: string): Promise<Holder | null>
  releaseHolder(path: string): Promise<void>
  openCell(path: string): Promise<Cell>
}

/** The process that has a store open. */
export interface Holder {
  readonly pid: number
  /** When it opened the store, in ISO 8601. */
  readonly since: string
}

/** A few bytes in a file that are overwritten in place, again and again. Not synced: the system writes them in time. */
export interface Cell {
  /** What the cell holds; empty if it is new. */
  read(): Uint8Array
  write(bytes: Uint8Array): void
  close(): void
}
