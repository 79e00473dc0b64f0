/** All of it in one strip: how much was worked on and waited for when, and which part is looked at. */
import { js } from '../source.js'

export const OVERVIEW: string = js`
const OVERVIEW_HEIGHT = 40
const overview = byId('overview')
/** Where a drag began: a moment, and whether it moves the window or draws a new one. */
let brushing = null

/** Bars of some states at each of a number of moments. */
function crowdOf(states, columns) {
  const changes = new Array(columns + 1).fill(0)
  const columnOf = (ms) => Math.max(0, Math.min(columns, Math.floor((ms / endMs) * columns)))
  for (const { bars } of runs) {
    for (const { state, fromMs, toMs } of bars) {
      if (!states.includes(state)) continue
      changes[columnOf(fromMs)] += 1
      changes[Math.min(columns, columnOf(toMs) + 1)] -= 1
    }
  }
  let now = 0
  return changes.slice(0, columns).map((change) => (now += change))
}

const CROWD_COLUMNS = 400
const working = crowdOf(['processing', 'claimed'], CROWD_COLUMNS)
const waiting = crowdOf(['assigned'], CROWD_COLUMNS)
const crowd = Math.max(1, ...working.map((number, column) => number + waiting[column]))

function paintOverview() {
  const width = overview.parentElement.clientWidth - byId('labels').offsetWidth
  if (width <= 0) return
  const brush = sharp(overview, width, OVERVIEW_HEIGHT)
  const xOf = (ms) => (ms / endMs) * width
  for (const { kind, fromMs, toMs } of networkRows.flat())
    drawShade(brush, kind, xOf(fromMs), 0, xOf(toMs) - xOf(fromMs), OVERVIEW_HEIGHT)
  const wide = width / CROWD_COLUMNS
  for (let column = 0; column < CROWD_COLUMNS; column++) {
    const done = (working[column] / crowd) * (OVERVIEW_HEIGHT - 4)
    const rest = (waiting[column] / crowd) * (OVERVIEW_HEIGHT - 4)
    brush.fillStyle = ink('processing')
    brush.fillRect(column * wide, OVERVIEW_HEIGHT - done, wide + 0.5, done)
    brush.fillStyle = ink('assigned')
    brush.fillRect(column * wide, OVERVIEW_HEIGHT - done - rest, wide + 0.5, rest)
  }
  brush.fillStyle = ink('calm')
  brush.fillRect(xOf(calmMs), 0, 1.5, OVERVIEW_HEIGHT)
  brush.fillStyle = ink('violation')
  for (const { atMs } of outcome.violations) brush.fillRect(xOf(atMs) - 1, 0, 2, OVERVIEW_HEIGHT)
  paintLens(brush, xOf(view.fromMs), xOf(view.toMs), width)
}
drawers.push(paintOverview)

/** What is not looked at lies in the shade. */
function paintLens(brush, from, to, width) {
  brush.globalAlpha = 0.6
  brush.fillStyle = ink('ground')
  brush.fillRect(0, 0, from, OVERVIEW_HEIGHT)
  brush.fillRect(to, 0, width - to, OVERVIEW_HEIGHT)
  brush.globalAlpha = 1
  brush.strokeStyle = ink('accent')
  brush.lineWidth = 1.5
  const left = Math.max(1, from)
  brush.strokeRect(left, 1, Math.min(width - 1, to) - left, OVERVIEW_HEIGHT - 2)
}

function overviewMs(event) {
  const { left, width } = overview.getBoundingClientRect()
  return ((event.clientX - left) / width) * endMs
}

overview.addEventListener('pointerdown', (event) => {
  const ms = overviewMs(event)
  const isWhole = view.toMs - view.fromMs > endMs * 0.98
  const isInside = ms >= view.fromMs && ms <= view.toMs && !isWhole
  brushing = { ms, fromMs: view.fromMs, toMs: view.toMs, isInside }
  overview.setPointerCapture(event.pointerId)
})
overview.addEventListener('pointermove', (event) => {
  if (brushing === null) return
  const ms = overviewMs(event)
  const { isInside, fromMs, toMs } = brushing
  if (isInside) look(fromMs + ms - brushing.ms, toMs + ms - brushing.ms)
  else if (Math.abs(ms - brushing.ms) > endMs / 200)
    look(Math.min(ms, brushing.ms), Math.max(ms, brushing.ms))
})
overview.addEventListener('pointerup', (event) => {
  const ms = overviewMs(event)
  if (brushing !== null && ms === brushing.ms) {
    const half = (view.toMs - view.fromMs) / 2
    look(ms - half, ms + half)
  }
  brushing = null
})
overview.addEventListener(
  'wheel',
  (event) => {
    event.preventDefault()
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 120), overviewMs(event))
  },
  { passive: false },
)
`
