/** The log: every line, by text, kind, device and time. */
import { js } from '../source.js'

export const LOG: string = js`
/** Lines that are shown at once. */
const LOG_ROWS = 200
let logRows = LOG_ROWS

function option(value, text) {
  return make('option', { value }, text)
}

function tally(items) {
  const counts = new Map()
  for (const item of items) counts.set(item, (counts.get(item) || 0) + 1)
  return counts
}

fill(
  byId('log-kind'),
  option('', 'all kinds'),
  [...tally(entries.map(({ kind }) => kind))].map(([kind, number]) =>
    option(kind, kind + ' (' + count(number) + ')'),
  ),
)
fill(
  byId('log-device'),
  option('', 'all devices'),
  option('network', 'network'),
  devices.map(({ place, name }) => option(String(place), name)),
)

function filtered() {
  const kind = byId('log-kind').value
  const device = byId('log-device').value
  const isWindowed = byId('log-window').checked
  const wanted = wordsOf(byId('log-text').value)
  return entries.filter(
    (entry) =>
      (kind === '' || entry.kind === kind) &&
      (device === '' || device === (entry.place === null ? 'network' : String(entry.place))) &&
      (!isWindowed || (entry.atMs >= view.fromMs && entry.atMs <= view.toMs)) &&
      (wanted.length === 0 || fits(entry, wanted)),
  )
}

function fits({ text, run, kind }, wanted) {
  const all = (text + ' ' + kind + ' ' + (run === null ? '' : runName(run) + ' ' + run)).toLowerCase()
  return wanted.every((word) => all.includes(word))
}

function listLog() {
  const found = filtered()
  const rest = found.length - logRows
  byId('log-found').textContent = count(found.length) + ' of ' + plural(entries.length, 'line', 'lines')
  byId('log-more').hidden = rest <= 0
  byId('log-more').textContent = 'Show more (' + count(rest) + ')'
  fill(byId('log-rows'), found.slice(0, logRows).map(logRow))
}

function logRow({ atMs, place, kind, run, text }) {
  const link =
    run === null
      ? null
      : make('button', { type: 'button', class: 'moment', onclick: () => openRun(run, {}) }, runName(run))
  return make(
    'tr',
    { class: kind === 'violation' ? 'is-violation' : null },
    make('td', null, momentLink(atMs)),
    make('td', null, deviceName(place)),
    make('td', { class: 'kind' }, kind),
    make('td', null, link),
    make('td', null, text),
  )
}

function relist() {
  logRows = LOG_ROWS
  listLog()
}
for (const id of ['log-kind', 'log-device', 'log-window']) byId(id).addEventListener('change', relist)
byId('log-text').addEventListener('input', whenQuiet(relist))
byId('log-more').addEventListener('click', () => {
  logRows += LOG_ROWS * 5
  listLog()
})

/** While the window of time moves, the log follows once it stands still. */
const followWindow = whenQuiet(relist)
let followed = ''
drawers.push(() => {
  const now = view.fromMs + ' ' + view.toMs
  if (now === followed) return
  followed = now
  if (byId('log-window').checked) followWindow()
})
`
