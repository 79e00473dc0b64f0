/** What a run asks of a device, read off its view. */

import type { RunView } from '../fold/view.js'
import { isApproved } from '../fold/waiting.js'
import type { Exclusion, RunNeeds } from './types.js'

export function needsOf(view: RunView, nowMs: number): RunNeeds {
  const { created } = view
  return {
    run: view.run,
    type: created.type,
    ...(created.project === undefined ? {} : { project: created.project }),
    priority: view.priority,
    requires: created.requires ?? [],
    prefers: created.prefers ?? [],
    privacy: created.privacy ?? [],
    creator: created.author,
    approved: isApproved(view, nowMs),
    coordinator: created.coordinator ?? false,
    minBattery: created.minBattery ?? 0,
    exclusions: exclusionsOf(view),
  }
}

/** Devices that declined or failed the run in this round: others are asked first. */
export function exclusionsOf(view: RunView): readonly Exclusion[] {
  const assignments =
    view.assignment === null ? view.previousAssignments : [...view.previousAssignments, view.assignment]
  return assignments.flatMap(({ device, round, givenUp }) => {
    const why = givenUp?.reason
    if (givenUp === null || round !== view.round || (why !== 'declined' && why !== 'failed')) return []
    return [{ device, at: givenUp.at, why }]
  })
}
