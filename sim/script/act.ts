/** Does one step of a script. What cannot be done at that moment, as the device is down, is left undone. */
import type { RunId } from '../../protocol/index.js'
import type { Lease } from '../../src/node/lease.js'
import type { Run } from '../../src/node/run.js'
import type { SubmitOptions } from '../../src/node/submit-options.js'
import type { SimDevice } from '../devices/device.js'
import type { Conditions } from '../network/conditions.js'
import type { Simulation } from '../simulation.js'
import { msOfDuration } from './duration.js'
import type { Action, Job, Step } from './types.js'

type Do<K extends Action['do']> = Extract<Action, { readonly do: K }>

/** Milliseconds that a lease lasts without a heartbeat. */
const LEASE_MS = 60_000

export function act(simulation: Simulation, step: Step): void {
  const does = DOES[step.do] as ((simulation: Simulation, step: Step) => void) | undefined
  if (does === undefined) command(simulation, step as Exclude<Command, Do<'submit'>>)
  else does(simulation, step)
}

/** What each step does; those that are not here are commands to runs. */
const DOES: { readonly [K in Action['do']]?: (simulation: Simulation, step: Do<K>) => void } = {
  partition: (simulation, { sides }) => simulation.partition(sides),
  sever: (simulation, { devices }) => simulation.sever(...devices),
  deafen: (simulation, { from, to }) => simulation.deafen(from, to),
  heal: (simulation) => simulation.heal(),
  network: (simulation, { do: _do, ...step }) => {
    const { at: _at, ...conditions } = step as typeof step & { readonly at: unknown }
    simulation.weather(conditions as Partial<Conditions>)
  },
  crash: (simulation, { device }) => simulation.crash(device),
  restart: (simulation, { device }) => simulation.restart(device),
  leave: (simulation, { device }) => simulation.leave(device),
  join: (simulation, { device }) => simulation.join(device),
  revoke: (simulation, { device }) => simulation.revoke(device),
  wake: (simulation, { device }) => simulation.wake(device),
  sleep,
  stall: (simulation, { device, for: time }) => simulation.stall(device, time),
  skew: (simulation, { device, ms }) => simulation.skew(device, ms),
  drift: (simulation, { device, by }) => simulation.drift(device, by),
  disk: (simulation, { device, full, slowMs, damage }) => simulation.disk(device, { full, slowMs, damage }),
  attack: (simulation, { device, kind }) => simulation.attack(device, kind),
  submit,
  pull,
}

function sleep(simulation: Simulation, { device, for: time }: Do<'sleep'>): void {
  simulation.sleep(device)
  if (time !== undefined) simulation.world.after(msOfDuration(time), () => simulation.wake(device))
}

function submit(simulation: Simulation, step: Do<'submit'>): void {
  const { device: place, type, count, job, options } = step
  onceFree(simulation.device(place), () => {
    for (let i = 0; i < count; i++) {
      const name = count === 1 ? step.run : `${step.run}.${i + 1}`
      const sent = simulation.send(place, type, { ...job }, { ...options } as SubmitOptions, { name, job })
      simulation.goOn(sent)
    }
  })
}

/** Pulls one run and does it, or forgets it. */
function pull(simulation: Simulation, { device: place, forgets }: Do<'pull'>): void {
  const device = simulation.device(place)
  const work = async (): Promise<void> => {
    const lease = await device.node.leaseNext({ leaseMs: LEASE_MS })
    if (lease !== null) await hold(simulation, device, lease, forgets)
  }
  onceFree(device, () => simulation.goOn(work()))
}

async function hold(
  simulation: Simulation,
  device: SimDevice,
  lease: Lease,
  forgets: boolean,
): Promise<void> {
  const execution = simulation.execution(device, lease.run, lease, true)
  if (forgets) return
  const { ms, fails } = lease.input as unknown as Job
  for (let leftMs = ms; leftMs > 0 && !lease.signal.aborted; leftMs -= LEASE_MS / 2) {
    await device.delay(Math.min(leftMs, LEASE_MS / 2))
    if (!lease.signal.aborted) lease.heartbeat()
  }
  simulation.witness.ended(
    execution,
    lease.signal.aborted ? 'stopped' : lease.attempt <= fails ? 'threw' : 'returned',
  )
  if (lease.signal.aborted) return
  if (lease.attempt <= fails) await lease.fail(new Error('no luck'))
  else await lease.complete(`pulled by ${device.place}`)
}

type Command = Extract<Action, { readonly run: string }>

/** What a person does to a run on a device, if that knows it. */
function command(simulation: Simulation, step: Exclude<Command, Do<'submit'>>): void {
  const device = simulation.device(step.device)
  onceFree(device, () => {
    const id = runCalled(simulation, step.run)
    const run = id === null ? null : device.node.runs.get(id)
    if (id === null || run === null) return
    simulation.witness.note('command', step.do, device.place, id)
    if (step.do === 'cancel') simulation.witness.cancelled(id)
    simulation.goOn(carryOut(run, step))
  })
}

function carryOut(run: Run<unknown>, step: Exclude<Command, Do<'submit'>>): Promise<void> {
  return step.do === 'expedite' ? run.expedite(step.priority) : run[step.do]()
}

function runCalled({ witness }: Simulation, name: string): RunId | null {
  return witness.asked.find((asked) => asked.name === name)?.acknowledged?.run ?? null
}

/** What people and apps want of a process whose event loop is blocked happens once it is free, unless it dies before. */
function onceFree(device: SimDevice, act: () => void): void {
  if (device.isActive) act()
  else if (device.isUp && !device.isAsleep) device.clock.setTimer(0, () => device.isUp && act())
}
