/** All oracles. Each is made for one simulation. */
import { attempts } from './attempts.js'
import { authors } from './authors.js'
import { clocks } from './clocks.js'
import { costs } from './costs.js'
import { dibs } from './dibs.js'
import { durability } from './durability.js'
import { endings } from './endings.js'
import { engineLaws } from './engine-laws.js'
import { fences } from './fences.js'
import { logs } from './logs.js'
import { membership } from './membership.js'
import type { Oracle, Scene } from './oracle.js'
import { owners } from './owners.js'
import { reassignments } from './reassignments.js'
import { rest } from './rest.js'
import { signsOfLife } from './signs-of-life.js'
import { starts } from './starts.js'
import { suspicions } from './suspicions.js'
import { views } from './views.js'

export const ORACLES: readonly ((scene: Scene) => Oracle)[] = [
  owners,
  starts,
  attempts,
  suspicions,
  reassignments,
  dibs,
  fences,
  signsOfLife,
  authors,
  views,
  endings,
  durability,
  membership,
  logs,
  engineLaws,
  clocks,
  costs,
  rest,
]
