/** Finding a run: a box, and the runs that fit what stands in it. */
import { js } from '../source.js'

export const RUN_LIST: string = js`
/** Runs that are listed at once. */
const LISTED = 100
const search = byId('search')
const runList = byId('run-list')
let listed = LISTED

/** All that a run can be found by, in small letters. */
const runTexts = new Map(runs.map((run) => [run.id, textOf(run)]))

function textOf(run) {
  const stints = stintsByRun.get(run.id)
  const places = [...new Set(stints.map(({ place }) => place))]
  return [
    run.name,
    run.id,
    run.type,
    run.state,
    ...places.map(deviceName),
    ...stints.map(({ end }) => end || ''),
    ...run.sentences,
    places.length > 1 ? 'moved' : '',
    run.conflicts > 0 ? 'conflict' : '',
  ]
    .join(' ')
    .toLowerCase()
}

/** Every word has to occur. */
function wordsOf(text) {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}

function listRuns() {
  const wanted = wordsOf(search.value)
  const found = runs.filter((run) => wanted.every((word) => runTexts.get(run.id).includes(word)))
  byId('found').textContent =
    wanted.length === 0 ? count(runs.length) : count(found.length) + ' of ' + count(runs.length)
  const rest = found.length - listed
  const more = () => {
    listed += LISTED * 2
    listRuns()
  }
  fill(
    runList,
    found.slice(0, listed).map(runRow),
    rest > 0
      ? make(
          'li',
          null,
          make('button', { type: 'button', class: 'more', onclick: more }, 'Show more (' + count(rest) + ')'),
        )
      : null,
    found.length === 0 ? make('li', { class: 'empty' }, 'No run fits.') : null,
  )
}

function runRow(run) {
  const places = [...new Set(stintsByRun.get(run.id).map(({ place }) => place))]
  return make(
    'li',
    null,
    make(
      'button',
      { type: 'button', class: 'run', 'data-run': run.id, onclick: () => openRun(run.id, {}) },
      stateChip(run.state),
      make('span', { class: 'run-name' }, run.name),
      make('span', { class: 'run-time' }, clock(run.createdMs, false)),
      make(
        'span',
        { class: 'run-where' },
        run.type + (places.length === 0 ? '' : ' · ' + places.map(deviceName).join(' → ')),
      ),
    ),
  )
}

const STATE_SIGNS = {
  completed: '✓',
  failed: '✗',
  cancelled: '⊘',
  processing: '▶',
  claimed: '◐',
  assigned: '○',
}

/** A state with its sign and colour. */
function stateChip(state) {
  const isKnown = STATE_SIGNS[state] !== undefined
  return make(
    'span',
    { class: 'chip' + (isKnown ? ' is-' + state : '') },
    (isKnown ? STATE_SIGNS[state] + ' ' : '') + state,
  )
}

search.addEventListener(
  'input',
  whenQuiet(() => {
    listed = LISTED
    listRuns()
  }),
)

/** Arrows go through the list; from the first row up, back to the box. */
byId('runs').addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const rows = [...runList.querySelectorAll('button')]
  const next = rows.findIndex((row) => row === document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)
  event.preventDefault()
  if (next < 0) search.focus()
  else if (next < rows.length) rows[next].focus()
})
search.addEventListener('keydown', (event) => {
  const first = runList.querySelector('button')
  if (event.key === 'Enter' && first !== null) first.click()
})
`
