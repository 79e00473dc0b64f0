/** Finds what somebody probably meant. */

/** Letters from which on the beginning of a word counts as near it. */
const BEGUN = 3

/** The known word that is nearest to a given one; null if none is near. */
export function nearest(given: string, known: Iterable<string>): string | null {
  let best: string | null = null
  let least = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const word of known) {
    const isBegun = given.length >= BEGUN && word.startsWith(given)
    const edits = isBegun ? 1 : distance(given.toLowerCase(), word.toLowerCase())
    if (edits < least) [best, least] = [word, edits]
  }
  return best
}

/** Letters that have to be put in, taken out or changed, or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let edits = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (before[j - 2] ?? 0) + 1)
      row.push(edits)
    }
    before = above
    above = row
  }
  return above[b.length] ?? 0
}
