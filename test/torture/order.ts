/** What a parent orders a child to do: the plan of the round, and where. */
import type { Plan } from './plan.js'

export interface Order extends Plan {
  readonly folder: string
}
