/** What is under the pointer: a violation, a decision, a bar, a shade. */
import { js } from '../source.js'

export const HITS: string = js`
/** Pixels by which one may miss. */
const NEAR = 5

function hitAt(x, y) {
  const scene = sceneOf()
  if (y < headHeight) return hitHead(scene, x, y)
  const down = y - scene.offset
  const lane = lanes.find(({ isShown, top, height }) => isShown && down >= top && down < top + height)
  if (lane === undefined) return null
  return (
    hitDecision(scene, lane, x, down - lane.top) ||
    hitStint(scene, lane, x, down - lane.top) ||
    hitSpan(scene, lane, x)
  )
}

function hitHead(scene, x, y) {
  const place = outcome.violations.findIndex(({ atMs }) => Math.abs(scene.xOf(atMs) - x) <= NEAR)
  if (place >= 0) return { kind: 'violation', violation: outcome.violations[place] }
  const ms = scene.msOf(x)
  const row = networkRows[Math.floor((y - AXIS_HEIGHT) / NETWORK_ROW)] || []
  const span = row.find(({ fromMs, toMs }) => fromMs <= ms && ms <= toMs)
  return span === undefined ? null : { kind: 'span', span }
}

function hitDecision(scene, lane, x, y) {
  if (!view.shown.decisions || y > lane.rowsTop) return null
  const near = []
  for (let i = firstAt(lane.decisions, scene.msOf(x - NEAR)); i < lane.decisions.length; i++) {
    if (scene.xOf(lane.decisions[i].atMs) > x + NEAR) break
    near.push(lane.decisions[i])
  }
  if (near.length === 0) return null
  const away = ({ atMs }) => Math.abs(scene.xOf(atMs) - x)
  const nearest = near.reduce((best, next) => (away(next) < away(best) ? next : best))
  return { kind: 'decision', decision: nearest, others: near.length - 1 }
}

function hitStint(scene, lane, x, y) {
  const row = Math.floor((y - lane.rowsTop) / lane.rowHeight)
  const stints = lane.rows[row] || []
  const [from, to] = [scene.msOf(x - 2), scene.msOf(x + 2)]
  const stint = stints.find(({ fromMs, toMs }) => fromMs <= to && toMs >= from)
  if (stint === undefined) return null
  const bar = stint.bars.find(({ toMs }) => toMs >= from) || stint.bars[stint.bars.length - 1]
  return { kind: 'stint', stint, bar }
}

function hitSpan(scene, lane, x) {
  const ms = scene.msOf(x)
  const holds = ({ fromMs, toMs }) => fromMs <= ms && ms <= toMs
  const span = lane.spans.find(holds) || networkRows.flat().find(holds)
  return span === undefined ? null : { kind: 'span', span }
}

/** The run that a hit is about. */
function runOfHit(hit) {
  if (hit === null) return null
  if (hit.kind === 'stint') return hit.stint.run.id
  if (hit.kind === 'decision') return hit.decision.run
  return hit.kind === 'violation' ? hit.violation.run : null
}
`
