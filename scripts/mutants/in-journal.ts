/** Bugs in the journals and in what carries them: durability, checks, syncs. */
import { SMALL } from './draws.js'
import { type Edit, edit, type Mutant } from './mutant.js'

const PUBLISHES = `      for (const { journal, log, signed, batch } of parts) {
        const stretches = stretchesOf(log, batch.sequence, [signed])
        runAppCode(() => this.#publish(writeMessage({ journal: journal.name, stretches })))
      }
`

const PREPARES = '      const parts = await this.#prepare(taken)\n'

/** No sync by chance: what gossip lost is found by other means, or never. */
const NO_ANTI_ENTROPY: Edit = edit(
  'src/network/syncer.ts',
  '      if (contact === undefined || contact.session !== null) return\n',
  '      if (contact !== null) return\n',
)

export const IN_JOURNAL: readonly Mutant[] = [
  {
    name: 'publish-before-store',
    what: 'Batches go out before they are stored.',
    edits: [
      edit('src/journal/commit.ts', PUBLISHES, ''),
      edit('src/journal/commit.ts', PREPARES, `${PREPARES}${PUBLISHES}`),
    ],
    hunt: { draw: { ...SMALL, faults: [] }, seeds: 4 },
  },
  {
    name: 'tail-unsynced',
    what: 'Own batches are written without waiting for the disk: a crash may take what others have seen.',
    edits: [edit('src/journal/commit.ts', '{ durable: true },', '{ durable: false },')],
    hunt: { draw: { ...SMALL, faults: ['crashes'] }, seeds: 4 },
  },
  {
    name: 'signature-unchecked',
    what: 'Batches that nobody signed are taken.',
    edits: [
      edit(
        'src/journal/receive.ts',
        'if (!(await this.#isSigned(log, last.signed)))',
        'if (last === undefined)',
      ),
    ],
    hunt: { story: 'forger', seeds: 6 },
  },
  {
    name: 'foreign-bytes-applied',
    what: 'Updates of others reach the document as they came: deletions, too.',
    edits: [
      edit(
        'src/journal/journals.ts',
        '      const message = readMessage(bytes)\n',
        `      const [, foreign, update] = decodeCbor(bytes, 1) as [number, string, Uint8Array]
      const there = this.#library.get(foreign)
      if (there !== undefined) applyUpdate(there.doc, update)
      const message = readMessage(bytes)
`,
      ),
      edit(
        'src/journal/journals.ts',
        "import { decodeCbor, encodeCbor } from '../../protocol/cbor.js'\n",
        "import { applyUpdate } from 'yjs'\nimport { decodeCbor, encodeCbor } from '../../protocol/cbor.js'\n",
      ),
    ],
    hunt: { story: 'eraser', seeds: 4 },
  },
  {
    name: 'gaps-ignored',
    what: 'Nothing is asked for that gossip lost: neither at a gap nor now and then.',
    edits: [
      NO_ANTI_ENTROPY,
      edit(
        'src/network/syncer.ts',
        '    this.#later(contact, GAP_DELAY_MS)\n',
        '    if (contact === null) this.#later(contact, GAP_DELAY_MS)\n',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: ['weather'] }, seeds: 10 },
  },
  {
    name: 'last-message-lost',
    what: 'That the last message before a silence was lost is not noticed by the beacons after it.',
    edits: [
      NO_ANTI_ENTROPY,
      edit('src/node/link.ts', '    if (isBehind) this.#syncer.onGap(beacon.device)\n', ''),
    ],
    hunt: { story: 'lossy', seeds: 24 },
  },
  {
    name: 'incarnation-reused',
    what: 'A process that starts again takes itself for the one before.',
    edits: [
      edit(
        'src/journal/journals.ts',
        '  const incarnation = stampOf(ms, Math.floor(random.number() * STAMPS_PER_MS))\n',
        '  const fresh = stampOf(ms, Math.floor(random.number() * STAMPS_PER_MS))\n  const incarnation = latest === 0 ? fresh : latest\n',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: ['crashes'] }, seeds: 8 },
  },
  {
    name: 'forgets-at-restart',
    what: 'Of what the journals tell while they are opened the last record of each log is dropped.',
    edits: [
      edit(
        'src/node/run-book.ts',
        '      this.#table.addAll(some)\n      return []\n',
        '      this.#table.addAll(some.slice(0, -1))\n      return []\n',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: ['crashes'] }, seeds: 6 },
  },
  {
    name: 'views-not-restored',
    what: 'A process that starts again does not look at the runs that were open before.',
    edits: [edit('src/node/works.ts', 'views: book.index.open() })', 'views: [] })')],
    hunt: { story: 'orphans', seeds: 4 },
  },
]
