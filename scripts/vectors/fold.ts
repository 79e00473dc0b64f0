import { CASES, type CaseName, play } from '../../test/protocol/fold/cases.js'
import { GROUP } from '../../test/protocol/story.js'

const LONG: CaseName = 'a thousand records of one run'

/** Every named case: the records of group and run, and the view that they fold to. */
export function foldVectors(): Record<string, unknown> {
  const names = Object.keys(CASES) as CaseName[]
  return {
    about:
      'Folds. SPEC.md, sections 6 to 8. Fold the group’s records, then the run’s, in any order; expect the view.',
    cases: names.filter((name) => name !== LONG).map(foldVector),
  }
}

/** The one that is long, in a file of its own. */
export function longFoldVectors(): Record<string, unknown> {
  return { about: 'As fold.json: a run with a thousand records.', cases: [foldVector(LONG)] }
}

function foldVector(name: CaseName): object {
  const { story } = play(name)
  return {
    name,
    group: GROUP,
    groupRecords: story.deviceRecords,
    runRecords: story.runRecords,
    view: story.view,
  }
}
