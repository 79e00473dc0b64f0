/** What this device says of itself: to its engine at once, to the group by its profile. */

import { encodeCbor } from '../../protocol/cbor.js'
import type { DeviceClass, Draft, GroupView } from '../../protocol/index.js'
import { equalBytes, SLOTS } from '../../protocol/index.js'
import type { LocalFacts } from '../engine/index.js'
import type { Power } from './options.js'

export interface FactsOptions {
  readonly name: string
  readonly class: DeviceClass
  readonly capabilities: readonly string[]
  readonly projects?: readonly string[] | undefined
  readonly slots: number
  readonly reserved: number
  readonly power?: (() => Power) | undefined
  readonly load?: (() => number) | undefined
}

export class Facts {
  readonly #options: FactsOptions
  isDraining = false
  lagMs = 0

  constructor(options: FactsOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  /** As it is now. What the app's functions throw, or answer out of range, counts as nothing said. */
  local(handles: ReadonlyMap<string, number>): LocalFacts {
    const { name, class: sort, capabilities, projects, slots, reserved, power, load } = this.#options
    const { onMains, battery } = asked(power, { onMains: true, battery: null })
    return {
      name,
      class: sort,
      capabilities,
      ...(projects !== undefined && { projects }),
      slots,
      reserved,
      handles,
      draining: this.isDraining,
      load: share(asked(load, 0)) ?? 0,
      lagMs: this.lagMs,
      onMains: onMains !== false,
      battery: share(battery),
    }
  }

  /** The profile record, if what the group has is another. */
  profile(group: GroupView, device: string, handles: ReadonlyMap<string, number>): Draft<'profiled'> | null {
    const { name, class: sort, capabilities, projects, slots, reserved } = this.#options
    const draft: Draft<'profiled'> = {
      kind: 'profiled',
      name,
      class: sort,
      capabilities: [...capabilities],
      ...(projects !== undefined && { projects: [...projects] }),
      ...(slots !== SLOTS && { slots }),
      ...(reserved > 0 && { reserved }),
      handles: [...handles.keys()].sort(),
    }
    const known = group.profiles.get(device)
    if (known === undefined) return draft
    const { id: _id, stamp: _stamp, author: _author, incarnation: _incarnation, ...fields } = known
    return equalBytes(encodeCbor(fields), encodeCbor(draft)) ? null : draft
  }
}

function asked<T>(question: (() => T) | undefined, usual: T): T {
  if (question === undefined) return usual
  try {
    return question() ?? usual
  } catch {
    return usual
  }
}

function share(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : null
}
