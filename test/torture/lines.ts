/** What a child tells its parent, line by line. */
export type Line =
  /** The journals are open; this is the incarnation that the child writes in. */
  | readonly ['open', incarnation: string]
  /** A commit resolved: its records are durable. */
  | readonly ['acknowledged', journal: string, ...records: string[]]
  | readonly ['evicting', journal: string]
  | readonly ['evicted', journal: string]
  /** A chore is done. */
  | readonly ['done', chore: string]
  /** The child cannot go on. */
  | readonly ['failed', ...why: string[]]

export function writeLine(line: Line): string {
  return `${line.join(' ').replaceAll('\n', ' ')}\n`
}

/** The whole lines of a text. What a killed child had begun to write is no line. */
export function readLines(text: string): readonly Line[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' ') as unknown as Line)
}
