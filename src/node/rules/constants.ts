/** Every limit of the rules, with its reason. */
import { MAX_KEY_LENGTH, MAX_NAME_LENGTH } from '../../../protocol/index.js'

/** Rules of one node. Each event is held against all of them. */
export const MAX_RULES = 1000

/** Characters of an event's id: with a rule's name before it, it makes an idempotency key. */
export const MAX_EVENT_ID_LENGTH: number = MAX_KEY_LENGTH - MAX_NAME_LENGTH - 1

/** Conditions of one rule. */
export const MAX_CONDITIONS = 64

/** Characters of a text that is taken over from a repository's webhook. */
export const MAX_WEBHOOK_TEXT = 256

/** Entries of a list that is taken over from a repository's webhook. */
export const MAX_WEBHOOK_LIST = 64
