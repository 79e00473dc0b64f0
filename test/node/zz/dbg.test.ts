import { it } from 'vitest'
import { quickGroup, Workshop, recordsSeen } from '../group-kit.js'
it('dbg', async () => {
    const workshop = new Workshop()
    const group = await quickGroup(3, { setUp: (node, place) => { if (place > 0) node.handle('job', workshop.at(place)) } })
    const run = await group.during(group.device(0).node.submit('job'))
    await group.until(() => workshop.calls.length === 1)
    const first = workshop.last
    const sleeper = group.device(first.place)
    sleeper.node.addEventListener('node:sleep', ({ detail }) => console.log('sleep', detail, group.time.nowMs))
    sleeper.node.addEventListener('node:error', ({ detail }) => console.log('error', detail, group.time.nowMs))
    const seen = recordsSeen(sleeper.node)
    sleeper.sleep()
    await group.until(() => workshop.calls.length === 2)
    console.log('wake', group.time.nowMs)
    sleeper.wake()
    for (let i = 0; i < 40; i++) { await group.advance(250); if (first.reason()) break }
    console.log(group.time.nowMs, first.reason(), seen.map((r) => r.kind), run.view.owner === sleeper.id)
})
