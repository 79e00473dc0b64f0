/** Opening and closing a run, and links to it: `#run=<id>`, `#at=<ms>`, or both. */
import { js } from '../source.js'

export const LINKS: string = js`
/** Where the focus was before a run was opened. */
let opener = null

/** The panel stands under the timeline, not beside it. */
const isNarrow = matchMedia('(max-width: 1080px)')

/** Goes to a link of this page. The address follows, where it may: a page in a frame without rights still works. */
function go(link, options) {
  try {
    history.pushState(null, '', link)
  } catch {
    // The address stays as it is.
  }
  follow(link, options || {})
}

function openRun(id, options) {
  if (view.chosen === null) opener = document.activeElement
  go('#' + new URLSearchParams({ run: id }), options)
}

function closeRun() {
  if (view.chosen === null) return
  go('#', {})
  if (opener?.isConnected) opener.focus({ preventScroll: true })
  opener = null
}

/**
 * Shows what a link is about.
 * @param {string} link
 * @param {{ keepsWindow?: boolean }} options
 */
function follow(link, { keepsWindow }) {
  const wanted = new URLSearchParams(link.replace(/^#/, ''))
  const run = runById.get(wanted.get('run'))
  const at = wanted.has('at') ? Number(wanted.get('at')) : NaN
  view.chosen = run === undefined ? null : run.id
  view.focused = null
  relayout()
  if (run === undefined) {
    panel.hidden = true
    byId('runs').hidden = false
  } else {
    showPanel(run)
    panel.focus({ preventScroll: true })
    if (isNarrow.matches) panel.scrollIntoView({ block: 'nearest' })
    say(run.name + ', ' + run.state + '. ' + run.sentences.join(' '))
    if (!keepsWindow) frameRun(run)
  }
  if (!Number.isNaN(at)) pointTo(at)
  redraw()
}

/** Moves the timeline to where a run was. */
function frameRun(run) {
  const stints = stintsByRun.get(run.id)
  const ends = stints.map(({ toMs }) => toMs)
  lookAround(run.createdMs, Math.max(run.createdMs, run.endedMs === null ? 0 : run.endedMs, ...ends))
  const rows = stints.filter(({ place }) => laneAt.get(place)?.isShown).map(middleOf)
  if (rows.length === 0) return
  const [top, bottom] = [Math.min(...rows), Math.max(...rows)]
  const room = scroller.clientHeight - headHeight
  const [seenFrom, seenTo] = [scroller.scrollTop, scroller.scrollTop + room]
  // If both ends do not fit, the first counts.
  if (top < seenFrom || bottom > seenTo)
    scroller.scrollTop = Math.min(top - 30, Math.max((top + bottom - room) / 2, 0))
}

window.addEventListener('hashchange', () => follow(location.hash, {}))
`
