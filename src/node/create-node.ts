/** `createNode`: from options to a node that works. */
import type { JournalEvent, Journals } from '../journal/index.js'
import { createVerifier } from '../platform/verifier.js'
import { CorrectedClock } from './corrected-clock.js'
import { type Home, openGroup, openHome } from './home.js'
import type { Machine } from './host.js'
import { Metrics } from './metrics/index.js'
import { DibsNode } from './node.js'
import { nodeErrorOf } from './node-error.js'
import { type FullOptions, type NodeOptions, readNodeOptions } from './options.js'
import { openOutbox } from './outbox/index.js'
import { loadIfKept, recordSource } from './record-source.js'
import { RunBook } from './run-book.js'
import { RunLogs } from './run-logs.js'
import { Works } from './works.js'

export async function openNode(options: NodeOptions, machine: Machine): Promise<DibsNode> {
  const full = readNodeOptions(options)
  const home = await openHome(full, machine)
  try {
    return await openIn(home, full, machine)
  } catch (error) {
    if (home.isOwnStore) await home.store.close()
    throw nodeErrorOf(error)
  }
}

async function openIn(home: Home, options: FullOptions, machine: Machine): Promise<DibsNode> {
  const { store, signer } = home
  const clock = new CorrectedClock(options.clock ?? machine.platform.clock)
  const random = options.random ?? machine.platform.random
  const verifier = machine.verifier ?? createVerifier()
  const metrics = new Metrics(clock)
  const logs = await RunLogs.open({ store, clock })
  let journals: Journals
  let book: RunBook
  let works: Works | null = null
  // What the journals tell while they are opened waits until there is somebody to tell it to.
  const early: JournalEvent[] = []
  const outbox = await openOutbox({
    ...options.outbox,
    store,
    clock,
    random,
    source: recordSource(() => journals),
    viewOf: (run) => book.view(run),
    hold: () => works?.runHost.hold() ?? (() => {}),
  })
  journals = await openGroup(
    {
      store,
      signer,
      verifier,
      clock,
      random,
      sha256: machine.platform.sha256,
      publish: (message) => works?.publish(message),
      onEvent: (event) => {
        if (works === null) early.push(event)
        else works.onJournalEvent(event)
      },
      ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
    },
    options.group,
  )
  for (const name of journals.names) await loadIfKept(journals, name)
  book = new RunBook(journals.group, metrics, signer.device)
  for (const event of early) if (event.type === 'records') book.take(event.journal, event.records)
  book.restored()
  for (const event of early) if (event.type === 'records') outbox.take(event.journal, event.records)
  works = new Works({ options, machine, home, verifier, clock, journals, book, metrics, logs, outbox })
  machine.onOpen?.({ engine: works.core.engine, book, journals })
  for (const event of early)
    if (event.type === 'equivocation' || event.type === 'damaged') works.onJournalEvent(event)
  try {
    await works.start()
  } catch (error) {
    // It had begun to decide, and to set timers.
    await works.close().catch(() => {})
    throw error
  }
  return new DibsNode(works)
}
