/// <reference types="node" />
/** The moment at which nothing is left to do but to wait. */
import { afterTurn } from './turn.js'

/**
 * Resolves once every promise chain that could go on has gone on. In Node without a turn of the event loop: what was set
 * for the next tick runs when no microtask is left.
 */
export const drained: () => Promise<void> =
  typeof process === 'object' && typeof process.nextTick === 'function'
    ? () => new Promise((resolve) => process.nextTick(resolve))
    : () => new Promise((resolve) => afterTurn(resolve))
