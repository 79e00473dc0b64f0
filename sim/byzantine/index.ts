export { ATTACKS, type Attack, attack, WITHIN_THE_RULES } from './attack.js'
export type { Attacker, Heard } from './attacker.js'
