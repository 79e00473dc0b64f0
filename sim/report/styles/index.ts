/** The style sheet of the page. */
import { COLOURS } from './colours.js'
import { PAGE } from './page.js'
import { SIDE } from './side.js'
import { TIMELINE } from './timeline.js'

export const STYLES: string = [COLOURS, PAGE, TIMELINE, SIDE].join('')
