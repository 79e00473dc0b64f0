/**
 * Two devices share work, lose each other, and agree again. `npm run example two-devices`
 *
 * The nodes are real; clock and network are those of `dibs/testing`, so that the story of an hour takes no time.
 */
import { z } from 'zod'
import { defineRun, type Run } from '../src/index.js'
import { createTestGroup } from '../src/testing/index.js'

const render = defineRun({
  type: 'film.render',
  input: z.object({ film: z.string(), scenes: z.int() }),
  output: z.object({ url: z.string(), by: z.string(), from: z.int() }),
  heartbeat: { intervalMs: 1000, timeoutMs: 3000 },
})

const group = await createTestGroup(2, {
  device: (place) => ({
    name: ['laptop', 'desktop'][place],
    class: place === 0 ? 'laptop' : 'desktop',
    heartbeat: { intervalMs: 1000, timeoutMs: 3000 },
  }),
})
const laptop = group.device(0)
const desktop = group.device(1)

/** A scene takes ten seconds. */
function work(device: typeof laptop): void {
  const { node, clock } = device
  node.handle(render, async ({ film, scenes }, ctx) => {
    const from = (ctx.checkpoint as { scene: number } | null)?.scene ?? 0
    for (let scene = from; scene < scenes; scene++) {
      ctx.progress({ scene })
      await new Promise<void>((resolve) => {
        clock.setTimer(10_000, resolve)
        ctx.signal.addEventListener('abort', () => resolve())
      })
      ctx.signal.throwIfAborted()
    }
    return { url: `films/${film}.mp4`, by: ['laptop', 'desktop'][device.place] ?? '', from }
  })
}

function say(title: string, run: Run<unknown>): void {
  console.log(`\n${title}`)
  for (const sentence of run.explain().sentences.slice(0, 3)) console.log(`  ${sentence}`)
}

work(desktop)
await group.advance(2000)
const run = await group.during(laptop.node.submit(render, { film: 'holiday', scenes: 6 }))
await group.until(() => run.state === 'processing')
say('The laptop has no handler: the desktop does it.', run)

work(laptop)
await group.advance(25_000)
desktop.crash()
await group.advance(1000)
say('The desktop loses its power.', run)

await group.until(() => run.view.owner === laptop.id && run.state === 'processing')
say('The laptop takes over, from the last checkpoint.', run)

const { url, by, from } = await group.during(run.result())
console.log(`\n${url}, finished by the ${by}, which began at scene ${from}.`)
console.log(
  `  Its history: ${run
    .history()
    .map(({ reason }) => reason ?? 'completed')
    .join(', then ')}.`,
)

await desktop.restart()
group.partition([[0], [1]])
const alone = await group.during(laptop.node.submit(render, { film: 'birthday', scenes: 1 }))
await group.during(alone.result())
say('Cut off from each other, the laptop goes on alone.', alone)

group.heal()
await group.until(() => desktop.node.runs.view(alone.id) !== null)
console.log(`\nTogether again: the desktop knows that it is ${desktop.node.runs.view(alone.id)?.state}.`)
await group.close()
