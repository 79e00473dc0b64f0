import { describe, expect, it } from 'vitest'
import { groupId } from '../../protocol/index.js'
import { MemoryNetwork } from '../../src/network/index.js'
import { systemClock, turn } from '../../src/platform/index.js'
import { type MemoryTransport, transportSuite, VirtualTime } from '../../src/testing/index.js'
import { deviceNumber } from '../../src/testing/store/kit.js'

const test = { describe, it, expect }
const group = groupId(deviceNumber(0), 4096)

function setOf(network: MemoryNetwork, count: number, transport: () => MemoryTransport) {
  return {
    group,
    members: Array.from({ length: count }, (_, i) => ({ transport: transport(), device: deviceNumber(i) })),
    cut: (a: string, b: string) => network.sever(a, b),
    heal: () => network.heal(),
  }
}

transportSuite({
  name: 'the network in memory, by microtasks,',
  test,
  create: (count) => {
    const network = new MemoryNetwork({ clock: systemClock })
    return { ...setOf(network, count, () => network.transport()), settle: turn }
  },
})

transportSuite({
  name: 'the network in memory, by the devices’ clocks,',
  test,
  create: (count) => {
    const time = new VirtualTime()
    const network = new MemoryNetwork({ clock: time.clock(), latencyMs: 5 })
    const set = setOf(network, count, () => network.transport({ clock: time.clock() }))
    return { ...set, settle: () => time.advance(5) }
  },
})
