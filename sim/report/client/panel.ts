/** One run, wholly: where it stands, who had it, why, and what the log says. */
import { js } from '../source.js'

export const PANEL: string = js`
/** Entries and decisions of a run that are listed at once. */
const PANEL_ROWS = 60
const panel = byId('panel')

function showPanel(run) {
  fill(
    panel,
    make(
      'div',
      { class: 'bar' },
      make('h2', null, run.name),
      make(
        'button',
        { type: 'button', class: 'close', title: 'Close (Esc)', 'aria-label': 'Close', onclick: closeRun },
        '×',
      ),
    ),
    make('p', { class: 'panel-facts' }, stateChip(run.state), make('code', null, run.id)),
    factsOf(run),
    make(
      'ul',
      { class: 'sentences' },
      run.sentences.map((sentence) => make('li', null, sentence)),
    ),
    make('button', { type: 'button', onclick: () => frameRun(run) }, 'Show in the timeline'),
    part('Who had it', stintsByRun.get(run.id), stintItem),
    part('Decisions', decisionsByRun.get(run.id) || [], decisionItem),
    part('Log', entriesByRun.get(run.id) || [], entryItem),
  )
  panel.hidden = false
  byId('runs').hidden = true
  panel.scrollTop = 0
}

function factsOf(run) {
  const facts = [
    ['type', run.type],
    ['priority', String(run.priority)],
    ['by', deviceName(run.creator)],
    ['submitted', clock(run.createdMs, true)],
    [
      'ended',
      run.endedMs === null
        ? 'not yet'
        : clock(run.endedMs, true) + ', after ' + duration(run.endedMs - run.createdMs),
    ],
    ['starts', count(run.starts)],
    ['conflicts', count(run.conflicts)],
  ]
  return make(
    'dl',
    null,
    facts.flatMap(([name, value]) => [make('dt', null, name), make('dd', null, value)]),
  )
}

/** Who had it when: each stint with its states, one after the other, and how it ended. */
function stintItem(stint) {
  const bars = stint.bars.map((bar) =>
    make(
      'span',
      { class: 'bar-state is-' + (BARS[bar.state] === undefined ? 'assigned' : bar.state) },
      bar.state + ' ' + duration(bar.toMs - bar.fromMs),
    ),
  )
  const isBad = stint.end === 'failed' || stint.end === 'crashed'
  return make(
    'li',
    { class: 'stint' },
    momentLink(stint.fromMs),
    make('b', null, deviceName(stint.place)),
    make('span', { class: 'meta' }, 'fence ' + stint.bars[stint.bars.length - 1].fence),
    make(
      'span',
      { class: 'stint-bars' },
      bars,
      make('span', { class: isBad ? 'bad' : null }, stint.end === null ? '…' : '→ ' + stint.end),
    ),
  )
}

/** A heading, and as many items as are asked for. */
function part(name, items, itemOf) {
  if (items.length === 0) return []
  const list = make('ol', { class: 'items' })
  const more = make('button', { type: 'button', class: 'more', onclick: () => show() })
  let shown = 0
  function show() {
    list.append(...items.slice(shown, shown + PANEL_ROWS).map(itemOf))
    shown = Math.min(items.length, shown + PANEL_ROWS)
    more.textContent = 'Show more (' + count(items.length - shown) + ')'
    more.hidden = shown === items.length
  }
  show()
  return [make('h3', null, name + ' (' + count(items.length) + ')'), list, more]
}

function decisionItem(decision) {
  return make(
    'li',
    { class: 'decision' },
    make('b', null, deviceName(decision.by) + ' → ' + deviceName(decision.target)),
    decisionParts(decision, 12),
  )
}

function entryItem({ atMs, place, kind, text }) {
  return make(
    'li',
    { class: 'entry' },
    momentLink(atMs),
    make('span', { class: 'kind' + (kind === 'violation' ? ' bad' : '') }, deviceName(place) + ' · ' + kind),
    make('span', null, text),
  )
}

/** A time that leads to its moment in the timeline. */
function momentLink(ms) {
  return make(
    'button',
    { type: 'button', class: 'moment', title: 'Show this moment', onclick: () => pointTo(ms) },
    clock(ms, true),
  )
}

function pointTo(ms) {
  lookAt(ms)
  view.pointerMs = ms
}
`
