/** What a planted bug is: edits of the source, and where the swarm is to look for it. */
import type { DrawOptions } from '../../sim/swarm/draw.js'
import type { StoryName } from './stories.js'

/** One exact replacement. `from` stands exactly once in the file: else the list has rotted, and nothing is run. */
export interface Edit {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** What is played: scripts drawn by chance within bounds, or a short story written for the purpose, by seed. */
export type Hunt =
  | { readonly draw: Omit<DrawOptions, 'seed'>; readonly seeds: number }
  | { readonly story: StoryName; readonly seeds: number }

export interface Mutant {
  readonly name: string
  /** What is wrong with it, in a sentence. */
  readonly what: string
  readonly edits: readonly Edit[]
  /** @default `ANYTHING` */
  readonly hunt: Hunt
}

/** An edit in one file. */
export function edit(file: string, from: string, to: string): Edit {
  return { file, from, to }
}

/** The text with an edit made. Throws if what it replaces is not there exactly once. */
export function edited(text: string, { file, from, to }: Edit): string {
  const found = text.split(from).length - 1
  if (found !== 1)
    throw new Error(
      `${file} has ${found} times, not once: ${JSON.stringify(from)}. The source has changed: change the mutant.`,
    )
  return text.replace(from, () => to)
}
