/** What the signs of the timeline mean, drawn with the same brush. Only what occurs is named. */
import { js } from '../source.js'

export const LEGEND: string = js`
function swatch(draw, name) {
  const picture = make('canvas', { 'aria-hidden': 'true' })
  drawers.push(() => draw(sharp(picture, 26, 14)))
  return make('span', { class: 'sign' }, picture, name)
}

function legendGroup(name, signs) {
  return signs.length === 0 ? null : make('div', { class: 'legend-group' }, make('b', null, name), signs)
}

function endsThatOccur() {
  const ends = new Set(runs.flatMap(({ bars }) => bars.map(({ end }) => end)))
  ends.delete(null)
  const known = Object.keys(MARKS)
  return [...ends].sort((a, b) => ((known.indexOf(a) + 99) % 99) - ((known.indexOf(b) + 99) % 99))
}

function shadesThatOccur() {
  const kinds = new Set(spans.map(({ kind }) => kind))
  return Object.keys(SHADES).filter((kind) => kinds.has(kind))
}

function strokeSwatch(name, width, dash) {
  return (brush) => {
    brush.strokeStyle = ink(name)
    brush.lineWidth = width
    brush.setLineDash(dash)
    line(brush, 13, 0, 13, 14)
  }
}

function drawMoveSwatch(brush) {
  brush.strokeStyle = ink('move')
  line(brush, 3, 3, 20, 10)
  line(brush, 15, 11, 20, 10)
  line(brush, 17, 5, 20, 10)
}

fill(
  byId('legend'),
  legendGroup(
    'Runs',
    Object.keys(BARS).map((state) =>
      swatch((brush) => drawBar(brush, state, 1, 0, 24, 14), BARS[state].name),
    ),
  ),
  legendGroup(
    'End of a bar',
    endsThatOccur().map((end) => swatch((brush) => drawMark(brush, end, 13, 7, 14), end)),
  ),
  legendGroup(
    'Shaded',
    shadesThatOccur().map((kind) =>
      swatch((brush) => drawShade(brush, kind, 1, 1, 24, 12), SHADES[kind].name),
    ),
  ),
  legendGroup('Signs', [
    swatch((brush) => drawDiamond(brush, 13, 7, 5, false), 'decision'),
    swatch(drawMoveSwatch, 'moved to another device'),
    swatch(strokeSwatch('calm', 1.5, [4, 3]), 'faults end'),
    ...(outcome.violations.length > 0 ? [swatch(strokeSwatch('violation', 2, []), 'violation')] : []),
    swatch(strokeSwatch('records', 1, []), 'record'),
    swatch(strokeSwatch('beacons', 1, []), 'beacon'),
  ]),
)
`
