/** What is looked at: a window of time, the chosen run, what is shown. Whoever changes it calls `redraw`. */
import { js } from '../source.js'

export const VIEW: string = js`
/** Milliseconds that can be spread over the whole width. */
const CLOSEST = 50

/** What is drawn besides bars, at first. */
const shownAtFirst = { decisions: true, moves: true, records: false, beacons: false }

const view = {
  fromMs: 0,
  toMs: endMs,
  /** Id of the run that is open. */
  chosen: null,
  /** Id of the run under the pointer. */
  hovered: null,
  /** The decision that the keyboard is at. */
  focused: null,
  /** The moment under the pointer. */
  pointerMs: null,
  /** The range that is being drawn: [from, to]. */
  range: null,
  /** Only lanes of devices that had the chosen run are shown. */
  isNarrowed: false,
  density: fittingDensity(shownAtFirst),
  shown: shownAtFirst,
}

const drawers = []
let isDrawing = false

/** Draws all at the next frame, however often it is asked to. */
function redraw() {
  if (isDrawing) return
  isDrawing = true
  requestAnimationFrame(() => {
    isDrawing = false
    for (const draw of drawers) draw()
  })
}

/** A little more than all of it, so that what ends last can be seen to end. */
function wholeTime() {
  const margin = endMs * 0.01
  return { fromMs: -margin, toMs: endMs + margin }
}

function look(fromMs, toMs) {
  const whole = wholeTime()
  const length = Math.min(Math.max(toMs - fromMs, CLOSEST), whole.toMs - whole.fromMs)
  const middle = (fromMs + toMs) / 2
  const from = Math.min(Math.max(middle - length / 2, whole.fromMs), whole.toMs - length)
  view.fromMs = from
  view.toMs = from + length
  redraw()
}

function fit() {
  const { fromMs, toMs } = wholeTime()
  look(fromMs, toMs)
}

/** Zooms so that the moment stays where it is. */
function zoom(factor, atMs) {
  const around = atMs === undefined ? (view.fromMs + view.toMs) / 2 : atMs
  const length = Math.min(Math.max((view.toMs - view.fromMs) * factor, CLOSEST), endMs * 1.02)
  const share = (around - view.fromMs) / (view.toMs - view.fromMs)
  look(around - share * length, around + (1 - share) * length)
}

/** Pans by a share of what is seen. */
function pan(share) {
  const by = (view.toMs - view.fromMs) * share
  look(view.fromMs + by, view.toMs + by)
}

/** Shows a moment with what was around it. */
function lookAt(ms) {
  const length = Math.min(view.toMs - view.fromMs, endMs / 6)
  look(ms - length / 2, ms + length / 2)
}

/** Shows a time with some of what was before and after. */
function lookAround(fromMs, toMs) {
  const length = Math.max((toMs - fromMs) * 1.5, endMs / 30)
  const middle = (fromMs + toMs) / 2
  look(middle - length / 2, middle + length / 2)
}
`
