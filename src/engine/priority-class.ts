/** Priorities are integers; people think of them in three classes. */
import { PRIORITIES } from '../../protocol/index.js'

export const PRIORITY_CLASSES = ['high', 'normal', 'low'] as const
export type PriorityClass = (typeof PRIORITY_CLASSES)[number]

export function priorityClass(priority: number): PriorityClass {
  if (priority >= PRIORITIES.high) return 'high'
  return priority <= PRIORITIES.low ? 'low' : 'normal'
}
