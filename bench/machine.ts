/** What the figures were measured on. */
import { cpus, totalmem } from 'node:os'

export function machine(): string {
  const cores = cpus()
  const model = cores[0]?.model.trim() || 'unknown processor'
  const memory = Math.round(totalmem() / 2 ** 30)
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cores.length} × ${model}, ${memory} GiB`
}
