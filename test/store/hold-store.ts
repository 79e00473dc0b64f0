/** A process that opens a store, says so, and holds it until it is killed. */
import { nodePlatform } from '../../src/platform/node/index.js'
import { openLevelStore } from '../../src/store/index.js'

await openLevelStore({ location: process.argv[2] as string, platform: nodePlatform })
process.stdout.write('open\n')
setInterval(() => {}, 1000)
