/** An outcome, and what went wrong, for people. */
import { timeOf } from '../log.js'
import { INVARIANTS } from '../oracles/names.js'
import type { Outcome, Percentiles, Violation } from '../outcome.js'
import { bytesText, countsText, countText, plural, timeText } from './format.js'
import { paragraph, rows } from './layout.js'
import type { Paint } from './paint.js'

/** Violations that are shown: the first says most. */
const SHOWN = 5

export function outcomeText(outcome: Outcome, paint: Paint): string {
  const { parameters, messagesByKind: kinds } = outcome
  const { intervalMs, timeoutMs } = parameters.heartbeat
  const pairs: readonly (readonly [string, string])[] = [
    ['seed', String(outcome.seed)],
    ['simulated', `${timeText(outcome.simulatedMs)}, of which ${timeText(parameters.lastsMs)} with faults`],
    ['devices', `${parameters.devices}, heartbeat ${timeText(intervalMs)}, timeout ${timeText(timeoutMs)}`],
    [
      'runs',
      `${countText(outcome.runs)}: ${countText(outcome.completed)} completed, ${countText(outcome.failed)} failed, ` +
        `${countText(outcome.cancelled)} cancelled, ${countText(outcome.waiting)} waiting`,
    ],
    ['starts', `${countText(outcome.starts)}, ${plural(outcome.doubleExecutions, 'double execution')}`],
    ['delay', percentilesText(outcome.delays)],
    ['pickup', percentilesText(outcome.pickups)],
    ['assignments', countsText(outcome.decisions)],
    [
      'messages',
      `${countText(outcome.messages)}, ${bytesText(outcome.bytes)}: ${plural(kinds.batches, 'batch', 'batches')}, ` +
        `${plural(kinds.beacons, 'beacon')}, ${plural(kinds.frames, 'frame')}`,
    ],
    ['records', `${countText(outcome.records)}, ${bytesText(outcome.journalBytes)} in journals`],
    ['events', countText(outcome.events)],
    ['digest', outcome.digest],
    ['log digest', outcome.logDigest],
  ]
  const title = outcome.title === null ? '' : `${paragraph(outcome.title)}\n`
  return `${title}${rows(pairs)}\n${verdict(outcome.violations, paint)}`
}

/** Half, nine of ten and ninety-nine of a hundred were not longer. */
function percentilesText({ p50, p90, p99 }: Percentiles): string {
  return `p50 ${timeText(p50)}, p90 ${timeText(p90)}, p99 ${timeText(p99)}`
}

function verdict(violations: readonly Violation[], paint: Paint): string {
  if (violations.length === 0) return paint.good('No invariant was violated.\n')
  const more = violations.length > SHOWN ? `and ${violations.length - SHOWN} more\n` : ''
  return `${violations
    .slice(0, SHOWN)
    .map((violation) => violationText(violation, paint))
    .join('\n')}${more}`
}

/** Which invariant, when and where, its law, and what was seen. */
export function violationText({ invariant, atMs, place, run, message }: Violation, paint: Paint): string {
  const where = `${place === null ? '' : `, device ${place}`}${run === null ? '' : `, run ${run}`}`
  return [
    `${paint.bad(`violated: ${invariant}`)} at ${timeOf(atMs)}${where}\n`,
    paragraph(INVARIANTS[invariant], '  '),
    paragraph(message, '  '),
  ].join('')
}
