/** Mouse, pen, finger and wheel on the timeline. */
import { js } from '../source.js'

export const POINTER: string = js`
/** Pixels from which a press is a drag and no click. */
const DRAG = 4
/** The drag that is going on. */
let drag = null

function pointOf(event) {
  const { left, top } = canvas.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}

canvas.addEventListener('pointerdown', (event) => {
  if (event.button !== 0) return
  const { x, y } = pointOf(event)
  drag = {
    x,
    y,
    isRange: event.shiftKey || y < AXIS_HEIGHT,
    isMoving: false,
    startMs: sceneOf().msOf(x),
    fromMs: view.fromMs,
    toMs: view.toMs,
    scrollTop: scroller.scrollTop,
  }
  canvas.setPointerCapture(event.pointerId)
})

canvas.addEventListener('pointermove', (event) => {
  const { x, y } = pointOf(event)
  view.pointerMs = sceneOf().msOf(x)
  if (drag === null) hover(event, x, y)
  else dragTo(x, y)
  redraw()
})

function dragTo(x, y) {
  if (!drag.isMoving && Math.hypot(x - drag.x, y - drag.y) < DRAG) return
  drag.isMoving = true
  hush()
  canvas.classList.add('is-dragging')
  if (drag.isRange) {
    view.range = [drag.startMs, view.pointerMs]
    return
  }
  const by = (drag.x - x) / sceneOf().scale
  look(drag.fromMs + by, drag.toMs + by)
  scroller.scrollTop = drag.scrollTop + drag.y - y
}

function hover(event, x, y) {
  const hit = hitAt(x, y)
  view.hovered = runOfHit(hit)
  view.focused = null
  canvas.classList.toggle('is-over', view.hovered !== null)
  canvas.classList.toggle('is-axis', hit === null && y < AXIS_HEIGHT)
  if (hit === null) hush()
  else tell(hit, event.clientX, event.clientY)
}

canvas.addEventListener('pointerup', (event) => {
  const { x, y } = pointOf(event)
  const done = drag
  stopDragging()
  if (done === null) return
  if (!done.isMoving) click(hitAt(x, y))
  else if (done.isRange) look(Math.min(done.startMs, view.pointerMs), Math.max(done.startMs, view.pointerMs))
})

function click(hit) {
  if (hit === null) return
  if (hit.kind === 'violation') go(linkToViolation(hit.violation))
  else if (runOfHit(hit) !== null) openRun(runOfHit(hit), { keepsWindow: true })
}

function stopDragging() {
  drag = null
  view.range = null
  canvas.classList.remove('is-dragging')
  redraw()
}
canvas.addEventListener('pointercancel', stopDragging)

canvas.addEventListener('pointerleave', () => {
  view.pointerMs = null
  view.hovered = null
  hush()
  redraw()
})

canvas.addEventListener('dblclick', (event) => {
  const { x, y } = pointOf(event)
  if (runOfHit(hitAt(x, y)) === null) zoom(0.5, sceneOf().msOf(x))
})

/** Without a key the wheel scrolls the page, as everywhere; on the axis it has nothing else to do. */
canvas.addEventListener(
  'wheel',
  (event) => {
    const { x, y } = pointOf(event)
    const isZoom = event.ctrlKey || event.metaKey || event.altKey || y < headHeight
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
    if (!isZoom && !isSideways) return
    event.preventDefault()
    const by = isSideways ? event.deltaX || event.deltaY : event.deltaY
    if (isZoom && !isSideways) zoom(Math.exp(Math.max(-60, Math.min(60, by)) / 120), sceneOf().msOf(x))
    else pan(by / sceneOf().width)
  },
  { passive: false },
)
`
