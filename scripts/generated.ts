/** Every generated file, as it should be. */
import { specWithTables } from './spec-tables.js'
import { choiceVectors } from './vectors/choices.js'
import { clockVectors } from './vectors/clock.js'
import { codecVectors } from './vectors/codec.js'
import { foldVectors, longFoldVectors } from './vectors/fold.js'
import { idVectors } from './vectors/ids.js'
import { stringify } from './vectors/json.js'

export interface GeneratedFile {
  readonly file: string
  readonly text: string
}

export function generated(): readonly GeneratedFile[] {
  const vectors = {
    clock: clockVectors(),
    ids: idVectors(),
    codec: codecVectors(),
    fold: foldVectors(),
    'fold-long': longFoldVectors(),
    choices: choiceVectors(),
  }
  return [
    { file: 'protocol/SPEC.md', text: specWithTables() },
    ...Object.entries(vectors).map(([name, value]) => ({
      file: `protocol/vectors/${name}.json`,
      text: stringify(value),
    })),
  ]
}
