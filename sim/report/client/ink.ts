/** Colours and patterns. Colours stand in the style sheet, light and dark; a pattern says the same to who sees no colour. */
import { js } from '../source.js'

export const INK: string = js`
/** How a time is shaded. */
const SHADES = {
  absent: { name: 'not in the group', pattern: 'plain' },
  down: { name: 'down', pattern: 'cross' },
  asleep: { name: 'asleep', pattern: 'level' },
  stalled: { name: 'stalled', pattern: 'upright' },
  revoked: { name: 'revoked', pattern: 'cross' },
  byzantine: { name: 'byzantine', pattern: 'dots' },
  disk: { name: 'disk trouble', pattern: 'falling' },
  split: { name: 'split', pattern: 'rising' },
  weather: { name: 'network weather', pattern: 'dots' },
}

/** How a bar looks: what is only promised is thin, what is worked on is full. */
const BARS = {
  assigned: { name: 'assigned', height: 0.4, pattern: null },
  claimed: { name: 'claimed', height: 0.7, pattern: 'rising' },
  processing: { name: 'processing', height: 1, pattern: null },
}

/** How the end of a bar is marked. Ends that stand in no line get a ring. */
const MARKS = {
  completed: { shape: 'check', ink: 'completed' },
  failed: { shape: 'cross', ink: 'failed' },
  crashed: { shape: 'bang', ink: 'crashed' },
  superseded: { shape: 'chevron', ink: 'superseded' },
  preempted: { shape: 'chevron', ink: 'superseded' },
  lapsed: { shape: 'chevron', ink: 'superseded' },
  voided: { shape: 'chevron', ink: 'superseded' },
  'not accepted': { shape: 'slash', ink: 'superseded' },
  timeout: { shape: 'bang', ink: 'stalled' },
  cancelled: { shape: 'slash', ink: 'released' },
}
const OTHER_MARK = { shape: 'ring', ink: 'released' }

let style = getComputedStyle(document.documentElement)
const inks = new Map()
const patterns = new Map()

/** A colour of the style sheet, by its name. */
function ink(name) {
  if (!inks.has(name)) inks.set(name, style.getPropertyValue('--' + name).trim())
  return inks.get(name)
}

const STROKES = {
  rising: [
    [0, 8, 8, 0],
    [-1, 1, 1, -1],
    [7, 9, 9, 7],
  ],
  falling: [
    [0, 0, 8, 8],
    [-1, 7, 1, 9],
    [7, -1, 9, 1],
  ],
  level: [[0, 4, 8, 4]],
  upright: [[4, 0, 4, 8]],
  cross: [
    [0, 8, 8, 0],
    [0, 0, 8, 8],
  ],
  dots: [
    [2, 2, 3.5, 2],
    [6, 6, 7.5, 6],
  ],
}

function patternOf(context, kind, colour) {
  const key = kind + colour
  if (!patterns.has(key)) {
    const tile = make('canvas', { width: 8, height: 8 })
    const brush = tile.getContext('2d')
    brush.strokeStyle = colour
    brush.lineWidth = 1.2
    brush.beginPath()
    for (const [x1, y1, x2, y2] of STROKES[kind]) {
      brush.moveTo(x1, y1)
      brush.lineTo(x2, y2)
    }
    brush.stroke()
    patterns.set(key, context.createPattern(tile, 'repeat'))
  }
  return patterns.get(key)
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  style = getComputedStyle(document.documentElement)
  inks.clear()
  patterns.clear()
  redraw()
})
`
