/** Random histories of one run: what honest, confused and hostile devices might write, in any combination. */
import fc from 'fast-check'
import type { RecordOf, RunRecord } from '../../../protocol/index.js'
import { ana, ben, cid, dee, eve, obi, Story } from '../story.js'

const WRITERS = [ana, ben, cid, dee, ana, ben, cid, dee, eve, obi]
const REASONS = [
  'created',
  'declined',
  'released',
  'failed',
  'timeout',
  'preempted',
  'manual',
  'timeout',
] as const
const RELEASES = ['drain', 'preempted', 'paused'] as const

/** What may happen next; what is listed more often happens more often. */
const ACTS = [
  ...['created', 'root', 'root', 'next', 'next', 'next', 'next', 'claimed', 'claimed', 'claimed', 'claimed'],
  ...[
    'started',
    'started',
    'started',
    'progressed',
    'declined',
    'released',
    'held',
    'held',
    'completed',
    'failed',
  ],
  ...['final', 'cancelled', 'paused', 'approved', 'retried', 'retried', 'expedited', 'exhausted', 'restart'],
] as const
type Act = (typeof ACTS)[number]

interface Step {
  readonly act: Act
  readonly who: number
  readonly target: number
  readonly cites: number
  readonly waitMs: number
  readonly honest: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.nat(ACTS.length - 1).map((n) => ACTS[n] as Act),
  who: fc.nat(WRITERS.length - 1),
  target: fc.nat(WRITERS.length - 1),
  cites: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3, 5),
  waitMs: fc.constantFrom(0, 0, 1, 50, 2000, 100_000),
  // Mostly a device speaks of what is its own, for a true reason: or random records would nearly all be rejected.
  honest: fc.constantFrom(true, true, true, true, false),
})

export interface History {
  readonly story: Story
  readonly records: readonly RunRecord[]
}

export const history: fc.Arbitrary<History> = fc
  .record({
    steps: fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }),
    keyed: fc.boolean(),
    approval: fc.constantFrom(undefined, undefined, 'members' as const, 'admins' as const),
    reconcile: fc.constantFrom(undefined, 'latest' as const),
    retries: fc.constantFrom(0, 1, 3),
  })
  .map(({ steps, keyed, approval, reconcile, retries }) => {
    const story = new Story()
    const spec = {
      retry: { max: retries, backoffMs: [1000] },
      ...(keyed && { key: 'one' }),
      ...(approval && { approval }),
      ...(reconcile && { reconcile }),
    }
    const run = story.created(ana, { ...spec, input: 0 })
    for (const next of steps) take(story, run, next, spec)
    return { story, records: story.runRecords }
  })

function pick<R>(list: readonly R[], n: number): R | undefined {
  // From the end: the latest is what most records cite.
  return list[list.length - 1 - (n % Math.max(1, list.length))]
}

function take(s: Story, run: RecordOf<'created'>, step: Step, spec: object): void {
  const { act, cites, waitMs, honest } = step
  s.wait(waitMs)
  const writer = WRITERS[step.who] as string
  const target = WRITERS[step.target] as string
  const assignments = of(s, 'assigned')
  const cited = pick(assignments, cites)
  if (cited === undefined || act === 'root') {
    const basis = pick(of(s, 'created'), cites) ?? run
    const round = honest ? of(s, 'retried').length : cites
    s.assigned(writer, target, basis, round === 0 ? {} : { round })
    return
  }
  const author = honest ? cited.target : writer
  const { run: id } = run
  switch (act) {
    case 'created':
      if (run.key !== undefined) s.created(writer, { ...spec, input: step.target })
      break
    case 'next':
      s.reassigned(writer, target, cited, honest ? causeOf(s, cited) : (REASONS[cites] ?? 'timeout'))
      break
    case 'claimed':
    case 'started':
      s[act](author, cited)
      break
    case 'progressed':
      s.progressed(author, cited, { step: waitMs })
      break
    case 'declined':
      s.declined(author, cited)
      break
    case 'released':
      s.released(author, cited, RELEASES[cites % 3] ?? 'drain')
      break
    case 'held': {
      const first = honest ? (assignments.find(({ id }) => id === cited.parent) ?? cited) : cited
      const rivals = assignments.filter(({ parent }) => parent === first.id)
      s.held(first.target, first, rivals, honest ? 0 : 200_000)
      break
    }
    case 'completed':
      s.completed(author, cited, step.target)
      break
    case 'failed':
      s.failed(author, cited)
      break
    case 'final':
      s.failed(author, cited, { final: true })
      break
    case 'cancelled':
      s.write(writer, { kind: 'cancelled', run: id, round: honest ? of(s, 'retried').length : cites })
      break
    case 'paused':
      s.write(writer, { kind: cites === 0 ? 'resumed' : 'paused', run: id })
      break
    case 'approved':
      s.write(writer, { kind: 'approved', run: id, by: 'somebody', expiresAt: s.nowMs + 100 * step.target })
      break
    case 'retried': {
      const end = pick([...of(s, 'cancelled'), ...of(s, 'failed')], cites)
      const round = 1 + (honest ? of(s, 'retried').length : cites)
      if (end !== undefined) s.write(writer, { kind: 'retried', run: id, round, ended: end.id })
      break
    }
    case 'expedited':
      s.write(writer, { kind: 'expedited', run: id, priority: step.target })
      break
    case 'exhausted': {
      const error = { code: 'RETRIES_EXHAUSTED', message: 'No attempt is left.' }
      s.write(writer, { kind: 'failed', run: id, assignment: cited.id, error, final: true })
      break
    }
    case 'restart':
      s.restart(author)
  }
}

function of<K extends RunRecord['kind']>(s: Story, kind: K): RecordOf<K>[] {
  return s.runRecords.filter((record) => record.kind === kind) as unknown as RecordOf<K>[]
}

/** Why the assignment can be replaced: its target gave it up, or else it fell silent. */
function causeOf(s: Story, { id }: RecordOf<'assigned'>): RecordOf<'assigned'>['reason'] {
  const ends = [...of(s, 'declined'), ...of(s, 'released'), ...of(s, 'failed')]
  return ends.find(({ assignment }) => assignment === id)?.kind ?? 'timeout'
}

/** A history, and its records dealt out: some to one side, some to the other, some to both. */
export const divided: fc.Arbitrary<History & { readonly left: RunRecord[]; readonly right: RunRecord[] }> =
  history.chain(({ story, records }) =>
    fc
      .array(fc.constantFrom('left', 'right', 'both'), {
        minLength: records.length,
        maxLength: records.length,
      })
      .map((sides) => ({
        story,
        records,
        left: records.filter((_, i) => sides[i] !== 'right'),
        right: records.filter((_, i) => sides[i] !== 'left'),
      })),
  )

/** A history, and its records in another order, some of them several times. */
export const shuffled: fc.Arbitrary<History & { readonly mixed: RunRecord[] }> = history.chain(
  ({ story, records }) =>
    fc
      .tuple(
        fc.shuffledSubarray([...records], { minLength: records.length, maxLength: records.length }),
        fc.subarray([...records]),
      )
      .map(([mixed, again]) => ({ story, records, mixed: [...mixed, ...again] })),
)
