/** Lanes: one for each device, with its rows, and where each stands on the page. */
import { js } from '../source.js'

export const LANES: string = js`
const ROW_HEIGHTS = { small: 5, medium: 9, large: 15 }
/** Pixels of rows in a lane: a device that has very many runs at once gets thinner ones. */
const MAX_ROWS_HEIGHT = { small: 110, medium: 200, large: 400 }
const THINNEST_ROW = 0.3
/** Under the rows, for the names of shades and the sides of a split. */
const FOOT_HEIGHT = 14
const AXIS_HEIGHT = 24
const NETWORK_ROW = 16
const TICKS_HEIGHT = 9
/** Pixels around the rows, for the diamonds of decisions, and of the lowest lane: its label has to fit. */
const ROOMY = { padding: 3, decisions: 11, diamond: 4.5, lowest: 22 }
const TIGHT = { padding: 1, decisions: 5, diamond: 2.5, lowest: 12 }
/** Pixels of rows that are shown at once without a thought: beyond, rows get smaller. */
const COMFORTABLE = 900

const recordsByPlace = grouped(
  entries.filter(({ kind }) => kind === 'record'),
  ({ place }) => place,
)
const beaconsByPlace = grouped(
  entries.filter(({ kind }) => kind === 'beacon'),
  ({ place }) => place,
)
/** A decision stands with the device that got the run; if that is a stranger, with the one that decided. */
const decisionsByPlace = grouped(decisions, ({ target, by }) => (deviceAt.has(target) ? target : by))

/** Shading of the whole network, packed into the rows of the strip. */
const networkRows = rowsOf(spans.filter(({ place }) => place === null).map((span) => ({ ...span, row: 0 })))

const hasSides = spans.some(({ sides }) => sides !== null)

const lanes = devices.map((device) => ({
  device,
  rows: rowsOf(stintsByPlace.get(device.place) || []),
  spans: spans.filter(({ place }) => place === device.place),
  decisions: decisionsByPlace.get(device.place) || [],
  records: recordsByPlace.get(device.place) || [],
  beacons: beaconsByPlace.get(device.place) || [],
  isShown: true,
  isStriped: false,
  hasFoot: hasSides || spans.some(({ place }) => place === device.place),
  top: 0,
  height: 0,
  footHeight: 0,
  rowHeight: 0,
  rowsTop: 0,
  space: ROOMY,
}))
const laneAt = new Map(lanes.map((lane) => [lane.device.place, lane]))
const headHeight = AXIS_HEIGHT + networkRows.length * NETWORK_ROW

/** Puts lanes under each other, and hides the others. Returns their height. */
function placeLanes(density, shown, available, only) {
  const space = density === 'fit' ? TIGHT : ROOMY
  const above = space.padding + (shown.decisions ? space.decisions : 0)
  const ticks = shown.records || shown.beacons ? TICKS_HEIGHT : 0
  const share = (available - headHeight) / Math.max(1, only.length)
  let top = 0
  for (const lane of lanes) lane.isShown = false
  for (const [index, lane] of only.entries()) {
    const count = Math.max(1, lane.rows.length)
    lane.footHeight = lane.hasFoot && density !== 'fit' ? FOOT_HEIGHT : 0
    const below = space.padding + ticks + lane.footHeight
    const room = density === 'fit' ? share - above - below : MAX_ROWS_HEIGHT[density]
    const largest = density === 'fit' ? ROW_HEIGHTS.large : ROW_HEIGHTS[density]
    lane.rowHeight = Math.max(THINNEST_ROW, Math.min(largest, room / count))
    lane.isShown = true
    lane.isStriped = index % 2 === 1
    lane.top = top
    lane.space = space
    lane.rowsTop = above
    lane.height = Math.max(space.lowest, Math.ceil(above + count * lane.rowHeight + below))
    top += lane.height
  }
  return top
}

/** The largest rows with which all can be seen without much scrolling. */
function fittingDensity(shown) {
  if (placeLanes('large', shown, 0, lanes) <= COMFORTABLE) return 'large'
  return placeLanes('medium', shown, 0, lanes) <= COMFORTABLE * 1.3 ? 'medium' : 'small'
}

/** Where a stint stands, from the top of the lanes. */
function middleOf(stint) {
  const lane = laneAt.get(stint.place)
  return lane.top + lane.rowsTop + (stint.row + 0.5) * lane.rowHeight
}
`
