/**
 * The smallest: one device, one run. `npm run example first`
 *
 * In your app the first import is from 'dibs'. With `storage: './data'` all of it would outlive the process.
 */
import { z } from 'zod'
import { createNode, defineRun } from '../src/index.js'

const greet = defineRun({
  type: 'greet',
  input: z.object({ name: z.string() }),
  output: z.string(),
})

const node = await createNode()
node.handle(greet, async ({ name }) => `Hello, ${name}!`)

const run = await node.submit(greet, { name: 'world' })
console.log(await run.result())

await node.close()
