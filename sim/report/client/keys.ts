/** The keyboard, on the timeline and on the page. */
import { js } from '../source.js'

export const KEYS: string = js`
const KEYS = {
  ArrowLeft: () => pan(-0.15),
  ArrowRight: () => pan(0.15),
  '+': () => zoom(0.7),
  '=': () => zoom(0.7),
  '-': () => zoom(1 / 0.7),
  0: fit,
  f: fit,
  Home: () => look(view.fromMs - view.toMs, 0),
  End: () => look(endMs, endMs + view.toMs - view.fromMs),
  '.': () => stepDecision(1),
  ',': () => stepDecision(-1),
  Enter: () => {
    if (view.focused !== null) openRun(view.focused.run, { keepsWindow: true })
  },
}

scroller.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || KEYS[event.key] === undefined) return
  event.preventDefault()
  KEYS[event.key]()
})

scroller.addEventListener('blur', () => {
  view.focused = null
  hush()
  redraw()
})

/** Goes to the next decision, or the one before: of the chosen run, if there is one. */
function stepDecision(by) {
  const list = (view.chosen === null ? decisions : decisionsByRun.get(view.chosen)) || []
  if (list.length === 0) return
  const at = list.indexOf(view.focused)
  const next = at >= 0 ? at + by : by > 0 ? firstAt(list, view.fromMs) : firstAt(list, view.toMs) - 1
  const decision = list[Math.max(0, Math.min(list.length - 1, next))]
  view.focused = decision
  if (decision.atMs < view.fromMs || decision.atMs > view.toMs) lookAt(decision.atMs)
  showLane(laneOf(decision))
  redraw()
  tellFocused(decision)
}

function laneOf({ target, by }) {
  return laneAt.get(target) || laneAt.get(by)
}

function tellFocused(decision) {
  const { left, top } = canvas.getBoundingClientRect()
  const scene = sceneOf()
  const lane = laneOf(decision)
  if (!lane?.isShown) return
  tell(
    { kind: 'decision', decision, others: 0 },
    left + scene.xOf(decision.atMs),
    top + scene.offset + lane.top + 8,
  )
  say(
    runName(decision.run) +
      ' to ' +
      deviceName(decision.target) +
      ', ' +
      decision.reason +
      '. ' +
      decision.sentence,
  )
}

/** Scrolls until a lane can be seen. */
function showLane(lane) {
  if (!lane?.isShown) return
  const [above, below] = [lane.top, lane.top + lane.height + headHeight - scroller.clientHeight]
  if (scroller.scrollTop > above) scroller.scrollTop = above
  else if (scroller.scrollTop < below) scroller.scrollTop = Math.min(above, below)
}

document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName || '')
  if (event.key === 'Escape') {
    hush()
    if (view.chosen !== null) closeRun()
  } else if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    closeRun()
    byId('search').focus()
  }
})
`
