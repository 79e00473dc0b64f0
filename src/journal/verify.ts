/** Recomputes every hash and signature of a journal, from the bytes that the store has. */
import { sha256 as noble } from '@noble/hashes/sha2.js'
import { extendLog, type LogHead, ProtocolError, signingInput, splitSigned } from '../../protocol/index.js'
import type { OnProgress, Verifier } from '../platform/seams.js'
import type { LogKey, Store } from '../store/store.js'
import type { Sha256 } from './library.js'
import { Log } from './log.js'
import { logName } from './names.js'

export interface VerifyProblem {
  readonly log: LogKey
  readonly sequence: number
  readonly message: string
}

export interface VerifyReport {
  readonly journal: string
  readonly logs: number
  readonly batches: number
  readonly records: number
  readonly problems: readonly VerifyProblem[]
}

export interface VerifyOptions {
  readonly store: Store
  readonly groupId: string
  readonly verifier: Verifier
  /** @default the one in JavaScript */
  readonly sha256?: Sha256
}

export async function verifyJournal(
  { store, groupId, verifier, sha256 = noble }: VerifyOptions,
  journal: string,
  onProgress?: OnProgress,
): Promise<VerifyReport> {
  const logs = new Map<string, Log>()
  const problems: VerifyProblem[] = []
  let batches = 0
  let records = 0
  for await (const chunk of store.read(journal, onProgress)) {
    for (const { log: key, sequence, signed } of chunk) {
      const log = logs.get(logName(key)) ?? new Log(groupId, key)
      logs.set(logName(key), log)
      batches++
      const outcome = await check(log, signed, verifier, sha256)
      if (typeof outcome === 'string') problems.push({ log: key, sequence, message: outcome })
      else {
        log.head = outcome.head
        records += outcome.records
      }
    }
  }
  return { journal, logs: logs.size, batches, records, problems }
}

async function check(
  log: Log,
  signed: Uint8Array,
  verifier: Verifier,
  sha256: Sha256,
): Promise<{ head: LogHead; records: number } | string> {
  try {
    const { signature, bytes } = splitSigned(signed)
    const batch = log.codec.decode(bytes)
    const head = extendLog(log.head, batch, sha256(signed))
    const isSigned = await verifier.verify(log.key.device, signingInput(log.id, sha256(bytes)), signature)
    return isSigned ? { head, records: batch.records.length } : 'The signature is wrong.'
  } catch (error) {
    if (error instanceof ProtocolError) return error.message
    throw error
  }
}
