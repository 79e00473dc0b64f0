/** Opening: how long it takes, and how much memory it leaves taken. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { against, progress, rowOf, type Table } from '../measure.js'
import type { Corpora, Corpus } from './corpora.js'
import type { How, Probed } from './probe.js'

const REPEATS = 3
const PROBE = fileURLToPath(new URL('probe.ts', import.meta.url))

export function openingTables(corpora: Corpora, alone: Corpus): readonly [times: Table, heaps: Table] {
  const small = measure('table', corpora.small)
  const large = measure('table', corpora.large)
  const lonely = measure('table', alone)
  const unfolded = measure('journals', corpora.large)
  const unfoldedLonely = measure('journals', alone)
  const plainSmall = measure('plain', corpora.plainSmall)
  const plainLarge = measure('plain', corpora.plainLarge)
  const time = (what: string, probes: readonly Probed[]) =>
    rowOf(
      what,
      probes.map(({ milliseconds }) => milliseconds / 1000),
    )
  const heap = (what: string, probes: readonly Probed[]) =>
    rowOf(
      what,
      probes.map(({ heapBytes, runs }) => heapBytes / runs),
    )
  const [plainSmallTime, plainLargeTime] = [
    time('10,000 runs, plain', plainSmall),
    time('100,000 runs, plain', plainLarge),
  ]
  const plainHeap = heap('plain', plainLarge)
  return [
    {
      title: 'Opening',
      unit: 's',
      against: 'plain',
      repeats: REPEATS,
      note: 'In a new process: the store opened and scanned, every journal loaded and its chain checked, every record folded into a table of runs. The plain layout, merged into one update, only loads its document. “Alone”: each commit is a batch of its own, two for each run.',
      rows: [
        against(time('10,000 runs', small), plainSmallTime),
        plainSmallTime,
        against(time('100,000 runs', large), plainLargeTime),
        plainLargeTime,
        time('100,000 runs, not folded', unfolded),
        time(`${alone.runs.toLocaleString('en-US')} runs, alone`, lonely),
      ],
    },
    {
      title: 'Memory of a run',
      unit: 'bytes of heap and buffers after a collection',
      against: 'plain',
      repeats: REPEATS,
      note: 'In a new process, 100,000 runs loaded; “alone” as above. The records are dropped once they were told, or are kept by the table of runs; all runs have ended, so that their views were made, looked at and let go.',
      rows: [
        against(heap('journals', unfolded), plainHeap),
        against(heap('journals, alone', unfoldedLonely), plainHeap),
        against(heap('journals and table of runs', large), plainHeap),
        plainHeap,
      ],
    },
  ]
}

function measure(how: How, { folder, runs }: Corpus): readonly Probed[] {
  progress(`opening ${runs} runs: ${how}`)
  return Array.from({ length: REPEATS }, () => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--expose-gc', '--import', 'tsx', PROBE, how, folder],
      { encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`The probe failed: ${stderr}`)
    const probed = JSON.parse(stdout) as Probed
    if (probed.runs !== runs) throw new Error(`${probed.runs} runs were opened, not ${runs}.`)
    return probed
  })
}
