/** All planted bugs. */
import { IN_ENGINE } from './in-engine.js'
import { IN_JOURNAL } from './in-journal.js'
import { IN_PROTOCOL } from './in-protocol.js'
import type { Mutant } from './mutant.js'

export const MUTANTS: readonly Mutant[] = [...IN_PROTOCOL, ...IN_JOURNAL, ...IN_ENGINE]
