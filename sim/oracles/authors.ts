/** `recorded-first`, `own-word`: each speaks for itself. Nobody holds what its author has not written, and nobody is blamed without its word. */
import type { RecordOf, RunRecord, RunView } from '../../protocol/index.js'
import type { Oracle, Scene } from './oracle.js'

/** What the owner itself must have written before a run is given to another for this reason. */
const OWN_WORDS: Readonly<Partial<Record<RecordOf<'assigned'>['reason'], RunRecord['kind']>>> = {
  declined: 'declined',
  released: 'released',
  preempted: 'released',
  failed: 'failed',
}

export function authors(scene: Scene): Oracle {
  return {
    onRecord({ record }, holder) {
      const author = scene.placeOf(record.author)
      if (author === undefined || author === holder || author.isByzantine) return
      if (scene.records.own.get(author.id)?.has(record.id) === true) return
      scene.violated('recorded-first', `it holds a ${record.kind} by ${author.name}, which never wrote it`, {
        place: holder.place,
        ...('run' in record && { run: record.run }),
      })
    },
    onChange({ place }, { before, after }) {
      if (after.assignment === null || before?.assignment?.id === after.assignment.id) return
      const word = missingWord(scene, after)
      if (word !== null)
        scene.violated('own-word', `it was given to another for a ${word} that its owner never wrote`, {
          run: after.run,
          place,
        })
    },
  }
}

/** What the owner before should have said of the current assignment's parent, and did not. */
function missingWord(scene: Scene, { run, assignment }: RunView): string | null {
  const records = scene.records.byRun.get(run) ?? []
  const assigned = records.find(({ id }) => id === assignment?.id)
  const word = assigned?.kind === 'assigned' ? OWN_WORDS[assigned.reason] : undefined
  if (assigned?.kind !== 'assigned' || assigned.parent === undefined || word === undefined) return null
  const parent = records.find(({ id }) => id === assigned.parent)
  if (parent?.kind !== 'assigned') return null
  const isSaid = records.some(
    (one) =>
      one.kind === word &&
      'assignment' in one &&
      one.assignment === parent.id &&
      one.author === parent.target,
  )
  return isSaid ? null : word
}
