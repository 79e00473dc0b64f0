/** A simulation as one HTML page that needs nothing else: who did what when, what was cut off, and what took over. */
export { reportOf } from './report.js'
