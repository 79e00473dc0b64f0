/**
 * Byzantine members. A byzantine device is a real, admitted member whose node runs as usual, and which at times does
 * something evil beside it, with its real key and from its real place in the network.
 *
 * @example
 * ```ts
 * await attack(attacker, 'delete-others')
 * ```
 */
import type { Attacker } from './attacker.js'
import { fakeBeacon, usurpItself } from './on-beacons.js'
import { flood, malformed } from './on-bytes.js'
import { deleteOthers, gap, muteOthers } from './on-documents.js'
import { doubleBook, twins } from './on-ids.js'
import { bury, squat, stray } from './on-journals.js'
import { equivocate, forge, replay } from './on-logs.js'
import { revokeOthers } from './on-members.js'
import { claimAll, completeAll, hoard, oddRuns, stealHeld } from './on-runs.js'
import { backdate, future, rewrite } from './on-time.js'

/** Every attack: what it does, and what must come of it. */
export const ATTACKS = {
  forge:
    'Writes batches in the names of others, under its own signature and under none: all of them are refused.',
  replay: 'Publishes what it heard, again and again: all of it is known, and nothing happens.',
  equivocate:
    'Signs two versions of one log and hands each to some: all come to hold the proof, and take no more of it.',
  flood:
    'Publishes thousands of messages, garbage, oversize, and right but useless: the useless are stored, no others.',
  backdate:
    'Gives itself runs with the earliest stamp there can be: by the rules it has them then, and all agree.',
  rewrite:
    'Completes ended runs anew, from the earliest stamp there can be: by the rules that is the result then, and all agree.',
  'claim-all':
    'Takes every open run from whoever has it: all agree, and its node or another does them in the end.',
  hoard:
    'Takes every open run in the name of a process that nobody sees: all agree, and its node or another does them in the end.',
  'complete-all': 'Ends what others were given, in its own name: without effect, and listed as rejected.',
  'delete-others': 'Sends Yjs deletions of all that others wrote: refused, and nothing is lost.',
  'mute-others':
    'Sends Yjs structs that take the places where others write next: refused, and they are heard.',
  gap: 'Sends what has something missing before it, or another batch than it names: none is kept, and syncs end.',
  malformed: 'Sends what is no message, no batch and no frame: refused, and nobody minds.',
  future: 'Stamps records ahead of time: up to a minute is taken, the rest waits aside in bounds.',
  'fake-beacon': 'Sends beacons in others’ names and with impossible values: none is taken.',
  'usurp-itself':
    'Sends lying beacons of a later process of its own: its node falls silent for all, and loses what it has.',
  'steal-held': 'Says that it held what it never had: without effect, and listed as rejected.',
  'revoke-others': 'Puts all others out, and a stranger in, without being an admin: without effect.',
  'odd-runs': 'Makes runs that are valid and absurd: they end, wait or fail by the rules, and others go on.',
  twins:
    'Gives two records one id, and lets them name each other as parents: one stands, the same everywhere.',
  'double-book': 'Gives one device two runs by assignments with one id: it does both.',
  stray:
    'Writes about runs into journals that are not theirs: all agree about them, before and after a restart.',
  squat:
    'Makes runs with keys of others in the journal of a day that nobody keeps: nothing of theirs is lost.',
  bury: 'Fills the journals of hundreds of days to come: today’s is synced all the same.',
} as const

export type Attack = keyof typeof ATTACKS

/**
 * Attacks that the rules let any member carry out: runs may change hands, wait or end by them. What must hold is that all
 * agree on it, and that it ends with a revocation.
 */
export const WITHIN_THE_RULES: ReadonlySet<Attack> = new Set<Attack>([
  'equivocate',
  'backdate',
  'rewrite',
  'claim-all',
  'hoard',
  'usurp-itself',
  'twins',
  'double-book',
])

const CARRIED_OUT: { readonly [A in Attack]: (attacker: Attacker) => Promise<void> | void } = {
  forge,
  replay,
  equivocate,
  flood,
  backdate,
  rewrite,
  'claim-all': claimAll,
  hoard,
  'complete-all': completeAll,
  'delete-others': deleteOthers,
  'mute-others': muteOthers,
  gap,
  malformed,
  future,
  'fake-beacon': fakeBeacon,
  'usurp-itself': usurpItself,
  'steal-held': stealHeld,
  'revoke-others': revokeOthers,
  'odd-runs': oddRuns,
  twins,
  'double-book': doubleBook,
  stray,
  squat,
  bury,
}

/** Carries an attack out. Resolves once all of it is on its way; never if the attacker dies before. */
export async function attack(attacker: Attacker, kind: Attack): Promise<void> {
  await CARRIED_OUT[kind](attacker)
}
