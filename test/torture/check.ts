/** Opens a store that a child was killed over, and looks for anything that should not be. */
import { type AnyRecord, isRunRecord } from '../../protocol/index.js'
import { SEGMENT_BATCHES } from '../../src/journal/constants.js'
import { dayOf, type JournalEvent } from '../../src/journal/index.js'
import type { Store } from '../../src/store/store.js'
import { BEGINNING_RECORDS, beginRun } from './begin-run.js'
import { type Device, openDevice } from './device.js'
import type { Memory } from './memory.js'
import type { Plan } from './plan.js'

export interface Checked {
  readonly problems: readonly string[]
  /** Records in the store, acknowledged or not. */
  readonly records: number
  /** Unacknowledged writes that the store honestly said it had lost. */
  readonly tailsLost: number
}

export async function check(folder: string, plan: Plan, memory: Memory): Promise<Checked> {
  const found = new Found()
  const device = await openDevice(folder, { day: plan.day, onEvent: (event) => found.take(event) })
  const { store, journals } = device
  try {
    const { findings } = store
    const problems = [
      ...memory.begin(journals.incarnation),
      ...findings
        .filter(({ code }) => code !== 'TAIL_LOST')
        .map(({ code, message }) => `The store found ${code}: ${message}`),
      ...(await checkEvictions(store, memory)),
      ...(await checkWriters(store, memory)),
    ]
    const stubs = await store.stubs()
    for (const name of journals.names) {
      if (stubs.has(name)) continue
      await journals.load(name)
      problems.push(...(await checkJournal(device, name)))
    }
    problems.push(...found.damages, ...checkRecords(found, memory))
    await goOn(device, plan, memory)
    return {
      problems,
      records: found.records.size,
      tailsLost: findings.filter(({ code }) => code === 'TAIL_LOST').length,
    }
  } finally {
    if (plan.closesInOrder) await journals.close()
    await store.close()
  }
}

/** The records that the journals told of. */
class Found {
  readonly records = new Map<string, AnyRecord>()
  readonly damages: string[] = []

  take(event: JournalEvent): void {
    if (event.type === 'damaged') this.damages.push(`A log is damaged: ${event.message}`)
    if (event.type === 'equivocation') this.damages.push('The device forked a log of its own.')
    if (event.type === 'records') for (const record of event.records) this.records.set(record.id, record)
  }
}

/** An eviction is done or not done: never a stub beside entries, never neither. */
async function checkEvictions(store: Store, memory: Memory): Promise<readonly string[]> {
  const stubs = await store.stubs()
  const heads = await store.heads()
  const problems: string[] = []
  for (const journal of stubs.keys()) {
    if (!memory.evicting.has(journal)) problems.push(`${journal} was evicted though nobody asked for it.`)
    if (heads.some((head) => head.journal === journal))
      problems.push(`${journal} was evicted, and yet has entries.`)
    memory.forget(journal)
  }
  for (const journal of memory.evicted)
    if (!stubs.has(journal)) problems.push(`${journal} was evicted, and its stub is gone.`)
  return problems
}

/** Every log is of an incarnation that somebody began. */
async function checkWriters(store: Store, memory: Memory): Promise<readonly string[]> {
  const heads = await store.heads()
  return heads
    .filter(({ incarnation }) => !memory.incarnations.has(incarnation))
    .map(({ journal, incarnation }) => `Nobody ever was ${incarnation}, which wrote into ${journal}.`)
}

/** Sequences are dense, as many as the heads say; every hash and signature fits. */
async function checkJournal({ store, journals }: Device, name: string): Promise<readonly string[]> {
  const next = new Map<number, number>()
  const problems: string[] = []
  for await (const chunk of store.read(name)) {
    for (const { log, sequence } of chunk) {
      const expected = next.get(log.incarnation) ?? 0
      if (sequence !== expected)
        problems.push(`${name}/${log.incarnation} has ${sequence} where ${expected} should be.`)
      next.set(log.incarnation, sequence + 1)
    }
  }
  for (const { journal, incarnation, sequence } of await store.heads()) {
    if (journal === name && next.get(incarnation) !== sequence + 1)
      problems.push(`${name}/${incarnation} does not reach ${sequence}, as its head says.`)
  }
  const report = await journals.verify(name)
  return [...problems, ...report.problems.map(({ message }) => `${name} does not verify: ${message}`)]
}

/** What was acknowledged is there; what was committed together is there together. */
function checkRecords({ records }: Found, { acknowledged }: Memory): readonly string[] {
  const problems: string[] = []
  for (const [journal, ids] of acknowledged) {
    const lost = [...ids].filter((id) => !records.has(id))
    if (lost.length > 0) problems.push(`LOST: ${lost.length} acknowledged records of ${journal}.`)
  }
  const begun = new Map<string, number>()
  for (const record of records.values()) {
    if (isRunRecord(record) && record.kind !== 'completed')
      begun.set(record.run, (begun.get(record.run) ?? 0) + 1)
  }
  const torn = [...begun.values()].filter((count) => count !== BEGINNING_RECORDS).length
  return torn === 0 ? problems : [...problems, `TORN: of ${torn} commits only a part is there.`]
}

/** The store takes writes again, and what the parent writes must outlive the next child too. */
async function goOn({ journals, me }: Device, { fillsSegment }: Plan, memory: Memory): Promise<void> {
  const commits = fillsSegment ? SEGMENT_BATCHES : 1
  for (let i = 0; i < commits; i++) {
    const records = await journals.commit((write) => void beginRun(write, me, ''))
    memory.acknowledge(
      dayOf(records[0]?.stamp ?? 0),
      records.map(({ id }) => id),
    )
  }
}
