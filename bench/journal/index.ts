import type { Suite } from '../measure.js'
import { appendTable } from './append.js'
import { catchUpTables } from './catch-up.js'
import { makeCorpora } from './corpora.js'
import { openingTables } from './opening.js'
import { sizeTable } from './size.js'
import { throughputTable } from './throughput.js'

export async function journalSuite(): Promise<Suite> {
  const throughput = await throughputTable()
  const { table: append, lonely } = await appendTable()
  const corpora = await makeCorpora()
  return {
    name: 'journal',
    tables: [
      throughput,
      sizeTable(corpora, lonely),
      ...openingTables(corpora, lonely),
      ...(await catchUpTables(corpora)),
      append,
    ],
  }
}
