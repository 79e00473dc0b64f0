import { type SeededRandom, seededRandom } from '../src/testing/seeded.js'
import { type Attack, type Attacker, attack } from './byzantine/index.js'
import { RETRY_STEP_MS } from './constants.js'
import type { SimDevice } from './devices/device.js'
import type { Conditions } from './network/conditions.js'
import { type Duration, msOfDuration } from './script/duration.js'
import { Stage } from './stage.js'

export class Faults extends Stage {
  readonly #chances = new Map<number, SeededRandom>()

  /** Only devices of one side reach each other. Those that no side names are together. */
  partition(sides: readonly (readonly number[])[]): void {
    const text = sides.map((side) => side.join(' ')).join(' | ')
    this.witness.disturbed('partition', text)
    this.witness.spans.begin('split', null, this.nowMs, text)
    this.network.partition(sides.map((side) => side.map((place) => this.device(place).id)))
  }

  /** Two devices lose each other; others still reach both. */
  sever(a: number, b: number): void {
    this.witness.disturbed('sever', `${a} and ${b}`)
    this.witness.spans.begin('split', null, this.nowMs, `${a} – ${b}`)
    this.network.sever(this.device(a).id, this.device(b).id)
  }

  /** Nothing gets from one to the other any more; the other way is open. */
  deafen(from: number, to: number): void {
    this.witness.disturbed('deafen', `${to} no longer hears ${from}`)
    this.witness.spans.begin('split', null, this.nowMs, `${from} ↛ ${to}`)
    this.network.block(this.device(from).id, this.device(to).id)
  }

  heal(): void {
    this.witness.disturbed('heal', '')
    this.witness.spans.end('split', null, this.nowMs)
    this.network.heal()
  }

  /** Changes what the network is like. */
  weather(conditions: Partial<Conditions>): void {
    const text = Object.entries(conditions)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
    this.witness.disturbed('network', text)
    this.witness.spans.begin('weather', null, this.nowMs, text)
    this.network.change(conditions)
  }

  /** The process dies, as by a power cut. */
  crash(place: number): void {
    const device = this.device(place)
    if (!device.isStarted) return
    this.witness.disturbed('crash', '', place)
    this.witness.spans.end('asleep', place, this.nowMs)
    this.witness.spans.begin('down', place, this.nowMs, 'crashed')
    this.witness.died(device)
    this.goOn(device.crash())
  }

