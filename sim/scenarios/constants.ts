/** What scenarios have in common. */

/** How long nothing may be written at the end, when everything is done. */
export const REST = '10m'

/** What scenarios call a piece of work. */
export const WORK = 'work'
