/** Proofs that a device forked its log: kept in the store, readable by anyone who wants to know why it was frozen. */
import { decodeCbor, encodeCbor } from '../../protocol/cbor.js'
import type { Store } from '../store/store.js'
import type { Journal } from './journal.js'
import type { EquivocationProof, Log } from './log.js'

const PROOF_ITEM = 'proof/'

/**
 * Keeps the proof and freezes the log. False if it was frozen before. Of several proofs the earliest place is kept: what
 * stands before it is the same everywhere.
 */
export async function keepProof(
  store: Store,
  within: Journal,
  log: Log,
  proof: EquivocationProof,
): Promise<boolean> {
  const isFirst = log.proof === null
  if (log.proof !== null && log.proof.sequence <= proof.sequence) return false
  const { journal, device, incarnation } = proof.log
  const value = encodeCbor([journal, device, incarnation, proof.sequence, proof.kept, proof.other])
  await store.putItem(`${PROOF_ITEM}${journal}/${log.name}`, value)
  within.freeze(log, proof)
  return isFirst
}

/** All proofs that were ever kept. */
export async function readProofs(store: Store): Promise<readonly EquivocationProof[]> {
  const items = await store.items(PROOF_ITEM)
  return [...items.values()].map((value) => {
    const [journal, device, incarnation, sequence, kept, other] = decodeCbor(value, 1) as [
      string,
      string,
      number,
      number,
      Uint8Array,
      Uint8Array,
    ]
    return { log: { journal, device, incarnation }, sequence, kept, other }
  })
}
