/** Text as a record takes it. */
import { MAX_TEXT_LENGTH } from '../../protocol/index.js'

/** Cut to what a record takes, and without half of a character: a record that cannot be written is tried again for ever. */
export function textOf(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).replace(/\p{Surrogate}/gu, '')
}
