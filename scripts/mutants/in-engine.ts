/** Bugs in the engine and in what carries out its decisions. */
import { CHORES, SMALL } from './draws.js'
import { edit, type Mutant } from './mutant.js'

export const IN_ENGINE: readonly Mutant[] = [
  {
    name: 'newcomer-does-not-listen',
    what: 'A device that has just started takes silence that it could not hear for death.',
    edits: [
      edit(
        'src/engine/peers.ts',
        'return now.monoMs - Math.max(heardMs, this.#listeningSinceMs)',
        'return now.monoMs - heardMs',
      ),
      edit(
        'src/engine/others.ts',
        'return now.monoMs - sinceMs > timeoutMs && peers.isGone(device, timeoutMs, now)',
        'return now.monoMs >= sinceMs && peers.isGone(device, timeoutMs, now)',
      ),
    ],
    hunt: { story: 'newcomers', seeds: 8 },
  },
  {
    name: 'act-before-durable',
    what: 'A handler begins before its claim and its start are on the disk.',
    edits: [
      edit(
        'src/engine/taking.ts',
        '    state.append(tracked, takingDrafts(run, assignment))\n  } else if (isYoung(state, faults)) {',
        "    state.append(tracked, takingDrafts(run, assignment))\n    state.emit({ type: 'work', run, assignment })\n  } else if (isYoung(state, faults)) {",
      ),
    ],
    hunt: { draw: { ...SMALL, faults: [] }, seeds: 4 },
  },
  {
    name: 'impatient',
    what: 'A device is given up after a third of the time.',
    edits: [
      edit(
        'src/engine/peers.ts',
        '    const age = this.ageOf(device, now)\n    const peer = this.#peers.get(device)\n    if (this.hasLeft(device)) return true\n',
        '    const age = 3 * this.ageOf(device, now)\n    const peer = this.#peers.get(device)\n    if (this.hasLeft(device)) return true\n',
      ),
    ],
    hunt: { draw: { ...SMALL, devices: 2, faults: ['stalls'] }, seeds: 10 },
  },
  {
    name: 'no-stagger',
    what: 'Everyone reassigns at once.',
    edits: [
      edit(
        'src/engine/turns.ts',
        'return line.find(({ device }) => device === state.me)?.delayMs ?? null',
        'return line.some(({ device }) => device === state.me) ? 0 : null',
      ),
    ],
    hunt: { story: 'deaths', seeds: 6 },
  },
  {
    name: 'contest-unanswered',
    what: 'An owner whose fence is not the highest does not rise above the other.',
    edits: [
      edit(
        'src/engine/work.ts',
        "  if (view.contested) {\n    riseAbove(state, tracked, work)\n    return 'keep'\n  }\n",
        '',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: ['partitions', 'links'] }, seeds: 15 },
  },
  {
    name: 'constant-fence',
    what: 'Handlers are shown one fence for all.',
    edits: [
      edit(
        'src/node/shift-context.ts',
        'return now?.id === this.#shift.assignment ? now.fence : this.#granted',
        'return now?.id === this.#shift.assignment ? 1 : this.#granted',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: ['crashes'] }, seeds: 6 },
  },
  {
    name: 'two-handlers',
    what: 'A handler is called twice for one assignment.',
    edits: [
      edit(
        'src/node/crew.ts',
        'if (view === null || this.#shifts.has(keyOf(run, assignment))) return',
        'if (view === null) return',
      ),
      edit(
        'src/engine/work.ts',
        "  if (lease === null) state.emit({ type: 'work', run, assignment })\n",
        "  if (lease === null) state.emit({ type: 'work', run, assignment })\n  if (lease === null) state.emit({ type: 'work', run, assignment })\n",
      ),
    ],
    hunt: { draw: { ...SMALL, faults: [] }, seeds: 3 },
  },
  {
    name: 'slot-never-freed',
    what: 'The slot of a run that ended is not given back.',
    edits: [
      edit(
        'src/engine/state.ts',
        '    tracked.hasSlot = false\n    this.freeSlot(tracked.view.created.type)\n',
        '    tracked.hasSlot = false\n',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: [] }, seeds: 4 },
  },
  {
    name: 'overbooked',
    what: 'A device does not count what it works on, and takes more runs than it has slots.',
    edits: [
      edit(
        'src/engine/candidates.ts',
        '      active: state.used,\n      load: loadOfLocal(local),',
        '      active: 0,\n      load: loadOfLocal(local),',
      ),
    ],
    hunt: { draw: { ...SMALL, runs: 60, devices: 2, faults: ['crashes'] }, seeds: 8 },
  },
  {
    name: 'silent-while-busy',
    what: 'A device that works sends no beacons.',
    edits: [
      edit(
        'src/engine/clockwork.ts',
        'function nextBeaconMs({ pulse, local }: EngineState): number {\n  if (local === null) return Number.POSITIVE_INFINITY\n',
        'function nextBeaconMs({ pulse, local, used }: EngineState): number {\n  if (local === null || used > 0) return Number.POSITIVE_INFINITY\n',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: [] }, seeds: 6 },
  },
  {
    name: 'drain-counts-as-failure',
    what: 'A device that closes says that its runs failed, and does not hand them back.',
    edits: [
      edit(
        'src/engine/conclusion.ts',
        "      return { kind: 'released', run, assignment, reason: 'drain' }\n",
        "      return failedDraft(view, assignment, { code: 'SHUTDOWN', message: 'It closed.' }, false)\n",
      ),
    ],
    hunt: { draw: { ...SMALL, faults: ['churn'] }, seeds: 10 },
  },
  {
    name: 'preempted-not-released',
    what: 'A run that had to make room is stopped and not given back.',
    edits: [
      edit(
        'src/engine/conclusion.ts',
        "    case 'paused':\n    case 'preempted':\n      return { kind: 'released', run, assignment, reason: stopping }\n",
        "    case 'paused':\n      return { kind: 'released', run, assignment, reason: stopping }\n    case 'preempted':\n      return null\n",
      ),
    ],
    hunt: { draw: { ...SMALL, devices: 2, runs: 60, faults: CHORES }, seeds: 10 },
  },
  {
    name: 'parked-for-ever',
    what: 'A run that nobody could take is not looked at again.',
    edits: [
      edit(
        'src/engine/assign.ts',
        'wakeAt(state, tracked, isParked ? tracked.parkedUntilMs : null)',
        'wakeAt(state, tracked, null)',
      ),
    ],
    hunt: { draw: { ...SMALL, devices: 3, runs: 60, faults: CHORES }, seeds: 15 },
  },
  {
    name: 'timer-not-rearmed',
    what: 'Once the engine’s timer has fired, nobody sets it again.',
    edits: [
      edit(
        'src/engine/step.ts',
        "if (timerMs < state.pulse.timerMs || event.type === 'wake') {",
        'if (timerMs < state.pulse.timerMs) {',
      ),
      edit(
        'src/engine/step.ts',
        '      state.pulse.timerMs = Number.POSITIVE_INFINITY\n      lookAtSilent(state)\n',
        '      lookAtSilent(state)\n',
      ),
      edit(
        'src/node/core.ts',
        'if (this.#cancelTimer === null) this.#setTimer(this.#clock.monotonicMs() + FAULT_WAIT_MS)',
        '',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: [] }, seeds: 3 },
  },
  {
    name: 'never-written-again',
    what: 'What could not be written, as the disk was full, is not tried again.',
    edits: [
      edit(
        'src/engine/appended.ts',
        '  else state.timers.set(tracked.timer, state.now.monoMs + REWRITE_MS)\n',
        '',
      ),
    ],
    hunt: { story: 'full-disk', seeds: 6 },
  },
  {
    name: 'never-lets-go',
    what: 'A handler goes on though its run is another’s.',
    edits: [
      edit(
        'src/engine/work.ts',
        "return wasTimedOut(before) && gapMs > timeoutOf(tracked.view) ? 'lapsed' : 'superseded'",
        "return wasTimedOut(before) && gapMs < 0 ? 'lapsed' : 'keep'",
      ),
    ],
    hunt: { draw: { ...SMALL, faults: ['sleep', 'stalls', 'partitions'] }, seeds: 10 },
  },
  {
    name: 'sleep-unnoticed',
    what: 'A device does not notice that it slept.',
    edits: [
      edit(
        'src/engine/clockwork.ts',
        '  if (lateMs <= slackMs && frozenMs <= slackMs) return\n',
        '  if (lateMs <= slackMs || frozenMs >= 0) return\n',
      ),
    ],
    hunt: { story: 'nap', seeds: 6 },
  },
  {
    name: 'gives-up-early',
    what: 'A run fails for good one attempt too early.',
    edits: [
      edit(
        'src/engine/records.ts',
        'const isLast = attempt >= view.attemptsAllowed\n',
        'const isLast = attempt >= view.attemptsAllowed - 1\n',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: CHORES }, seeds: 6 },
  },
  {
    name: 'refusals-forgotten',
    what: 'A run is offered again at once to whoever refused it.',
    edits: [
      edit(
        'src/engine/assign.ts',
        '  const needs = needsOf(view, state.now.wallMs)\n  const placement = placementFor(state, needs, forgivingFor(tracked))\n',
        '  const needs = { ...needsOf(view, state.now.wallMs), exclusions: NONE }\n  const placement = placementFor(state, needs, forgivingFor(tracked))\n',
      ),
    ],
    hunt: { draw: { ...SMALL, runs: 40, faults: CHORES }, seeds: 10 },
  },
  {
    name: 'never-abandons',
    what: 'A handler that ignores its signal is waited for without end.',
    edits: [
      edit(
        'src/engine/work.ts',
        '  work.graceEndsMs = state.now.monoMs + state.config.abortGraceMs\n',
        '  work.graceEndsMs = Number.POSITIVE_INFINITY\n',
      ),
    ],
    hunt: { draw: { ...SMALL, runs: 40, faults: CHORES }, seeds: 6 },
  },
  {
    name: 'clock-overcorrected',
    what: 'A device corrects its clock by ten times what it is off.',
    edits: [
      edit(
        'src/engine/clockwork.ts',
        '  state.pulse.skewMs += Math.round(skewMs)\n',
        '  state.pulse.skewMs += 10 * Math.round(skewMs)\n',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: ['clocks'] }, seeds: 8 },
  },
  {
    name: 'profile-with-every-beacon',
    what: 'A device writes down what it is with every beacon, changed or not.',
    edits: [
      edit(
        'src/node/facts.ts',
        'return equalBytes(encodeCbor(fields), encodeCbor(draft)) ? null : draft',
        'return draft',
      ),
      edit(
        'src/node/works.ts',
        '  #sendBeacon(beacon: BeaconDraft): void {\n',
        '  #sendBeacon(beacon: BeaconDraft): void {\n    this.#profile.soon()\n',
      ),
    ],
    hunt: { draw: { ...SMALL, faults: [] }, seeds: 3 },
  },
]
