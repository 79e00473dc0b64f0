/** Bugs in the fold: what records amount to. */
import { BREAKS, CHORES, SMALL } from './draws.js'
import { edit, type Mutant } from './mutant.js'

export const IN_PROTOCOL: readonly Mutant[] = [
  {
    name: 'held-ignored',
    what: 'The fold takes `held` and voids nothing: who had a run first loses it to whoever thought it gone.',
    edits: [
      edit(
        'protocol/fold/rules/held.ts',
        '      child.voidedBy ??= record\n      voided++',
        '      voided++',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: ['partitions'] }, seeds: 10 },
  },
  {
    name: 'held-after-sleep',
    what: 'A device that slept says that it held its runs, and is believed.',
    edits: [
      edit(
        'protocol/fold/rules/held.ts',
        "  if (record.gapMs > heartbeatOf(node.created.heartbeat).timeoutMs) return 'HELD_AFTER_GAP'\n",
        '',
      ),
      edit(
        'src/engine/work.ts',
        'if (voids.length > 0 && gapMs <= timeoutOf(tracked.view)) {',
        'if (voids.length > 0) {',
      ),
    ],
    hunt: { story: 'nap', seeds: 6 },
  },
  {
    name: 'latest-sibling',
    what: 'Of two assignments made at once the latest wins.',
    edits: [
      edit(
        'protocol/fold/path.ts',
        'if (counts(node) && (first === null || compareNodes(node, first) < 0)) first = node',
        'if (counts(node) && (first === null || compareNodes(node, first) > 0)) first = node',
      ),
    ],
    hunt: { story: 'two-heirs', seeds: 6 },
  },
  {
    name: 'order-of-arrival',
    what: 'Records are folded in the order in which they came.',
    edits: [
      edit(
        'protocol/fold/table.ts',
        '  while (at > 0 && compareRecords(records[at - 1] as RunRecord, record) > 0) at--\n',
        '',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: BREAKS }, seeds: 10 },
  },
  {
    name: 'blame-without-word',
    what: 'A silent owner is said to have failed, and nobody asks for its own word.',
    edits: [
      edit(
        'protocol/fold/rules/assign.ts',
        "return parent.ends.some((end) => end.kind === record.reason) ? undefined : 'NO_CAUSE'",
        'return undefined',
      ),
      edit(
        'src/engine/records.ts',
        "if (state !== 'reassigning') return 'timeout'",
        "if (state !== 'reassigning') return 'failed'",
      ),
    ],
    hunt: { story: 'deaths', seeds: 4 },
  },
  {
    name: 'unheard-blame',
    what: 'The engine blames a silent owner for a failure of which there is no record: its reassignment counts nowhere.',
    edits: [
      edit(
        'src/engine/records.ts',
        "if (state !== 'reassigning') return 'timeout'",
        "if (state !== 'reassigning') return 'failed'",
      ),
    ],
    hunt: { story: 'deaths', seeds: 4 },
  },
  {
    name: 'un-terminate',
    what: 'Whatever is written after the end of a run opens it again.',
    edits: [
      edit(
        'protocol/fold/read-view.ts',
        "const runState = accepted !== null ? 'completed' : (end?.record.kind ?? openState(node))",
        "const isLast = end !== null && end.record.stamp >= state.updated\n  const runState = accepted !== null ? 'completed' : isLast ? end.record.kind : openState(node)",
      ),
    ],
    hunt: { story: 'called-off', seeds: 4 },
  },
  {
    name: 'cancelled-over-completed',
    what: 'A cancellation takes a result back.',
    edits: [
      edit(
        'protocol/fold/read-view.ts',
        'const accepted = acceptedCompletion(state)',
        "const isOff = state.ends.some(({ record }) => record.kind === 'cancelled')\n  const accepted = isOff ? null : acceptedCompletion(state)",
      ),
    ],
    hunt: { story: 'called-off', seeds: 4 },
  },
  {
    name: 'completed-by-anyone',
    what: 'Anyone may say how a run ended that another was given.',
    edits: [
      edit(
        'protocol/fold/rules/own.ts',
        "return node.record.target === record.author ? node : 'NOT_TARGET'",
        'return node',
      ),
    ],
    hunt: { story: 'liar', seeds: 4 },
  },
  {
    name: 'result-of-the-latest',
    what: 'Of several results that of the latest assignment is taken.',
    edits: [
      edit(
        'protocol/fold/read-view.ts',
        'if (accepted === null || compareNodes(completion.node, accepted.node) < 0) accepted = completion',
        'if (accepted === null || compareNodes(completion.node, accepted.node) > 0) accepted = completion',
      ),
    ],
    hunt: { story: 'both-end', seeds: 4 },
  },
  {
    name: 'revocation-ignored',
    what: 'What a device writes after it was put out counts.',
    edits: [
      edit(
        'protocol/fold/group.ts',
        "  if (member.revokedAt !== null && stamp > member.revokedAt) return 'REVOKED'\n",
        '',
      ),
    ],
    hunt: { story: 'put-out', seeds: 4 },
  },
  {
    name: 'revocation-not-refolded',
    what: 'Views that were folded before a device was put out are kept as they are.',
    edits: [
      edit(
        'protocol/fold/table.ts',
        '    this.#group = group\n    for (const entry of this.#runs.values()) {\n      entry.state = null\n      entry.view = null\n    }\n',
        '    this.#group = group\n',
      ),
    ],
    hunt: { story: 'put-out', seeds: 4 },
  },
  {
    name: 'chain-unchecked',
    what: 'A batch is taken though it follows another one than the last that is here.',
    edits: [edit('protocol/batch/chain.ts', 'if (!equalBytes(batch.previous, head.hash)) {', 'if (false) {')],
    hunt: { story: 'breaker', seeds: 4 },
  },
  {
    name: 'tries-for-ever',
    what: 'A run that fails is tried again without end.',
    edits: [
      edit(
        'protocol/fold/rules/assign.ts',
        'return 1 + (created.retry?.max ?? RETRY_MAX)',
        'return 1000 + (created.retry?.max ?? RETRY_MAX)',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: CHORES }, seeds: 6 },
  },
  {
    name: 'no-backoff',
    what: 'A run that failed is tried again at once.',
    edits: [
      edit(
        'protocol/fold/waiting.ts',
        'if (view.retryAt !== null && nowMs < view.retryAt) {',
        'if (view.retryAt !== null && nowMs < 0) {',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: CHORES }, seeds: 6 },
  },
]