  restart(place: number): void {
    const device = this.device(place)
    if (device.isStarted || device.isRevoked || this.#isAbsent(device)) return
    this.witness.disturbed('restart', '', place)
    this.#begin(device)
  }

  /** The process ends as it should: it hands back what it has. */
  leave(place: number): void {
    const device = this.device(place)
    if (!device.isUp || device.isAsleep) return
    this.witness.disturbed('leave', '', place)
    this.goOn(
      device.leave().then(() => {
        if (device.isStarted) return
        this.witness.died(device)
        this.witness.spans.begin('down', place, this.nowMs, 'left')
      }),
    )
  }

  /** A device that was not there from the beginning comes, and an admin lets it in. */
  join(place: number): void {
    const device = this.device(place)
    if (device.isStarted || device.isRevoked) return
    this.witness.disturbed('join', '', place)
    this.#begin(device)
    this.#admitSoon(device)
  }

  /** Puts a device out, for good. */
  revoke(place: number): void {
    const device = this.device(place)
    const admin = this.#admin(device)
    if (admin === undefined || device.isRevoked) return
    this.witness.disturbed('revoke', `by ${admin.place}`, place)
    device.isRevoked = true
    this.witness.spans.begin('revoked', place, this.nowMs)
    this.goOn(admin.node.group.revoke(device.id))
  }

  /** The lid is shut: no timers, no messages, no monotonic time; the wall clock goes on. */
  sleep(place: number): void {
    const device = this.device(place)
    if (!device.isUp || device.isAsleep) return
    this.witness.disturbed('sleep', '', place)
    this.witness.spans.begin('asleep', place, this.nowMs)
    device.sleep()
  }

  wake(place: number): void {
    const device = this.device(place)
    if (!device.isAsleep) return
    this.witness.disturbed('wake', '', place)
    this.witness.spans.end('asleep', place, this.nowMs)
    device.wake()
  }

  /** Its event loop is busy for so long. */
  stall(place: number, time: Duration): void {
    const device = this.device(place)
    if (!device.isUp || device.isAsleep) return
    const ms = msOfDuration(time)
    this.witness.disturbed('stall', `${ms} ms`, place)
    this.witness.spans.begin('stalled', place, this.nowMs)
    this.world.after(ms, () => this.witness.spans.end('stalled', place, this.nowMs))
    device.clock.block(ms)
  }

  /** Its wall clock is set forth or back. */
  skew(place: number, ms: number): void {
    this.witness.disturbed('skew', `${ms} ms`, place)
    this.device(place).setClock(ms)
  }

  drift(place: number, by: number): void {
    this.witness.disturbed('drift', `${by}`, place)
    if (this.device(place).isStarted) this.device(place).clock.drift(by)
  }

  /** Its disk is full, slow, or gets a bad sector that shows at the next crash. */
  disk(
    place: number,
    change: { full?: boolean | undefined; slowMs?: number | undefined; damage?: boolean | undefined },
  ): void {
    const { disk } = this.device(place)
    const { full, slowMs, damage } = change
    this.witness.disturbed('disk', JSON.stringify(change), place)
    if (full !== undefined) disk.isFull = full
    if (slowMs !== undefined) disk.slowMs = slowMs
    if (damage === true) disk.damage()
    if (disk.isFull || disk.slowMs > 0)
      this.witness.spans.begin('disk', place, this.nowMs, JSON.stringify(change))
    else this.witness.spans.end('disk', place, this.nowMs)
  }

  /** A member turns evil: from now on it does more than its node does. */
  attack(place: number, kind: Attack): void {
    const device = this.device(place)
    if (!device.isUp || device.isAsleep || device.isRevoked) return
    this.witness.disturbed('attack', kind, place)
    if (!device.isByzantine) this.witness.spans.begin('byzantine', place, this.nowMs)
    device.isByzantine = true
    this.goOn(attack(this.#attacker(device), kind))
  }

  /** What a device does evil by: one for all its attacks, or each would draw the same. */
  #chanceOf(place: number): SeededRandom {
    const random = this.#chances.get(place) ?? seededRandom(this.seed * 131 + place)
    this.#chances.set(place, random)
    return random
  }

  #attacker(device: SimDevice): Attacker {
    const { signer, transport, clock, place } = device
    return {
      group: this.group,
      signer,
      transport,
      clock,
      random: this.#chanceOf(place),
      incarnation: () => device.incarnation,
      views: () => device.inside?.book.views ?? [],
      recordsOf: (run) => device.inside?.book.records(run) ?? [],
      others: () => this.devices.filter((other) => other !== device && other.isAdmitted).map(({ id }) => id),
      heard: () => this.witness.wire,
    }
  }

  #isAbsent(device: SimDevice): boolean {
    return (
      device.spec.joinsLater &&
      !this.witness.disturbances.some(({ kind, place }) => kind === 'join' && place === device.place)
    )
  }

  #begin(device: SimDevice): void {
    const { place } = device
    this.goOn(
      device.begin(this.group).then(() => {
        this.witness.spans.end('down', place, this.nowMs)
        this.witness.spans.end('absent', place, this.nowMs)
      }),
    )
  }

  #admin(except: SimDevice): SimDevice | undefined {
    return this.devices.find(
      (device) =>
        device !== except &&
        device.isActive &&
        !device.isRevoked &&
        !device.isByzantine &&
        !device.disk.isFull &&
        (device.place === 0 || device.spec.role === 'admin'),
    )
  }

  /** As soon as an admin is there. */
  #admitSoon(device: SimDevice): void {
    const admin = this.#admin(device)
    if (admin === undefined) this.world.after(RETRY_STEP_MS, () => this.#admitSoon(device))
    else this.goOn(this.admit(admin, device))
  }
}
