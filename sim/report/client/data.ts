/** The trace, unpacked, and what is looked up in it. `pack.ts` says how it is packed. */
import { js } from '../source.js'

export const DATA: string = js`
/** @type {any} */
const packed = JSON.parse(byId('trace').textContent)
const { outcome, devices, spans, runs, words, partNames, calmMs, endMs } = packed

const entries = packed.entries.map(([atMs, place, kind, run, text]) => ({
  atMs,
  place: place < 0 ? null : place,
  kind: words[kind],
  run: run < 0 ? null : words[run],
  text: words[text],
}))

const decisions = packed.decisions.map(([atMs, by, run, target, reason, sentence, candidates]) => ({
  atMs,
  by,
  run: words[run],
  target,
  reason: words[reason],
  sentence: words[sentence],
  candidates,
}))
decisions.sort((a, b) => a.atMs - b.atMs)

const runById = new Map(runs.map((run) => [run.id, run]))
const deviceAt = new Map(devices.map((device) => [device.place, device]))
const decisionsByRun = grouped(decisions, ({ run }) => run)
const entriesByRun = grouped(
  entries.filter(({ run }) => run !== null),
  ({ run }) => run,
)

function grouped(items, keyOf) {
  const groups = new Map()
  for (const item of items) {
    const key = keyOf(item)
    if (groups.has(key)) groups.get(key).push(item)
    else groups.set(key, [item])
  }
  return groups
}

function deviceName(place) {
  if (place === null) return 'network'
  const device = deviceAt.get(place)
  return device === undefined ? 'a stranger' : device.name
}

/** Candidates of a decision as plain objects, best first, those with a shut gate last. */
function candidatesOf(decision) {
  const open = decision.candidates.map(([place, score, parts, gates]) => ({
    place,
    score,
    parts,
    gates: gates.map((gate) => words[gate]),
    isChosen: place === decision.target,
  }))
  return open.sort((a, b) => rankOf(b) - rankOf(a))
}

function rankOf({ score, isChosen }) {
  return isChosen ? Infinity : score === null ? -Infinity : score
}

/** The place in a list, sorted by 'atMs', of the first item at or after a moment. */
function firstAt(items, ms) {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (items[middle].atMs < ms) low = middle + 1
    else high = middle
  }
  return low
}
`
