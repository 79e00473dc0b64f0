/** The canonical bytes of views, each made once: several oracles compare the same ones. */
import { encodeView, type RunView } from '../../protocol/index.js'

const known = new WeakMap<RunView, Uint8Array>()

export function bytesOf(view: RunView): Uint8Array {
  const there = known.get(view)
  if (there !== undefined) return there
  const bytes = encodeView(view)
  known.set(view, bytes)
  return bytes
}
