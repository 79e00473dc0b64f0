/** Bytes that a run takes, on the wire and on disk. */
import { against, rowOf, type Table } from '../measure.js'
import type { Corpora, Corpus } from './corpora.js'

export function sizeTable({ large, plainLarge }: Corpora, lonely: Corpus): Table {
  const wire = (what: string, { bytesPublished, runs }: Corpus) => rowOf(what, [bytesPublished / runs])
  const disk = (what: string, { bytesKept, runs }: Corpus) => rowOf(what, [bytesKept / runs])
  const plainWire = wire('on the wire, plain', plainLarge)
  const plainDisk = disk('on disk, plain', plainLarge)
  return {
    title: 'Size of a run',
    unit: 'bytes',
    against: 'plain',
    repeats: 1,
    note: 'The whole life of a run: five records. On the wire: all that was published. On disk: the whole folder after compaction; the plain layout merged into one update and compressed by LevelDB, which suits runs that are as alike as these. “Alone”: one submitter, so each commit is a batch with a hash and a signature of its own, two for each run.',
    rows: [
      against(wire('on the wire, 64 submitters', large), plainWire),
      against(wire('on the wire, alone', lonely), plainWire),
      plainWire,
      against(disk('on disk, 64 submitters', large), plainDisk),
      against(disk('on disk, alone', lonely), plainDisk),
      plainDisk,
    ],
  }
}
