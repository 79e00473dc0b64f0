/** Chooses the device for a run: gates, then the score. Pure: the same inputs in any order give the same decision. */
import { compareBytes } from '../cbor.js'
import type { DeviceId } from '../ids.js'
import { checkCandidates, chooseConfig } from './config.js'
import { type Election, elect, ties } from './elect.js'
import { failedGates, usedSlots } from './gates.js'
import type {
  Candidate,
  CandidateVerdict,
  ChooseConfig,
  ChooseInput,
  ChooseWeights,
  Decision,
  RunNeeds,
  ScoreParts,
} from './types.js'

/** Thousandths in a point. */
const POINT = 1000

/**
 * Which device shall do this run, and why; a dry run is the same call.
 *
 * @example
 * ```ts
 * const { winner, sentence } = choose({ group, run: needsOf(view, nowMs), candidates, nowMs })
 * ```
 */
export function choose(input: ChooseInput, part: Partial<ChooseConfig> = {}): Decision {
  const config = chooseConfig(part)
  checkCandidates(input.candidates)
  const election = elect(input.group, input.candidates, config)
  const verdicts = input.candidates.map((candidate) => judge(input, candidate, election, config))
  const ordered = orderVerdicts(input, verdicts)
  const passing = ordered.filter(({ score }) => score !== null)
  const { winner, rule } = pick(input, passing, election.coordinator)
  return {
    run: input.run.run,
    winner,
    rule,
    coordinator: election.coordinator,
    candidates: ordered,
    sentence: explain(input, rule, winner, passing),
  }
}

function judge(
  input: ChooseInput,
  candidate: Candidate,
  election: Election,
  config: ChooseConfig,
): CandidateVerdict {
  const gates = failedGates(input, candidate, config)
  const rank = election.ranks.get(candidate.device) ?? 0
  const parts = gates.length === 0 ? scoreParts(input.run, candidate, rank, config.weights) : null
  const score = parts === null ? null : parts.load + parts.quality + parts.rank + parts.capability
  return { device: candidate.device, gates, score, parts, rank }
}

function scoreParts(run: RunNeeds, candidate: Candidate, rank: number, weights: ChooseWeights): ScoreParts {
  return {
    load: points(weights.load, 1 - loadOf(candidate)),
    quality: points(weights.quality, candidate.quality),
    rank: points(weights.rank, rank),
    capability: points(weights.capability, shareOfPreferred(run, candidate)),
  }
}

function points(weight: number, share: number): number {
  return Math.floor(weight * POINT * share + 0.5)
}

/** The share of slots in use or promised, or how busy the machine is, whichever is more. */
export function loadOf(candidate: Candidate): number {
  const used = candidate.slots === 0 ? 1 : Math.min(1, usedSlots(candidate) / candidate.slots)
  return Math.max(used, candidate.beacon?.load ?? 0)
}

function shareOfPreferred({ prefers }: RunNeeds, { capabilities }: Candidate): number {
  if (prefers.length === 0) return 1
  return prefers.filter((name) => capabilities.includes(name)).length / prefers.length
}

function orderVerdicts(
  { run }: ChooseInput,
  verdicts: readonly CandidateVerdict[],
): readonly CandidateVerdict[] {
  const tie = ties(run.run)
  return [...verdicts].sort((a, b) => {
    if (a.score !== null && b.score !== null && a.score === b.score) {
      return compareBytes(tie(b.device), tie(a.device))
    }
    if (a.score === null && b.score === null) return a.device < b.device ? -1 : 1
    return (b.score ?? -1) - (a.score ?? -1)
  })
}

function pick(
  { run, local }: ChooseInput,
  passing: readonly CandidateVerdict[],
  coordinator: DeviceId | null,
): Pick<Decision, 'winner' | 'rule'> {
  const passes = (device: DeviceId): boolean => passing.some((verdict) => verdict.device === device)
  if (run.coordinator && coordinator !== null && passes(coordinator))
    return { winner: coordinator, rule: 'coordinator' }
  if (local?.willing && passes(local.device)) return { winner: local.device, rule: 'local' }
  const best = passing[0]
  return best === undefined ? { winner: null, rule: 'nobody' } : { winner: best.device, rule: 'score' }
}

function explain(
  input: ChooseInput,
  rule: Decision['rule'],
  winner: DeviceId | null,
  passing: readonly CandidateVerdict[],
): string {
  const of = `${passing.length} of ${input.candidates.length} devices can take it`
  const name = input.candidates.find(({ device }) => device === winner)?.name ?? winner
  switch (rule) {
    case 'nobody':
      return `No device can take it now (${input.candidates.length} looked at).`
    case 'coordinator':
      return `${name} is the coordinator, and the run asks for it; ${of}.`
    case 'local':
      return `${name} created it and keeps it; ${of}.`
    case 'score': {
      const { score, parts } = passing[0] as CandidateVerdict
      const { load, quality, rank, capability } = parts as ScoreParts
      const sum = `load ${shown(load)} + connection ${shown(quality)} + rank ${shown(rank)} + capability ${shown(capability)}`
      return `${name} has the best score, ${shown(score ?? 0)} (${sum}); ${of}.`
    }
  }
}

function shown(thousandths: number): string {
  return (thousandths / POINT).toFixed(1)
}
