/** The device's private key among the items of a store: where there are no files, or the app brought the store. */
import { Ed25519Signer } from './signer.js'

const IDENTITY_ITEM = 'identity'

/** What is used of a store. */
interface Items {
  getItem(name: string): Promise<Uint8Array | null>
  putItem(name: string, value: Uint8Array): Promise<void>
}

/** The identity that is kept in a store; a new one if it has none. */
export async function identityAmong(store: Items): Promise<Ed25519Signer> {
  const raw = await store.getItem(IDENTITY_ITEM)
  if (raw !== null) return Ed25519Signer.fromRaw(raw)
  const signer = await Ed25519Signer.generate()
  await store.putItem(IDENTITY_ITEM, signer.toRaw())
  return signer
}
