/** Text that is shown or kept, cut to a length. */

/** Ends with `…` if something was cut off. Never leaves half of a surrogate pair at the cut. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  const isHalf = last >= 0xd800 && last < 0xdc00
  return `${text.slice(0, isHalf ? length - 1 : length)}…`
}
