/** What goes wrong in a swarm, and what people do to its runs. */
import type { Run } from '../../src/index.js'
import type { SeededRandom, TestDevice, TestDeviceOptions, TestGroup } from '../../src/testing/index.js'

/** Most devices that a swarm grows to. */
const MAX_DEVICES = 7

/** Where things go wrong. */
export interface Scene {
  readonly group: TestGroup
  readonly random: SeededRandom
  optionsOf(place: number): TestDeviceOptions
  /** Gives a node its handlers. */
  equip(place: number): void
}

export type Fault = (scene: Scene) => void | Promise<void>

/** What can go wrong, by name. Each seed draws which of them do. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  partition: ({ group, random }) => {
    const places = group.devices.map(({ place }) => place)
    const side = places.filter(() => random.below(2) === 0)
    group.partition([side, places.filter((place) => !side.includes(place))])
  },
  heal: ({ group }) => group.heal(),
  sever: (scene) => scene.group.network.sever(anyDevice(scene).id, anyDevice(scene).id),
  deafen: (scene) => scene.group.network.block(anyDevice(scene).id, anyDevice(scene).id),
  lose: ({ group, random }) => group.network.setLoss(random.pick([0, 0.1, 0.5])),
  crash: (scene) => anyUp(scene)?.crash(),
  restart: async (scene) => {
    const down = scene.group.devices.find(({ isUp }) => !isUp)
    if (down === undefined) return
    await down.restart()
    scene.equip(down.place)
  },
  leave: async (scene) => {
    const device = anyUp(scene)
    if (device === undefined || device.clock.isAsleep) return
    await scene.group.during(device.close())
  },
  sleep: (scene) => anyUp(scene)?.sleep(),
  wake: ({ group }) => {
    for (const device of group.devices) if (device.isUp) device.wake()
  },
  block: (scene) => anyUp(scene)?.block(scene.random.below(8000)),
  jump: (scene) => anyUp(scene)?.jump(scene.random.below(60_000) - 30_000),
  join: async (scene) => {
    const { group } = scene
    const founder = group.device(0)
    if (group.devices.length >= MAX_DEVICES || !founder.isUp || founder.clock.isAsleep) return
    const { place } = await group.add(scene.optionsOf(group.devices.length))
    scene.equip(place)
  },
}

/** What people do to runs that are there. */
export const COMMANDS: Readonly<Record<string, (run: Run, random: SeededRandom) => Promise<void>>> = {
  pause: (run) => run.pause(),
  resume: (run) => run.resume(),
  cancel: (run) => run.cancel(),
  expedite: (run, random) => run.expedite(random.below(30) - 15),
  retry: (run) => run.retry(),
  release: (run) => run.release(),
  reassign: (run) => run.reassign(),
}

function anyDevice({ group, random }: Scene): TestDevice {
  return random.pick(group.devices)
}

/** One that is up; the first, which can do everything, less often. */
function anyUp({ group, random }: Scene): TestDevice | undefined {
  const up = group.devices.filter(({ isUp, place }) => isUp && (place > 0 || random.below(3) === 0))
  return up.length === 0 ? undefined : random.pick(up)
}
