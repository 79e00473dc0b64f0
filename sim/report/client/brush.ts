/** Draws single things: a bar, the mark at its end, a shade, a diamond. Lanes and legend use the same. */
import { js } from '../source.js'

export const BRUSH: string = js`
/** Makes a canvas as sharp as the screen, and returns what draws on it in CSS pixels. */
function sharp(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1
  const pixels = { width: Math.round(width * ratio), height: Math.round(height * ratio) }
  if (canvas.width !== pixels.width || canvas.height !== pixels.height) Object.assign(canvas, pixels)
  canvas.style.width = width + 'px'
  canvas.style.height = height + 'px'
  const brush = canvas.getContext('2d')
  brush.setTransform(ratio, 0, 0, ratio, 0, 0)
  brush.clearRect(0, 0, width, height)
  return brush
}

function drawBar(brush, state, x, y, width, height) {
  const { height: share, pattern } = BARS[state] || BARS.assigned
  const thick = Math.max(1, (height - (height > 4 ? 2 : height > 2 ? 0.5 : 0)) * share)
  const top = y + (height - thick) / 2
  brush.fillStyle = ink(state)
  brush.fillRect(x, top, width, thick)
  if (pattern === null || thick < 4) return
  brush.fillStyle = patternOf(brush, pattern, ink('surface'))
  brush.fillRect(x, top, width, thick)
}

/** A sign on a disc, or a mere stroke where a sign would not be read. */
function drawMark(brush, end, x, y, height) {
  const { shape, ink: name } = MARKS[end] || OTHER_MARK
  const radius = Math.min(6, height / 2 - 0.5)
  brush.fillStyle = ink(name)
  if (radius < 3.5) {
    brush.fillRect(x - 2.5, y - height / 2, 2.5, height)
    return
  }
  brush.beginPath()
  brush.arc(x, y, radius, 0, 7)
  brush.fill()
  brush.strokeStyle = ink('surface')
  brush.lineWidth = Math.max(1.2, radius / 3.6)
  drawSign(brush, shape, x, y, radius * 0.5)
}

const SIGNS = {
  check: [
    [-1, 0.05, -0.25, 0.8],
    [-0.25, 0.8, 1, -0.75],
  ],
  cross: [
    [-0.8, -0.8, 0.8, 0.8],
    [-0.8, 0.8, 0.8, -0.8],
  ],
  bang: [
    [0, -1.1, 0, 0.35],
    [0, 0.75, 0, 1.2],
  ],
  chevron: [
    [-0.9, -0.9, -0.1, 0],
    [-0.1, 0, -0.9, 0.9],
    [0.1, -0.9, 0.9, 0],
    [0.9, 0, 0.1, 0.9],
  ],
  slash: [[-0.9, 0.9, 0.9, -0.9]],
  ring: [],
}

function drawSign(brush, shape, x, y, size) {
  brush.beginPath()
  for (const [x1, y1, x2, y2] of SIGNS[shape]) {
    brush.moveTo(x + x1 * size, y + y1 * size)
    brush.lineTo(x + x2 * size, y + y2 * size)
  }
  if (shape === 'ring') brush.arc(x, y, size, 0, 7)
  brush.stroke()
}

function drawShade(brush, kind, x, y, width, height) {
  const { pattern } = SHADES[kind] || SHADES.absent
  const colour = ink(kind)
  brush.save()
  brush.globalAlpha *= 0.16
  brush.fillStyle = colour
  brush.fillRect(x, y, width, height)
  if (pattern !== 'plain' && width > 3) {
    brush.globalAlpha *= 2
    brush.fillStyle = patternOf(brush, pattern, colour)
    brush.fillRect(x, y, width, height)
  }
  brush.restore()
}

function drawDiamond(brush, x, y, radius, isFocused) {
  brush.beginPath()
  brush.moveTo(x, y - radius)
  brush.lineTo(x + radius, y)
  brush.lineTo(x, y + radius)
  brush.lineTo(x - radius, y)
  brush.closePath()
  brush.fillStyle = ink(isFocused ? 'accent' : 'decision')
  brush.fill()
  brush.strokeStyle = ink('surface')
  brush.lineWidth = 1
  brush.stroke()
}

/** Pixels of a letter, on average, at the size of the timeline. */
const LETTER = 6.2

/** A text that stays within its width, or is left out. Returns how wide it is, about. */
function drawText(brush, text, x, y, width) {
  const room = Math.floor(width / LETTER)
  if (room < Math.min(text.length, 5)) return 0
  brush.fillText(text.length <= room ? text : text.slice(0, room - 1) + '…', x, y)
  return Math.min(text.length, room) * LETTER
}
`
