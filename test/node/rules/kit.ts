/** Events, and a place where runs go that knows their keys, as a node does. */
import { type RunId, writeRecord } from '../../../protocol/index.js'
import { defineRun, type RunType } from '../../../src/node/define-run.js'
import type { OutsideEvent } from '../../../src/node/rules/event.js'
import { Rules, type SubmitRun } from '../../../src/node/rules/index.js'
import { createdDraft, type SubmitOptions } from '../../../src/node/submit-options.js'
import { validateInput } from '../../../src/node/validate.js'
import { ana, GROUP, Story } from '../../protocol/story.js'

export const triage: RunType = defineRun({ type: 'issue.triage', priority: 'low' })

export function event(extra: Partial<OutsideEvent> = {}): OutsideEvent {
  return { id: '17', type: 'mail.received', source: 'inbox', payload: { from: 'ben' }, ...extra }
}

export interface Submitted {
  readonly type: string
  readonly input: unknown
  readonly options: SubmitOptions
}

/** Rules over the real checks and the real run ids, without a network. */
export class Desk {
  readonly submitted: Submitted[] = []
  readonly runs: Set<RunId> = new Set()
  readonly #story = new Story()
  readonly rules: Rules

  constructor() {
    this.rules = new Rules(this.#submit)
  }

  readonly #submit: SubmitRun = async (type, given, options) => {
    const input = await validateInput(type, given)
    const draft = createdDraft(type, input, options, this.#story.nowMs)
    const { stamp } = this.#story.wait(1).created(ana)
    const { run } = writeRecord(draft, stamp, this.#story.namer(ana), GROUP)
    const isNew = !this.runs.has(run)
    this.runs.add(run)
    if (isNew) this.submitted.push({ type: draft.type, input, options })
    return { run, isNew }
  }
}
