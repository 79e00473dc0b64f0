/** What the parent knows about a device from what its children said, and from what it wrote itself. */
import type { Line } from './lines.js'

export class Memory {
  /** Records that were acknowledged, by journal. */
  readonly acknowledged: Map<string, Set<string>> = new Map()
  readonly incarnations: Set<number> = new Set()
  /** Journals whose eviction was begun: they may be there or not. */
  readonly evicting: Set<string> = new Set()
  /** Journals whose eviction was acknowledged. */
  readonly evicted: Set<string> = new Set()

  /** Takes in what a child said. Answers with what is wrong about it. */
  take(lines: readonly Line[]): readonly string[] {
    return lines.flatMap((line): readonly string[] => {
      if (line[0] === 'open') return this.begin(Number(line[1]))
      if (line[0] === 'acknowledged') this.acknowledge(line[1], line.slice(2))
      if (line[0] === 'evicting') this.evicting.add(line[1])
      if (line[0] === 'evicted') this.evicted.add(line[1])
      return line[0] === 'failed' ? [`The child failed: ${line.slice(1).join(' ')}`] : []
    })
  }

  begin(incarnation: number): readonly string[] {
    if (this.incarnations.has(incarnation)) return [`The incarnation ${incarnation} was used twice.`]
    this.incarnations.add(incarnation)
    return []
  }

  acknowledge(journal: string, records: readonly string[]): void {
    const known = this.acknowledged.get(journal) ?? new Set()
    for (const record of records) known.add(record)
    this.acknowledged.set(journal, known)
  }

  /** The eviction was seen to be done: what was acknowledged of the journal is rightly gone. */
  forget(journal: string): void {
    this.acknowledged.delete(journal)
    this.evicted.add(journal)
  }
}
