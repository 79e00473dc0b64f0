import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { createNode } from '../src/index.js'
const [mode='durable', subs='64', n='12000', reps='3', slots='256'] = process.argv.slice(2)
for (let r = 0; r < Number(reps); r++) {
  const dir = mkdtempSync(join(tmpdir(), 'nb-'))
  const node = await createNode({ storage: mode === 'durable' ? dir : 'memory', slots: Number(slots) })
  const N = Number(n)
  const seen = new Uint8Array(N)
  let done = 0
  let resolveAll: () => void = () => {}
  const all = new Promise<void>((r) => { resolveAll = r })
  const lats: number[] = []
  const at = new Float64Array(N)
  node.handle('noop', async (input) => { const i = (input as {n: number}).n; seen[i]!++; lats.push(performance.now() - at[i]!); return null }, { concurrency: Number(slots) })
  await new Promise((r) => setTimeout(r, 50))
  node.addEventListener('run:completed', () => { if (++done === N) resolveAll() })
  let begun = 0
  const t = performance.now()
  await Promise.all(Array.from({ length: Number(subs) }, async () => {
    while (begun < N) { const i = begun++; at[i] = performance.now(); await node.submit('noop', { n: i }) }
  }))
  const tsub = performance.now() - t
  await all
  const ms = performance.now() - t
  lats.sort((a,b)=>a-b)
  console.log(mode, subs, Math.round(N / ms * 1000), 'runs/s; submitted in', Math.round(tsub), 'of', Math.round(ms), 'bad', seen.filter((x) => x !== 1).length, 'pickup p50', lats[N>>1]!.toFixed(3), 'p99', lats[Math.floor(N*.99)]!.toFixed(3))
  await node.close()
  rmSync(dir, { recursive: true, force: true })
}
