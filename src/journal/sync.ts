/**
 * Sync as data, free of any transport.
 *
 * 1. A sends its summary; B answers with its heads of the journals that differ, and asks for A's.
 * 2. Each sends, for the heads it got, the messages that the other lacks; what arrives goes through `receive` as ever.
 *
 * Nothing is remembered between steps: a sync that broke off is taken up by exchanging heads again.
 */
import { equalBytes, type GroupView } from '../../protocol/index.js'
import type { OnProgress } from '../platform/seams.js'
import {
  MAX_LISTED_JOURNALS,
  MAX_LISTED_LOGS,
  MAX_MESSAGE_BATCHES,
  MAX_MESSAGE_STRETCHES,
  READ_AHEAD,
  SYNC_CHUNK_BYTES,
} from './constants.js'
import { digestOf, type ListedHead, type ListedHeads, type Summary } from './heads.js'
import { type Journal, stretchesOf } from './journal.js'
import type { Library } from './library.js'
import { Log } from './log.js'
import { type Message, writeMessage } from './message.js'
import { GROUP_JOURNAL, logName } from './names.js'
import type { Stretch } from './update.js'
import { visibleHead } from './visible.js'

/** Where a journal's logs stand, as this device tells others. */
export function headsOf(library: Library, name: string): readonly ListedHead[] {
  const journal = library.get(name)
  return journal === undefined ? (library.resting(name) ?? []) : standingOf(library, journal).heads
}

/** Where a journal stood when it was last asked: most have not changed since the sync before. */
interface Standing {
  readonly group: GroupView
  readonly changes: number
  readonly heads: readonly ListedHead[]
}

const standings = new WeakMap<Journal, Standing>()

function standingOf(library: Library, journal: Journal): Standing {
  const { group } = library
  const { changes } = journal
  const last = standings.get(journal)
  if (last?.changes === changes && last.group === group) return last
  const heads = journal.logs.flatMap((log) => {
    const { sequence, hash } = visibleHead(library, journal, log)
    const { device, incarnation } = log.key
    return sequence < 0 ? [] : [{ device, incarnation, sequence, hash }]
  })
  const standing = { group, changes, heads }
  standings.set(journal, standing)
  return standing
}

const digests = new WeakMap<readonly ListedHead[], Uint8Array>()

function digestOfHeads(heads: readonly ListedHead[]): Uint8Array {
  const known = digests.get(heads)
  if (known !== undefined) return known
  const digest = digestOf(heads)
  digests.set(heads, digest)
  return digest
}

export function summaryOf(library: Library): Summary {
  const names = inOrderOfNeed(library.names).slice(0, MAX_LISTED_JOURNALS)
  return new Map(names.map((name) => [name, digestOfHeads(headsOf(library, name))]))
}

/** The heads of some journals, as far as a peer would read them. */
export function listHeads(library: Library, names: readonly string[]): ListedHeads {
  const listed = new Map<string, readonly ListedHead[]>()
  let room = MAX_LISTED_LOGS
  for (const name of names.slice(0, MAX_LISTED_JOURNALS)) {
    const heads = headsOf(library, name).slice(0, room)
    listed.set(name, heads)
    room -= heads.length
    if (room === 0) break
  }
  return listed
}

/** The group's journal first, as it says who the others are; then the latest days: if not all fit, those matter most. */
function inOrderOfNeed(names: readonly string[]): readonly string[] {
  return [...names].sort(
    (a, b) => Number(b === GROUP_JOURNAL) - Number(a === GROUP_JOURNAL) || (a < b ? 1 : -1),
  )
}

/** The journals that do not stand alike here and there. */
export function differing(library: Library, theirs: Summary): readonly string[] {
  const ours = summaryOf(library)
  const names = [...new Set([...ours.keys(), ...theirs.keys()])].filter((name) => {
    const [a, b] = [ours.get(name), theirs.get(name)]
    return a === undefined || b === undefined || !equalBytes(a, b)
  })
  return inOrderOfNeed(names)
}

/**
 * The messages that a device with these heads lacks, in chunks. Journals at rest are loaded as they are needed. Progress
 * counts journals: those ahead are not looked into before their turn.
 */
export async function* lacking(
  library: Library,
  theirs: ListedHeads,
  onProgress?: OnProgress,
): AsyncGenerator<Uint8Array> {
  const known = new Set(library.names)
  let done = 0
  for (const [name, heads] of theirs) {
    onProgress?.({ what: `sync ${name}`, done: done++, total: theirs.size })
    if (library.isEvicted(name) || !known.has(name)) continue
    const journal = await library.load(name)
    const there = new Map(heads.map((head) => [logName(head), head]))
    yield* chunks(journal, stretchesFor(library, journal, there))
    yield* branchesFor(library, journal, there)
    yield* proofsFor(journal, there)
  }
}

/** Whether a device with these heads has something that is not here. An evicted journal is then fetched anew. */
export async function refetchable(library: Library, theirs: ListedHeads): Promise<readonly string[]> {
  const names: string[] = []
  for (const [name, heads] of theirs) {
    const ours = new Map(headsOf(library, name).map((head) => [logName(head), head]))
    const more = heads.some(
      (head) =>
        hasMore(head, ours.get(logName(head))) &&
        // A stub is not given up for a log that would be refused.
        (!library.isEvicted(name) || library.group.members.has(head.device)),
    )
    if (more) names.push(name)
    if (more && library.isEvicted(name)) await library.revive(name)
  }
  return names
}

/** Also where both end at one place and differ: the other's branch proves the fork. */
function hasMore(theirs: ListedHead, ours: ListedHead | undefined): boolean {
  if (ours === undefined || theirs.sequence !== ours.sequence) return theirs.sequence > (ours?.sequence ?? -1)
  return !equalBytes(theirs.hash, ours.hash)
}

