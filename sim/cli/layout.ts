/** Text in columns, no wider than a terminal. */

/** Columns of the narrowest terminal that counts. */
export const WIDTH = 80

/** A name and what it is, a row each. What is too long goes on in the next line. */
export function rows(pairs: readonly (readonly [string, string])[], indent = ''): string {
  const wide = Math.max(0, ...pairs.map(([name]) => name.length)) + 2
  const left = indent.length + wide
  return pairs
    .map(([name, text]) => {
      const [first = '', ...more] = wrapped(text, WIDTH - left)
      const lines = [
        `${indent}${name.padEnd(wide)}${first}`,
        ...more.map((line) => `${' '.repeat(left)}${line}`),
      ]
      return `${lines.join('\n').trimEnd()}\n`
    })
    .join('')
}

/** Breaks a text between words. A word that is longer than a line stays whole. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

export function paragraph(text: string, indent = ''): string {
  return `${wrapped(text, WIDTH - indent.length)
    .map((line) => `${indent}${line}`)
    .join('\n')}\n`
}

/** Columns: the first to the left, the others to the right. */
export function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  return [head, ...body].map((row) => `${line(row).trimEnd()}\n`).join('')
}
