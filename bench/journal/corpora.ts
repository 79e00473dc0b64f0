/** Large stores that several tables look at, made once. */
import { progress } from '../measure.js'
import { openDevice } from './device.js'
import { bytesIn, newFolder } from './folders.js'
import { live } from './live.js'
import { Plain } from './plain.js'

export interface Corpus {
  readonly folder: string
  readonly runs: number
  readonly bytesPublished: number
  readonly bytesKept: number
}

export interface Corpora {
  readonly small: Corpus
  readonly large: Corpus
  readonly plainSmall: Corpus
  readonly plainLarge: Corpus
}

const SMALL = 10_000
const LARGE = 100_000
const SUBMITTERS = 64

export async function makeCorpora(): Promise<Corpora> {
  return {
    small: await journals(SMALL),
    large: await journals(LARGE),
    plainSmall: await plain(SMALL),
    plainLarge: await plain(LARGE),
  }
}

async function journals(runs: number): Promise<Corpus> {
  progress(`making ${runs} runs in journals`)
  const folder = newFolder('journals')
  const device = await openDevice(folder, { isSynced: false })
  await live(device, runs, SUBMITTERS)
  await device.store.compact()
  const bytesPublished = device.published()
  await device.close()
  return { folder, runs, bytesPublished, bytesKept: await bytesIn(folder) }
}

async function plain(runs: number): Promise<Corpus> {
  progress(`making ${runs} runs in the plain layout`)
  const folder = newFolder('plain')
  const layout = await Plain.open(folder, { isSynced: false })
  await layout.live(runs, SUBMITTERS)
  const bytesPublished = layout.published
  await layout.flush()
  await layout.close()
  return { folder, runs, bytesPublished, bytesKept: await bytesIn(folder) }
}
