/** All scenarios, the plainest first. */

import { byzantineMember } from './byzantine-member.js'
import { clockOffByADay } from './clock-off-by-a-day.js'
import { coordinatorDies } from './coordinator-dies.js'
import { flappingLink } from './flapping-link.js'
import { happyPath } from './happy-path.js'
import { laptopLid } from './laptop-lid.js'
import { minorityIslandForAWeek } from './minority-island-for-a-week.js'
import { phoneInTheBackground } from './phone-in-the-background.js'
import { revokedDevice } from './revoked-device.js'
import { rollingRestart } from './rolling-restart.js'
import type { Scenario } from './scenario.js'
import { splitBrain } from './split-brain.js'
import { thunderingHerd } from './thundering-herd.js'

export type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.js'
export type { Expectation } from './stage.js'

export const SCENARIOS: readonly Scenario[] = [
  happyPath,
  splitBrain,
  laptopLid,
  phoneInTheBackground,
  coordinatorDies,
  thunderingHerd,
  rollingRestart,
  flappingLink,
  minorityIslandForAWeek,
  clockOffByADay,
  revokedDevice,
  byzantineMember,
]
