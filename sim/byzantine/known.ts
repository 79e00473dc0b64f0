/** What an attacker makes of what it knows: whose runs there are, whose logs, and how far they go. */
import {
  type DeviceId,
  isTerminal,
  type LogHead,
  type RunView,
  signedHash,
  splitSigned,
  stampOf,
} from '../../protocol/index.js'
import { Log } from '../../src/journal/log.js'
import { readMessage } from '../../src/journal/message.js'
import { dayOf, journalOfRunId } from '../../src/journal/names.js'
import type { Stretch } from '../../src/journal/update.js'
import type { Attacker } from './attacker.js'
import { MAX_RUNS_HIT } from './constants.js'
import { OwnLog, type Write } from './own-log.js'

export function openRuns(attacker: Attacker): readonly RunView[] {
  return attacker
    .views()
    .filter(({ state }) => !isTerminal(state))
    .slice(0, MAX_RUNS_HIT)
}

export function journalOf({ run, created }: RunView): string {
  return journalOfRunId(run) ?? dayOf(created.stamp)
}

export function today({ clock }: Attacker): string {
  return dayOf(stampOf(Math.floor(clock.wallMs())))
}

/** Publishes a batch about runs in each of their journals. */
export async function publishAbout(
  attacker: Attacker,
  views: readonly RunView[],
  say: (view: RunView, write: Write) => void,
): Promise<void> {
  for (const [journal, some] of byJournal(views)) {
    const log = new OwnLog(attacker, { journal })
    for (const { run } of some) for (const { stamp } of attacker.recordsOf(run)) log.see(stamp)
    const message = await log.write((write) => {
      for (const view of some) say(view, write)
    })
    if (message !== null) attacker.transport.publish('batches', message)
  }
}

function byJournal(views: readonly RunView[]): ReadonlyMap<string, readonly RunView[]> {
  const journals = new Map<string, RunView[]>()
  for (const view of views) {
    const journal = journalOf(view)
    journals.set(journal, [...(journals.get(journal) ?? []), view])
  }
  return journals
}

/** Logs of others, by their Yjs client: those that wrote about runs. */
export function logsOfOthers(attacker: Attacker): ReadonlyMap<number, Log> {
  const logs = new Map<number, Log>()
  const seen = new Set<string>()
  for (const view of attacker.views().slice(-MAX_RUNS_HIT)) {
    const journal = journalOf(view)
    for (const { author: device, incarnation } of attacker.recordsOf(view.run)) {
      const name = `${journal}/${device}/${incarnation}`
      if (device === attacker.signer.device || seen.has(name)) continue
      seen.add(name)
      const log = new Log(attacker.group, { journal, device, incarnation })
      logs.set(log.client, log)
    }
  }
  return logs
}

/** Where a log of another device ends, as far as was heard. */
export interface Tail {
  readonly log: Log
  readonly head: LogHead
}

export function tailsOf(attacker: Attacker): readonly Tail[] {
  const logs = logsOfOthers(attacker)
  const tails = new Map<DeviceId, Tail>()
  for (const { topic, bytes } of attacker.heard()) {
    if (topic !== 'batches') continue
    for (const stretch of stretchesIn(bytes)) {
      const log = logs.get(stretch.client)
      if (log !== undefined) tails.set(log.name, { log, head: headOf(log, stretch) })
    }
  }
  return [...tails.values()]
}

function stretchesIn(bytes: Uint8Array): readonly Stretch[] {
  try {
    return readMessage(bytes).stretches
  } catch {
    // Somebody else's garbage.
    return []
  }
}

function headOf(log: Log, { from, elements }: Stretch): LogHead {
  const last = elements[elements.length - 1] as Uint8Array
  const { records } = log.codec.decode(splitSigned(last).bytes, { trusted: true })
  return {
    sequence: from + elements.length - 1,
    hash: signedHash(last),
    stamp: records[records.length - 1]?.stamp ?? 0,
  }
}
