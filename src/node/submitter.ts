/** Makes runs: checks what the app passed, finds those that are there already by their key, and hands over the rest. */
import { cborLength } from '../../protocol/cbor.js'
import {
  type AnyRecord,
  type Draft,
  HEARTBEAT_INTERVAL_MS,
  HEARTBEAT_TIMEOUT_MS,
  type HeartbeatPolicy,
  keyedRunId,
  type Payload,
  type RunId,
} from '../../protocol/index.js'
import { MAX_OPEN_RUNS, MAX_WRITE_BYTES } from './constants.js'
import { type RunType, typeName } from './define-run.js'
import { CapacityError } from './errors.js'
import { Run, type RunHost } from './run.js'
import { checkMayWrite } from './run-commands.js'
import { terminal } from './run-errors.js'
import { createdDraft, type SubmitOptions } from './submit-options.js'
import { isThenable } from './thenable.js'
import { validateInput } from './validate.js'

export class Submitter {
  readonly #host: RunHost
  readonly #heartbeat: HeartbeatPolicy
  readonly #typeOf: (name: string) => RunType | string
  /** Submits of keyed runs that are under way: a second one waits for the first. */
  readonly #keyed = new Map<RunId, Promise<Run>>()

  constructor(host: RunHost, heartbeat: HeartbeatPolicy, typeOf: (name: string) => RunType | string) {
    this.#host = host
    this.#heartbeat = heartbeat
    this.#typeOf = typeOf
  }

  /** The draft of a run's first record, checked. A promise only if the schema answers with one. */
  draftOf(
    type: RunType | string,
    input: unknown,
    options: SubmitOptions | undefined,
  ): Draft<'created'> | Promise<Draft<'created'>> {
    if (typeof type !== 'string') typeName(type)
    const payload = validateInput(type, input)
    return isThenable(payload)
      ? payload.then((checked) => this.#draft(type, checked, options))
      : this.#draft(type, payload, options)
  }

  #draft(type: RunType | string, input: Payload, options: SubmitOptions | undefined): Draft<'created'> {
    return this.#withDefaults(createdDraft(type, input, options, this.#host.wallMs()))
  }

  /** A group with another rhythm than the protocol's says so in each of its runs: the fold judges by it. */
  #withDefaults(draft: Draft<'created'>): Draft<'created'> {
    const heartbeat = this.#heartbeat
    const isUsual =
      heartbeat.intervalMs === HEARTBEAT_INTERVAL_MS && heartbeat.timeoutMs === HEARTBEAT_TIMEOUT_MS
    return isUsual || draft.heartbeat !== undefined ? draft : { ...draft, heartbeat }
  }

  async submit(type: RunType | string, input: unknown, options?: SubmitOptions): Promise<Run> {
    this.#host.checkOpen()
    const made = this.draftOf(type, input, options)
    const draft = isThenable(made) ? await made : made
    this.#checkRoom(draft)
    if (draft.key !== undefined) return this.#submitKeyed(type, draft)
    // Not by `#submitNew`: a promise that is returned, and not awaited, takes three turns more to be seen.
    const [created] = await this.#host.core.submit(draft)
    return new Run(this.#host, (created as { readonly run: RunId }).run, type, true)
  }

  async #submitNew(type: RunType | string, draft: Draft<'created'>): Promise<Run> {
    const [created] = await this.#host.core.submit(draft)
    return new Run(this.#host, (created as { readonly run: RunId }).run, type, true)
  }

  #submitKeyed(type: RunType | string, draft: Draft<'created'>): Promise<Run> {
    const id = this.#idOf(draft)
    if (this.#host.book.view(id) !== null) return Promise.resolve(new Run(this.#host, id, type, false))
    const before = this.#keyed.get(id)
    if (before !== undefined) return before.then(() => new Run(this.#host, id, type, false))
    const submitted = this.#submitNew(type, draft).finally(() => this.#keyed.delete(id))
    this.#keyed.set(id, submitted)
    return submitted
  }

  #idOf(draft: Draft<'created'>): RunId {
    const { project = '', type, key = '' } = draft
    return keyedRunId({ group: this.#host.core.engine.config.group, project, type, key })
  }

  /** Makes all of these runs: in one write, all or none, as far as they fit one. */
  async submitAll(drafts: readonly Draft<'created'>[]): Promise<readonly Run[]> {
    for (const draft of drafts) this.#checkRoom(draft)
    const fresh: Draft<'created'>[] = []
    const places: (RunId | number)[] = []
    const seen = new Set<RunId>()
    for (const draft of drafts) {
      const id = draft.key === undefined ? null : this.#idOf(draft)
      const pending = id === null ? undefined : this.#keyed.get(id)
      if (pending !== undefined) await pending.catch(() => {})
      if (id !== null && (seen.has(id) || this.#host.book.view(id) !== null)) places.push(id)
      else places.push(fresh.push(draft) - 1)
      if (id !== null) seen.add(id)
    }
    const records: AnyRecord[] = []
    for (const part of partsOf(fresh)) records.push(...(await this.#host.core.write(part)))
    return places.map((place, i) => {
      const { type } = drafts[i] as Draft<'created'>
      const id = typeof place === 'string' ? place : (records[place] as { readonly run: RunId }).run
      return new Run(this.#host, id, this.#typeOf(type), typeof place === 'number')
    })
  }

  #checkRoom({ parent }: Draft<'created'>): void {
    checkMayWrite(this.#host.core)
    if (this.#host.core.engine.runs.size >= MAX_OPEN_RUNS) {
      throw new CapacityError(
        'QUEUE_FULL',
        `${MAX_OPEN_RUNS} runs are open already. Nothing was written; try again when some have ended.`,
      )
    }
    const made = parent === undefined ? null : this.#host.book.view(parent)
    if (made?.state === 'cancelled') throw terminal(made.run, made.state, 'submit')
  }
}

/** Drafts that fit one write together. */
function* partsOf(drafts: readonly Draft<'created'>[]): Generator<readonly Draft<'created'>[]> {
  let part: Draft<'created'>[] = []
  let bytes = 0
  for (const draft of drafts) {
    const size = cborLength(draft)
    if (part.length > 0 && bytes + size > MAX_WRITE_BYTES) {
      yield part
      part = []
      bytes = 0
    }
    part.push(draft)
    bytes += size
  }
  if (part.length > 0) yield part
}
