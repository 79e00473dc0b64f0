/** Paints time: the axis with its grid, the strip of the network, and moments that matter to all. */
import { js } from '../source.js'

export const PAINT_TIME: string = js`
/** Steps between two lines of the grid. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500]
  .concat([1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND))
  .concat([1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE))
  .concat([1, 2, 3, 6, 12].map((hours) => hours * HOUR))
  .concat([1, 2, 7, 14, 30, 90].map((days) => days * DAY))

function stepOf({ scale }) {
  return STEPS.find((step) => step * scale >= 82) || STEPS[STEPS.length - 1]
}

/** Moments of the grid that can be seen. */
function gridOf(scene) {
  const step = stepOf(scene)
  const moments = []
  for (let ms = Math.max(0, Math.ceil(view.fromMs / step) * step); ms <= view.toMs; ms += step)
    moments.push(ms)
  return moments
}

function paintGrid(brush, scene) {
  brush.fillStyle = ink('grid')
  for (const ms of gridOf(scene)) brush.fillRect(Math.round(scene.xOf(ms)), headHeight, 1, scene.height)
}

/** Lines through all lanes: where faults end, violations, the pointer, the range that is being drawn. */
function paintMoments(brush, scene) {
  upright(brush, scene, calmMs, 'calm', [6, 4], 1.5)
  for (const { atMs } of outcome.violations) upright(brush, scene, atMs, 'violation', [], 2)
  if (view.pointerMs !== null) upright(brush, scene, view.pointerMs, 'dim', [2, 3], 1)
  if (view.range === null) return
  const [x1, x2] = view.range.map(scene.xOf)
  brush.globalAlpha = 0.18
  brush.fillStyle = ink('accent')
  brush.fillRect(Math.min(x1, x2), 0, Math.abs(x2 - x1), scene.height)
  brush.globalAlpha = 1
}

function upright(brush, { xOf, height }, ms, name, dash, width) {
  brush.strokeStyle = ink(name)
  brush.lineWidth = width
  brush.setLineDash(dash)
  line(brush, xOf(ms), AXIS_HEIGHT, xOf(ms), height)
  brush.setLineDash([])
}

/** Axis and strip lie over the lanes that scroll under them. */
function paintHead(brush, scene) {
  brush.fillStyle = ink('head')
  brush.fillRect(0, 0, scene.width, headHeight)
  brush.fillStyle = ink('line')
  brush.fillRect(0, headHeight - 1, scene.width, 1)
  paintNetwork(brush, scene)
  const flags = [{ ms: calmMs, name: 'calm', text: 'faults end' }]
  for (const { atMs } of outcome.violations) flags.push({ ms: atMs, name: 'violation', text: '!' })
  if (view.pointerMs !== null)
    flags.push({ ms: view.pointerMs, name: 'dim', text: clock(view.pointerMs, true) })
  const taken = flags.map((flag) => flagBox(brush, scene, flag)).filter((box) => box !== null)
  paintTimes(brush, scene, taken)
  for (const box of taken) paintFlag(brush, box)
}

/** The times of the grid, but for those that a flag would cover, or that would leave the picture. */
function paintTimes(brush, scene, taken) {
  brush.fillStyle = ink('dim')
  const fine = stepOf(scene) < SECOND
  for (const ms of gridOf(scene)) {
    const text = clock(ms, fine)
    const left = scene.xOf(ms) + 4
    const right = left + brush.measureText(text).width
    brush.fillRect(Math.round(scene.xOf(ms)), AXIS_HEIGHT - 5, 1, 5)
    const isFree =
      right <= scene.width && taken.every((box) => right < box.left || left > box.left + box.wide)
    if (isFree) brush.fillText(text, left, AXIS_HEIGHT / 2)
  }
}

function paintNetwork(brush, scene) {
  for (const [row, strip] of networkRows.entries()) {
    const y = AXIS_HEIGHT + row * NETWORK_ROW
    for (const span of strip.filter(scene.isSeen)) {
      const { x, wide } = stretch(scene, span)
      drawShade(brush, span.kind, x, y + 1, wide, NETWORK_ROW - 3)
      brush.fillStyle = ink(span.kind)
      brush.fillRect(x, y + 1, 2, NETWORK_ROW - 3)
      brush.fillStyle = ink('text')
      const left = Math.max(x, 0)
      drawText(brush, networkText(span), left + 6, y + NETWORK_ROW / 2, x + wide - left - 8)
    }
  }
}

/** In a word: 'split A desktop-0 | B laptop-1 phone-2'. */
function networkText({ kind, text, sides }) {
  if (sides === null) return shadeText({ kind, text })
  const isSmall = devices.length <= 8
  const named = sides.map((side, index) => {
    const who = isSmall ? side.map(deviceName).join(' ') : plural(side.length, 'device', 'devices')
    return sideName(index) + ' ' + who
  })
  return SHADES[kind].name + ' ' + named.join(' | ')
}

/** Where a small flag stands on the axis. It never leaves the picture, if its moment does not. */
function flagBox(brush, scene, { ms, name, text }) {
  const x = scene.xOf(ms)
  if (x < -1 || x > scene.width + 1) return null
  const wide = brush.measureText(text).width + 8
  return { name, text, wide, left: Math.min(Math.max(0, x - wide / 2), scene.width - wide) }
}

function paintFlag(brush, { name, text, left, wide }) {
  brush.fillStyle = ink(name)
  brush.fillRect(left, 3, wide, AXIS_HEIGHT - 7)
  brush.fillStyle = ink('surface')
  brush.fillText(text, left + 4, AXIS_HEIGHT / 2)
}
`
