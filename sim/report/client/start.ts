/** The first picture. */
import { js } from '../source.js'

export const START: string = js`
relayout()
fit()
listRuns()
listLog()
follow(location.hash, {})
`
