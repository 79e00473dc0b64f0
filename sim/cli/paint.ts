/** Colours, where they are wanted. */
import type { Terminal } from './terminal.js'

export interface Paint {
  readonly bad: (text: string) => string
  readonly good: (text: string) => string
  readonly strong: (text: string) => string
}

export function paintFor({ hasColour }: Pick<Terminal, 'hasColour'>): Paint {
  const in_ =
    (code: number) =>
    (text: string): string =>
      hasColour ? `\u001b[${code}m${text}\u001b[0m` : text
  return { bad: in_(31), good: in_(32), strong: in_(1) }
}
