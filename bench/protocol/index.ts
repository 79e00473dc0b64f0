import type { Suite } from '../measure.js'
import { chooseTable } from './choose.js'
import { codecTable } from './codec.js'
import { foldTable } from './fold.js'

export function protocolSuite(): Suite {
  return { name: 'protocol', tables: [foldTable(), chooseTable(), codecTable()] }
}
