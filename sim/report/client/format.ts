/** Numbers as people read them. */
import { js } from '../source.js'

export const FORMAT: string = js`
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function padded(number, digits) {
  return String(number).padStart(digits, '0')
}

/** A moment since the beginning: 0:12:31, or with 'fine' 0:12:31.045. */
function clock(ms, fine) {
  const whole = Math.max(0, fine ? Math.round(ms) : Math.floor(ms / SECOND) * SECOND)
  const days = Math.floor(whole / DAY)
  const hours = Math.floor((whole % DAY) / HOUR)
  const minutes = padded(Math.floor((whole % HOUR) / MINUTE), 2)
  const seconds = padded(Math.floor((whole % MINUTE) / SECOND), 2)
  const text = (days > 0 ? days + 'd ' + padded(hours, 2) : hours) + ':' + minutes + ':' + seconds
  return fine ? text + '.' + padded(whole % SECOND, 3) : text
}

/** How long something took. */
function duration(ms) {
  if (ms === null) return '–'
  if (ms < SECOND) return Math.round(ms) + ' ms'
  if (ms < MINUTE) return Math.floor(ms / 100) / 10 + ' s'
  if (ms < HOUR) return twofold(ms, MINUTE, ' min', SECOND, ' s')
  if (ms < DAY) return twofold(ms, HOUR, ' h', MINUTE, ' min')
  return twofold(ms, DAY, ' d', HOUR, ' h')
}

/** In a larger and a smaller unit, the smaller only if there is some of it: 1 min 30 s, 2 min. */
function twofold(ms, large, largeName, small, smallName) {
  const rest = Math.floor((ms % large) / small)
  return Math.floor(ms / large) + largeName + (rest === 0 ? '' : ' ' + rest + smallName)
}

function count(number) {
  return number.toLocaleString('en')
}

function bytesText(bytes) {
  if (bytes < 1000) return bytes + ' B'
  if (bytes < 1e6) return (bytes / 1e3).toFixed(1) + ' kB'
  if (bytes < 1e9) return (bytes / 1e6).toFixed(1) + ' MB'
  return (bytes / 1e9).toFixed(2) + ' GB'
}

function plural(number, one, many) {
  return count(number) + ' ' + (number === 1 ? one : many)
}

function points(score) {
  return score === null ? '–' : String(Math.round(score * 10) / 10)
}
`
