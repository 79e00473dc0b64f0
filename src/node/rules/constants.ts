/** Every limit of the rules, with its reason. */

/** Rules of one node. Each event is held against all of them. */
export const MAX_RULES = 1000

/** Conditions of one rule, and names that it lists. More want a function. */
export const MAX_CONDITIONS = 64

/** Characters of a text that is taken over from a repository's webhook. */
export const MAX_WEBHOOK_TEXT = 256

/** Entries of a list that is taken over from a repository's webhook. */
export const MAX_WEBHOOK_LIST = 64
