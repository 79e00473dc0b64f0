/** Paints the lanes that can be seen, and nothing else: a canvas as high as the window moves over lanes without end. */
import { js } from '../source.js'

export const PAINT: string = js`
const scroller = byId('scroller')
const canvas = byId('lanes')
const FONT = '11px system-ui, sans-serif'

/** What a painter needs to know: where a moment is, and which lanes are seen. */
function sceneOf() {
  const width = byId('stage').clientWidth
  const height = scroller.clientHeight
  const scale = width / (view.toMs - view.fromMs)
  const offset = headHeight - scroller.scrollTop
  return {
    width,
    height,
    scale,
    offset,
    xOf: (ms) => (ms - view.fromMs) * scale,
    msOf: (x) => view.fromMs + x / scale,
    isSeen: ({ fromMs, toMs }) => toMs >= view.fromMs && fromMs <= view.toMs,
    lanes: lanes.filter(
      ({ isShown, top, height: tall }) =>
        isShown && top + offset < height && top + tall + offset > headHeight,
    ),
  }
}

function paint() {
  const scene = sceneOf()
  if (scene.width === 0) return
  const brush = sharp(canvas, scene.width, scene.height)
  brush.font = FONT
  brush.textBaseline = 'middle'
  paintGround(brush, scene)
  for (const lane of scene.lanes) paintSpans(brush, scene, lane)
  paintSplits(brush, scene)
  paintGrid(brush, scene)
  for (const lane of scene.lanes) paintFoot(brush, scene, lane)
  for (const lane of scene.lanes) paintStints(brush, scene, lane)
  if (view.shown.moves) paintMoves(brush, scene)
  for (const lane of scene.lanes) paintTicks(brush, scene, lane)
  if (view.shown.decisions) for (const lane of scene.lanes) paintDecisions(brush, scene, lane)
  paintMoments(brush, scene)
  paintHead(brush, scene)
}
drawers.push(paint)

function paintGround(brush, { width, offset, lanes: seen }) {
  for (const lane of seen) {
    brush.fillStyle = ink(lane.isStriped ? 'stripe' : 'surface')
    brush.fillRect(0, lane.top + offset, width, lane.height)
    brush.fillStyle = ink('line')
    brush.fillRect(0, lane.top + offset + lane.height - 1, width, 1)
  }
}

/** The part of a time that can be seen, as x and width. At least a pixel. */
function stretch({ xOf, width }, { fromMs, toMs }) {
  const x = Math.max(-20, xOf(fromMs))
  return { x, wide: Math.max(1.5, Math.min(width + 20, xOf(toMs)) - x) }
}

function paintSpans(brush, scene, lane) {
  for (const span of lane.spans.filter(scene.isSeen)) {
    const { x, wide } = stretch(scene, span)
    const top = lane.top + scene.offset
    drawShade(brush, span.kind, x, top, wide, lane.height - 1)
    brush.fillStyle = ink(span.kind)
    brush.fillRect(x, top, 1.5, lane.height - 1)
  }
}

/** The names of shades, and the sides of splits, in the foot of a lane. What would cover another is left out. */
function paintFoot(brush, scene, lane) {
  if (lane.footHeight === 0) return
  const y = lane.top + lane.height + scene.offset - FOOT_HEIGHT / 2 - 1
  const taken = []
  for (const span of splitsSeen(scene)) {
    const { x, wide } = stretch(scene, span)
    const side = sideOf(span, lane.device.place)
    const left = Math.max(x, 0) + 2
    if (side < 0 || wide < 15) continue
    drawSide(brush, side, left, y - 6)
    taken.push([left, left + 12])
  }
  for (const span of lane.spans.filter(scene.isSeen)) {
    const { x, wide } = stretch(scene, span)
    const room = roomBeside(taken, Math.max(x, 0) + 5, x + wide)
    if (room === null) continue
    brush.fillStyle = ink('text-on-shade')
    taken.push([room.left, room.left + drawText(brush, shadeText(span), room.left, y, room.wide)])
  }
}

/** What is free of a stretch, after what is taken at its beginning, and before what is taken next. */
function roomBeside(taken, from, to) {
  let left = from
  let right = to
  for (const [start, end] of taken.sort((a, b) => a[0] - b[0])) {
    if (end <= left) continue
    if (start <= left + 20) left = end + 4
    else right = Math.min(right, start - 3)
  }
  return right - left < 20 ? null : { left, wide: right - left }
}

function shadeText({ kind, text }) {
  return SHADES[kind].name + (text === '' ? '' : ', ' + text)
}

function splitsSeen(scene) {
  return networkRows
    .flat()
    .filter(({ kind }) => kind === 'split')
    .filter(scene.isSeen)
}

/** A split goes through all lanes. Where it is known who was with whom, each side has its colour. */
function paintSplits(brush, scene) {
  for (const span of splitsSeen(scene)) {
    const { x, wide } = stretch(scene, span)
    for (const lane of scene.lanes) {
      const side = sideOf(span, lane.device.place)
      brush.globalAlpha = side < 0 ? 0.08 : 0.13
      brush.fillStyle = side < 0 ? ink('split') : sideInk(side)
      brush.fillRect(x, lane.top + scene.offset, wide, lane.height - 1)
    }
    brush.globalAlpha = 1
    brush.strokeStyle = ink('split')
    brush.lineWidth = 1
    brush.setLineDash([4, 3])
    for (const edge of [x, x + wide]) line(brush, edge, headHeight, edge, scene.height)
    brush.setLineDash([])
  }
}

function sideOf({ sides }, place) {
  return sides === null ? -1 : sides.findIndex((side) => side.includes(place))
}

function sideInk(side) {
  return ink('side-' + (side % 4))
}

function sideName(side) {
  return side < 26 ? String.fromCharCode(65 + side) : String(side + 1)
}

function drawSide(brush, side, x, y) {
  brush.fillStyle = sideInk(side)
  brush.fillRect(x, y, 12, 12)
  brush.fillStyle = ink('surface')
  brush.textAlign = 'center'
  brush.fillText(sideName(side), x + 6, y + 6.5)
  brush.textAlign = 'left'
}

function line(brush, x1, y1, x2, y2) {
  brush.beginPath()
  brush.moveTo(x1, y1)
  brush.lineTo(x2, y2)
  brush.stroke()
}
`
