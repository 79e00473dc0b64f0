/** Paints what devices did: the bars of runs, where they moved on, decisions, records and beacons. */
import { js } from '../source.js'

export const PAINT_RUNS: string = js`
/** With more moves than this in sight, only those of the chosen and the hovered run are drawn. */
const MANY_MOVES = 250

/** The run that stands out, if one does. */
function isMarked(id) {
  return id === view.chosen || id === view.hovered
}

function paintStints(brush, scene, lane) {
  const top = lane.top + lane.rowsTop + scene.offset
  for (const [row, stints] of lane.rows.entries()) {
    const y = top + row * lane.rowHeight
    if (y > scene.height || y + lane.rowHeight < headHeight) continue
    for (const stint of stints) {
      if (stint.fromMs > view.toMs) break
      if (stint.toMs >= view.fromMs) paintStint(brush, scene, stint, y, lane.rowHeight)
    }
  }
  brush.globalAlpha = 1
}

function paintStint(brush, scene, stint, y, height) {
  brush.globalAlpha = view.chosen === null || isMarked(stint.run.id) ? 1 : 0.25
  for (const bar of stint.bars) {
    const { x, wide } = stretch(scene, bar)
    drawBar(brush, bar.state, x, y, wide, height)
  }
  const { x, wide } = stretch(scene, stint)
  if (isMarked(stint.run.id)) {
    brush.strokeStyle = ink('text')
    brush.lineWidth = stint.run.id === view.chosen ? 2 : 1
    brush.strokeRect(x - 1, y - 0.5, wide + 2, height + 1)
  }
  if (stint.end !== null) paintEnd(brush, scene, stint, y + height / 2, height)
  if (height >= 12) paintName(brush, scene, stint, y + height / 2)
}

/** The mark stands within the bar, at its end. A bar that is shorter than its mark has it in its middle. */
function paintEnd(brush, scene, stint, y, height) {
  const { x, wide } = stretch(scene, stint)
  const radius = Math.min(6, height / 2 - 0.5)
  drawMark(brush, stint.end, Math.max(x + wide - radius, x + wide / 2), y, height)
}

/** The name goes where it was worked on: there is most room, and a full ground. */
function paintName(brush, scene, stint, y) {
  const bar = stint.bars.find(({ state }) => state === 'processing')
  if (bar === undefined) return
  const { x, wide } = stretch(scene, bar)
  const left = Math.max(0, x)
  brush.fillStyle = ink('on-bar')
  drawText(brush, stint.run.name, left + 4, y + 0.5, x + wide - left - (stint.end === null ? 6 : 18))
}

function paintMoves(brush, scene) {
  const seen = moves.filter(
    ({ run, from, to }) =>
      laneAt.get(from.place)?.isShown &&
      laneAt.get(to.place)?.isShown &&
      (view.chosen === null || isMarked(run.id)) &&
      scene.isSeen({ fromMs: Math.min(from.toMs, to.fromMs), toMs: to.fromMs }),
  )
  const isCrowded = seen.length > MANY_MOVES
  byId('moves-note').textContent = isCrowded ? '(' + count(seen.length) + ': zoom in)' : ''
  for (const move of seen) {
    const marked = isMarked(move.run.id)
    if (isCrowded && !marked) continue
    brush.globalAlpha = marked ? 1 : 0.55
    brush.strokeStyle = ink(marked ? 'text' : 'move')
    brush.lineWidth = marked ? 1.75 : 1
    drawMove(brush, scene, move)
  }
  brush.globalAlpha = 1
}

/** From where it was let go of, or where both had it, to where it went on. */
function drawMove(brush, { xOf, offset }, { from, to }) {
  const [x1, y1] = [xOf(Math.min(from.toMs, to.fromMs)), middleOf(from) + offset]
  const [x2, y2] = [xOf(to.fromMs), middleOf(to) + offset]
  const bend = Math.max(10, (x2 - x1) / 2)
  brush.beginPath()
  brush.moveTo(x1, y1)
  brush.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2)
  brush.stroke()
  brush.beginPath()
  brush.moveTo(x2 - 5, y2 - 3)
  brush.lineTo(x2, y2)
  brush.lineTo(x2 - 5, y2 + 3)
  brush.stroke()
}

function paintDecisions(brush, scene, lane) {
  const { padding, decisions: room, diamond } = lane.space
  const y = lane.top + scene.offset + padding + room / 2
  let lastX = -Infinity
  for (let i = firstAt(lane.decisions, view.fromMs); i < lane.decisions.length; i++) {
    const decision = lane.decisions[i]
    if (decision.atMs > view.toMs) break
    const x = scene.xOf(decision.atMs)
    const marked = decision === view.focused || isMarked(decision.run)
    // Those that would lie on one another are one.
    if (x - lastX < 2 && !marked) continue
    lastX = x
    brush.globalAlpha = view.chosen === null || marked ? 1 : 0.3
    drawDiamond(brush, x, y, decision === view.focused ? diamond + 2 : diamond, marked)
  }
  brush.globalAlpha = 1
}

/** Records and beacons, each a stroke under the rows. Strokes of one pixel are one. */
function paintTicks(brush, scene, lane) {
  const bottom = lane.top + lane.height - lane.footHeight + scene.offset - 2
  for (const [name, from, to] of [
    ['records', TICKS_HEIGHT, 4],
    ['beacons', 3.5, 0],
  ]) {
    if (!view.shown[name]) continue
    brush.fillStyle = ink(name)
    let lastX = -1
    for (let i = firstAt(lane[name], view.fromMs); i < lane[name].length; i++) {
      const x = Math.round(scene.xOf(lane[name][i].atMs))
      if (x > scene.width) break
      if (x === lastX) continue
      lastX = x
      brush.fillRect(x, bottom - Number(from), 1, Number(from) - Number(to))
    }
  }
}
`
