/** Elements. The one way by which data comes onto the page: as text, never as markup. */
import { js } from '../source.js'

export const DOM: string = js`
/** Names of attributes, and after 'on' of events, are always those of the page's own code. */
function make(tag, properties, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value))
  }
  // Strings become text nodes here.
  element.append(...children.flat().filter((child) => child !== null && child !== undefined))
  return element
}

/**
 * @param {string} id
 * @returns {any} whatever kind of element the skeleton has there
 */
function byId(id) {
  return document.getElementById(id)
}

/** Puts in what of it is there. */
function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null))
}

/** Calls once things have been quiet for a moment: while somebody types, say. */
function whenQuiet(call) {
  let timer = 0
  return () => {
    clearTimeout(timer)
    timer = setTimeout(call, 90)
  }
}

/** A table with a head. Cells are strings or elements. */
function tableOf(heads, rows, properties) {
  return make(
    'table',
    properties,
    make(
      'thead',
      null,
      make(
        'tr',
        null,
        heads.map((head) => make('th', { scope: 'col' }, head)),
      ),
    ),
    make('tbody', null, rows),
  )
}
`
