/** Reads the text of a partition, as `0 1 | 2 3 4`: who was with whom. */

const PARTITION = /^\d+( \d+)*( \| \d+( \d+)*)*$/

/**
 * Places by side; those that no side names are together. Null where the text says it in other words, as `0 ↛ 1`: then the
 * report shows just the words.
 */
export function sidesOf(text: string, places: readonly number[]): readonly (readonly number[])[] | null {
  if (!PARTITION.test(text)) return null
  const sides = text.split(' | ').map((side) => side.split(' ').map(Number))
  const rest = places.filter((place) => !sides.some((side) => side.includes(place)))
  return rest.length === 0 ? sides : [...sides, rest]
}
