/** Says what is under the pointer, or under the keyboard. */
import { js } from '../source.js'

export const TOOLTIP: string = js`
const tooltip = byId('tooltip')
/** Candidates in a tooltip: the panel of the run has them all. */
const FEW_CANDIDATES = 8

const TELLERS = {
  decision: ({ decision, others }) => [
    make('h3', null, runName(decision.run) + ' → ' + deviceName(decision.target)),
    ...decisionParts(decision, FEW_CANDIDATES),
    others > 0
      ? make('p', { class: 'rest' }, plural(others, 'more decision', 'more decisions') + ' here: zoom in')
      : null,
  ],
  stint: ({ stint, bar }) => [
    make('h3', null, stint.run.name),
    make(
      'p',
      { class: 'meta' },
      stint.run.type + ' · ' + stint.run.state + ' · priority ' + stint.run.priority,
    ),
    make(
      'p',
      null,
      bar.state +
        ' on ' +
        deviceName(bar.place) +
        ' for ' +
        duration(bar.toMs - bar.fromMs) +
        ', fence ' +
        bar.fence,
    ),
    make('p', { class: 'meta' }, clock(bar.fromMs, true) + ' – ' + clock(bar.toMs, true)),
    stint.end === null ? null : make('p', null, 'ended: ' + stint.end),
    make('p', { class: 'rest' }, 'Click opens the run'),
  ],
  span: ({ span }) => [
    make(
      'h3',
      null,
      (SHADES[span.kind] || SHADES.absent).name + (span.place === null ? '' : ': ' + deviceName(span.place)),
    ),
    make(
      'p',
      { class: 'meta' },
      clock(span.fromMs, true) +
        ' – ' +
        clock(span.toMs, true) +
        ' (' +
        duration(span.toMs - span.fromMs) +
        ')',
    ),
    span.text === '' ? null : make('p', null, span.text),
    ...(span.sides || []).map((side, index) =>
      make('p', null, sideName(index) + ': ' + side.map(deviceName).join(', ')),
    ),
  ],
  violation: ({ violation }) => [
    make('h3', { class: 'bad' }, violation.invariant),
    make('p', { class: 'meta' }, clock(violation.atMs, true) + ' · ' + deviceName(violation.place)),
    make('p', null, violation.message),
  ],
}

/** Shows it beside a point of the window, wholly within it. */
function tell(hit, x, y) {
  fill(tooltip, TELLERS[hit.kind](hit))
  tooltip.hidden = false
  const { width, height } = tooltip.getBoundingClientRect()
  const [right, bottom] = [document.documentElement.clientWidth - width - 8, window.innerHeight - height - 8]
  const left = x + 16 > right ? x - width - 12 : x + 16
  tooltip.style.left = Math.max(8, Math.min(left, right)) + 'px'
  tooltip.style.top = Math.max(8, Math.min(y + 14, bottom)) + 'px'
}

function hush() {
  tooltip.hidden = true
}

/** For those who listen. */
function say(text) {
  byId('spoken').textContent = text
}
`
