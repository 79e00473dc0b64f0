/** What came out, above all else: the verdict, the totals, and how to play it again. */
import { js } from '../source.js'

export const HEADER: string = js`
const { violations, parameters } = outcome
byId('title').textContent = outcome.title === null ? 'Simulation' : outcome.title
byId('facts').textContent =
  'seed ' +
  outcome.seed +
  ' · ' +
  plural(devices.length, 'device', 'devices') +
  ' · ' +
  duration(outcome.simulatedMs) +
  ' · heartbeat ' +
  duration(parameters.heartbeat.intervalMs) +
  ', timeout ' +
  duration(parameters.heartbeat.timeoutMs)
byId('verdict').textContent =
  violations.length === 0 ? '✓ no violation' : '✗ ' + plural(violations.length, 'violation', 'violations')
byId('verdict').classList.add(violations.length === 0 ? 'is-good' : 'is-bad')

/** To its moment, and to its run if it is about one. */
function linkToViolation({ atMs, run }) {
  const link = new URLSearchParams()
  if (run !== null && runById.has(run)) link.set('run', run)
  link.set('at', String(atMs))
  return '#' + link
}

byId('violations').hidden = violations.length === 0
fill(
  byId('violations'),
  violations.map((violation) =>
    make(
      'li',
      null,
      make('a', { href: linkToViolation(violation), onclick: followViolation }, clock(violation.atMs, true)),
      make('b', null, violation.invariant),
      make('span', { class: 'meta' }, whereOf(violation)),
      make('span', null, violation.message),
    ),
  ),
)

/** Also if the address stands there already, and the timeline has moved on since. */
function followViolation(event) {
  event.preventDefault()
  go(event.currentTarget.getAttribute('href'), {})
  scroller.scrollIntoView({ block: 'nearest' })
}

function whereOf({ place, run }) {
  const where = place === null ? [] : [deviceName(place)]
  return where.concat(run === null ? [] : [runName(run)]).join(' · ')
}

/** A small table: a name and rows of [what, how much]. */
function total(name, rows) {
  const cells = rows.map(([what, much, isBad]) =>
    make('tr', null, make('th', { scope: 'row' }, what), make('td', { class: isBad ? 'bad' : null }, much)),
  )
  return make('table', null, make('caption', null, name), make('tbody', null, cells))
}

const { delays, pickups, messagesByKind, published } = outcome
fill(
  byId('totals'),
  total('Runs', [
    ['submitted', count(outcome.runs)],
    ['completed', count(outcome.completed)],
    ['failed', count(outcome.failed), outcome.failed > 0],
    ['cancelled', count(outcome.cancelled)],
    ['waiting', count(outcome.waiting)],
  ]),
  total('Work', [
    ['starts', count(outcome.starts)],
    ['double executions', count(outcome.doubleExecutions), outcome.doubleExecutions > 0],
    ['accepted results', count(outcome.acceptedResults)],
  ]),
  total('Until the result', [
    ['p50', duration(delays.p50)],
    ['p90', duration(delays.p90)],
    ['p99', duration(delays.p99)],
  ]),
  total('Until the first start', [
    ['p50', duration(pickups.p50)],
    ['p90', duration(pickups.p90)],
    ['p99', duration(pickups.p99)],
  ]),
  total(
    'Decisions',
    Object.entries(outcome.decisions).map(([reason, times]) => [reason, count(times)]),
  ),
  total('Messages, hop by hop', [
    ['all', count(outcome.messages)],
    ['batches', count(messagesByKind.batches)],
    ['beacons', count(messagesByKind.beacons)],
    ['frames', count(messagesByKind.frames)],
    ['bytes', bytesText(outcome.bytes)],
  ]),
  total('Written', [
    ['records', count(outcome.records)],
    ['journals', bytesText(outcome.journalBytes)],
    ['batches published', count(published.batches)],
    ['beacons published', count(published.beacons)],
  ]),
)

const replay = byId('replay')
replay.textContent = packed.replay

function copied() {
  byId('copy').textContent = 'Copied'
  setTimeout(() => (byId('copy').textContent = 'Copy'), 1500)
}

/** Where a page may not reach the clipboard, the text is chosen, to be copied by hand. */
function chooseReplay() {
  getSelection().selectAllChildren(replay)
  if (document.execCommand('copy')) copied()
}

byId('copy').addEventListener('click', () => {
  if (navigator.clipboard === undefined) chooseReplay()
  else navigator.clipboard.writeText(packed.replay).then(copied, chooseReplay)
})
`
