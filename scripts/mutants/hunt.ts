/** Looks for a planted bug: plays seed by seed until something is violated that holds without the bug. */
import type { Hunt, Mutant } from './mutant.js'
import { playSeeds, SEED_MS } from './play-seeds.js'
import type { Scratch } from './scratch.js'
import type { Violated } from './trial.js'

export interface Catch {
  readonly mutant: Mutant
  /** Null: it survived. */
  readonly violated: Violated | null
  readonly seed: number | null
  /** Invariants that the same seed violates without the bug. Empty as it should be. */
  readonly beside: readonly string[]
  /** Seeds that say nothing: they do not end, or violate the same, without the bug too. */
  readonly unclear: readonly number[]
  readonly seconds: number
}

/** What each seed comes to without any bug, found out once. */
export type CleanSeeds = Map<string, ReturnType<typeof playSeeds>>

/** What a simulation violates that goes on without end, where it ends in a small part of the time without the bug. */
const NO_END: Violated = { invariant: 'no-end', line: `It did not end within ${SEED_MS / 1000} s.` }
const SMALL_PART = 1 / 4

export async function hunt(
  scratch: Scratch,
  mutant: Mutant,
  seeds: number,
  clean: CleanSeeds,
): Promise<Catch> {
  const began = performance.now()
  const unclear: number[] = []
  const verdict = (found: Omit<Catch, 'mutant' | 'unclear' | 'seconds'>): Catch => ({
    ...found,
    mutant,
    unclear,
    seconds: (performance.now() - began) / 1000,
  })
  for (let from = 1; from <= seeds; ) {
    const { seed, report } = await playWith(scratch, mutant, { from, to: seeds, ignore: [] })
    const violated = report === null ? NO_END : report.violated[0]
    if (violated === undefined) break
    const found = await confirmed(scratch, mutant, seed, violated, clean)
    if (found !== null) return verdict({ ...found, seed })
    unclear.push(seed)
    from = seed + 1
  }
  return verdict({ violated: null, seed: null, beside: [] })
}

/** What a seed violates with the bug and not without it; null if that is nothing. */
async function confirmed(
  scratch: Scratch,
  mutant: Mutant,
  seed: number,
  violated: Violated,
  clean: CleanSeeds,
): Promise<Pick<Catch, 'violated' | 'beside'> | null> {
  const { report, tookMs } = await playWithout(scratch, mutant.hunt, seed, clean)
  if (report === null) return null
  const beside = report.violated.map(({ invariant }) => invariant)
  if (violated === NO_END) return tookMs < SEED_MS * SMALL_PART ? { violated, beside } : null
  if (!beside.includes(violated.invariant)) return { violated, beside }
  const again = await playWith(scratch, mutant, { from: seed, to: seed, ignore: beside })
  const [other] = again.report?.violated ?? []
  return other === undefined ? null : { violated: other, beside }
}

function playWith(
  scratch: Scratch,
  mutant: Mutant,
  bounds: { readonly from: number; readonly to: number; readonly ignore: readonly string[] },
): ReturnType<typeof playSeeds> {
  return scratch.with(mutant, () => playSeeds(scratch, { hunt: mutant.hunt, findsAll: false, ...bounds }))
}

function playWithout(
  scratch: Scratch,
  what: Hunt,
  seed: number,
  clean: CleanSeeds,
): ReturnType<typeof playSeeds> {
  const key = JSON.stringify([{ ...what, seeds: 0 }, seed])
  const known =
    clean.get(key) ?? playSeeds(scratch, { hunt: what, from: seed, to: seed, ignore: [], findsAll: true })
  clean.set(key, known)
  return known
}
