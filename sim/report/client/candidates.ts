/** Why an assignment was made so: who could have had the run, with points, or what stood in the way. */
import { js } from '../source.js'

export const CANDIDATES: string = js`
function candidateTable(decision, limit) {
  const all = candidatesOf(decision)
  if (all.length === 0) return null
  const table = tableOf(['Device', 'Score', ...partNames], all.slice(0, limit).map(candidateRow), {
    class: 'candidates',
  })
  const rest = all.length - limit
  return rest > 0 ? [table, make('p', { class: 'rest' }, 'and ' + plural(rest, 'other', 'others'))] : table
}

function candidateRow({ place, score, parts, gates, isChosen }) {
  const name = make('th', { scope: 'row' }, (isChosen ? '▸ ' : '') + deviceName(place))
  const row = make('tr', { class: isChosen ? 'is-chosen' : null }, name)
  if (parts === null)
    row.append(
      make('td', null, '–'),
      make('td', { class: 'gates', colspan: Math.max(1, partNames.length) }, gates.join(' ')),
    )
  else row.append(make('td', null, points(score)), ...parts.map((part) => make('td', null, points(part))))
  return row
}

/** The whole of a decision: when, by whom, the sentence, the candidates. */
function decisionParts(decision, limit) {
  const by = decision.by === decision.target ? 'itself' : deviceName(decision.by)
  return [
    make('p', { class: 'meta' }, clock(decision.atMs, true) + ' · ' + decision.reason + ' · by ' + by),
    make('p', null, decision.sentence),
    candidateTable(decision, limit),
  ].flat()
}

/** The name of a run, for people. */
function runName(id) {
  const run = runById.get(id)
  return run === undefined ? id : run.name
}
`