/** Whether the stub of an evicted journal already counts all that a message brings. */
export function wasKnown(library: Library, { journal, stretches }: Message): boolean {
  const sequences = new Map(
    (library.resting(journal) ?? []).map(({ device, incarnation, sequence }) => [
      new Log(library.groupId, { journal, device, incarnation }).client,
      sequence,
    ]),
  )
  return stretches.every(
    ({ client, from, elements }) => from + elements.length - 1 <= (sequences.get(client) ?? -1),
  )
}

function* stretchesFor(
  library: Library,
  journal: Journal,
  there: ReadonlyMap<string, ListedHead>,
): Generator<Stretch> {
  for (const log of inOrderOfAdmission(library, journal)) {
    const { sequence: last } = visibleHead(library, journal, log)
    const theirs = there.get(log.name)
    if (theirs !== undefined && isForked(journal, log, theirs)) continue
    let from = theirs === undefined ? 0 : theirs.sequence + 1
    while (from <= last) {
      const elements = journal.elements(log, from, Math.min(READ_AHEAD, last - from + 1))
      yield* stretchesOf(log, from, elements)
      from += elements.length
    }
  }
}

/**
 * Where both have a batch and they differ, the log was forked there or before: ours is sent, from that batch back to the
 * log's first, so that the other sees where. Backwards, as a sync may break off: the next begins before what it proved.
 */
function* branchesFor(
  library: Library,
  journal: Journal,
  there: ReadonlyMap<string, ListedHead>,
): Generator<Uint8Array> {
  for (const log of journal.logs) {
    const theirs = there.get(log.name)
    if (theirs === undefined || !isForked(journal, log, theirs)) continue
    let end = Math.min(visibleHead(library, journal, log).sequence, theirs.sequence)
    for (; end >= 0; end -= READ_AHEAD) {
      const from = Math.max(0, end - READ_AHEAD + 1)
      yield* chunks(journal, stretchesOf(log, from, journal.elements(log, from, end - from + 1)))
    }
  }
}

/** Both branches of a forked log, for a device that lists it past the fork: it does not know, and can see for itself. */
function* proofsFor({ name, logs }: Journal, there: ReadonlyMap<string, ListedHead>): Generator<Uint8Array> {
  for (const log of logs) {
    const theirs = there.get(log.name)
    if (log.proof === null || theirs === undefined || theirs.sequence < log.proof.sequence) continue
    for (const signed of [log.proof.kept, log.proof.other])
      yield writeMessage({ journal: name, stretches: stretchesOf(log, log.proof.sequence, [signed]) })
  }
}

function isForked(journal: Journal, log: Log, { sequence, hash }: ListedHead): boolean {
  if (sequence > log.head.sequence) return false
  if (sequence === log.head.sequence) return !equalBytes(log.head.hash, hash)
  const [next] = journal.elements(log, sequence + 1, 1)
  return (
    next !== undefined && !equalBytes(log.codec.decode(next.subarray(64), { trusted: true }).previous, hash)
  )
}

/** Who was admitted first comes first: what a device writes counts only once its admission is known. */
export function inOrderOfAdmission({ group }: Library, journal: Journal): readonly Log[] {
  const admitted = (log: Log): number =>
    group.members.get(log.key.device)?.admissions[0]?.stamp ?? Number.MAX_SAFE_INTEGER
  return [...journal.logs].sort((a, b) => admitted(a) - admitted(b) || (a.name < b.name ? -1 : 1))
}

function* chunks({ name }: Journal, stretches: Iterable<Stretch>): Generator<Uint8Array> {
  let chunk: Stretch[] = []
  let bytes = 0
  let batches = 0
  for (const stretch of stretches) {
    for (const part of bySize(stretch)) {
      const size = part.elements.reduce((sum, element) => sum + element.length, 0)
      const isFull =
        bytes + size > SYNC_CHUNK_BYTES ||
        chunk.length >= MAX_MESSAGE_STRETCHES ||
        batches + part.elements.length > MAX_MESSAGE_BATCHES
      if (chunk.length > 0 && isFull) {
        yield writeMessage({ journal: name, stretches: joined(chunk) })
        chunk = []
        bytes = 0
        batches = 0
      }
      chunk.push(part)
      bytes += size
      batches += part.elements.length
    }
  }
  if (chunk.length > 0) yield writeMessage({ journal: name, stretches: joined(chunk) })
}

/** Parts of a stretch that each fit a chunk, or are a single large batch. */
function* bySize({ client, from, root, elements }: Stretch): Generator<Stretch> {
  let start = 0
  let bytes = 0
  for (let end = 0; end <= elements.length; end++) {
    const size = elements[end]?.length ?? 0
    const isFull = end === elements.length || (end > start && bytes + size > SYNC_CHUNK_BYTES)
    if (isFull && end > start) {
      yield {
        client,
        from: from + start,
        root: start === 0 ? root : null,
        elements: elements.slice(start, end),
      }
      start = end
      bytes = 0
    }
    bytes += size
  }
}

/** Neighbours of one segment as one stretch: the form that an update has. */
function joined(parts: readonly Stretch[]): readonly Stretch[] {
  const whole: Stretch[] = []
  for (const part of parts) {
    const last = whole[whole.length - 1]
    const follows =
      last?.client === part.client && last.from + last.elements.length === part.from && part.root === null
    if (follows)
      whole[whole.length - 1] = {
        ...(last as Stretch),
        elements: [...(last as Stretch).elements, ...part.elements],
      }
    else whole.push(part)
  }
  return whole
}
