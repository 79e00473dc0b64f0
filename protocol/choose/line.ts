/** Who reassigns: everyone knows the line, and each waits its turn, so that normally one record is written and not N. */
import type { DeviceId, GroupId } from '../ids.js'
import { checkCandidates, chooseConfig } from './config.js'
import { elect } from './elect.js'
import type { Candidate, ChooseConfig } from './types.js'

/** A place in the line: how long this device waits before it acts, unless another acted first. */
export interface Turn {
  readonly device: DeviceId
  readonly delayMs: number
}

export interface LineInput {
  readonly group: GroupId
  readonly candidates: readonly Candidate[]
  /** Who made the assignment that is to be replaced: first in line, if alive. */
  readonly assigner: DeviceId
  /** Devices that may not act, such as the silent owner. */
  readonly except?: readonly DeviceId[]
}

/** The assigner if alive, then the others by election rank; the k-th waits k staggers. */
export function reassignLine(
  { group, candidates, assigner, except = [] }: LineInput,
  part: Partial<ChooseConfig> = {},
): readonly Turn[] {
  const config = chooseConfig(part)
  checkCandidates(candidates)
  const { order } = elect(group, candidates, config)
  const may = order.filter((device) => !except.includes(device))
  const line = may.includes(assigner) ? [assigner, ...may.filter((device) => device !== assigner)] : may
  return line.map((device, k) => ({ device, delayMs: k * config.staggerMs }))
}
