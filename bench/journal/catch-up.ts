/** Catching up: a device that has nothing gets all runs from a peer. */
import * as Y from 'yjs'
import { against, progress, rowOf, type Table } from '../measure.js'
import type { Corpora } from './corpora.js'
import { type Device, openDevice } from './device.js'
import { drop, newFolder } from './folders.js'
import { Plain } from './plain.js'

const REPEATS = 3

interface CaughtUp {
  readonly seconds: number
  readonly bytes: number
}

export async function catchUpTables({ large, plainLarge }: Corpora): Promise<readonly [Table, Table]> {
  const ours: CaughtUp[] = []
  const theirs: CaughtUp[] = []
  const peer = await openDevice(large.folder)
  for (const name of peer.journals.names) await peer.journals.load(name)
  for (let i = 0; i < REPEATS; i++) ours.push(await journals(peer))
  await peer.close()
  const plainPeer = await Plain.open(plainLarge.folder)
  for (let i = 0; i < REPEATS; i++) theirs.push(await plain(plainPeer))
  await plainPeer.close()
  const seconds = (what: string, all: readonly CaughtUp[]) =>
    rowOf(
      what,
      all.map((one) => one.seconds),
    )
  const megabytes = (what: string, all: readonly CaughtUp[]) =>
    rowOf(
      what,
      all.map(({ bytes }) => bytes / 1_000_000),
    )
  return [
    {
      title: 'Catching up 100,000 runs: time',
      unit: 's',
      against: 'plain',
      repeats: REPEATS,
      note: 'Both sides in one process, no network: what is lacking is cut into messages; each is parsed, decoded, chained, its signature checked, stored and applied. The plain layout applies one update, unchecked, and stores it.',
      rows: [against(seconds('journals', ours), seconds('plain', theirs)), seconds('plain', theirs)],
    },
    {
      title: 'Catching up 100,000 runs: bytes',
      unit: 'MB',
      against: 'plain',
      repeats: REPEATS,
      note: 'Summary and heads included.',
      rows: [against(megabytes('journals', ours), megabytes('plain', theirs)), megabytes('plain', theirs)],
    },
  ]
}

async function journals(peer: Device): Promise<CaughtUp> {
  progress('catching up, journals')
  const folder = newFolder('catch-up')
  const device = await openDevice(folder, { group: peer.journals.group.id })
  globalThis.gc?.()
  const began = performance.now()
  const summary = peer.journals.summary()
  const heads = device.journals.headsAgainst(summary)
  if (heads === null) throw new Error('There is nothing to catch up.')
  let bytes = summary.length + heads.length
  for await (const message of peer.journals.lacking(heads)) {
    bytes += message.length
    const outcome = await device.journals.receive(message, peer.me)
    if (outcome.status !== 'applied') throw new Error(`A message was not applied: ${JSON.stringify(outcome)}`)
  }
  const seconds = (performance.now() - began) / 1000
  if (device.journals.headsAgainst(peer.journals.summary()) !== null)
    throw new Error('Something still differs.')
  await device.close()
  drop(folder)
  return { seconds, bytes }
}

async function plain(peer: Plain): Promise<CaughtUp> {
  progress('catching up, plain')
  const folder = newFolder('catch-up')
  const layout = await Plain.open(folder)
  globalThis.gc?.()
  const began = performance.now()
  const vector = Y.encodeStateVector(layout.doc)
  const update = Y.encodeStateAsUpdate(peer.doc, vector)
  await layout.receive(update)
  const seconds = (performance.now() - began) / 1000
  await layout.close()
  drop(folder)
  return { seconds, bytes: vector.length + update.length }
}
