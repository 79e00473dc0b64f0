/** Whether the steps of a script go with its devices, with its time, and with each other. */
import { msOfDuration } from './duration.js'
import type { JsonPath } from './json-scan.js'
import { nearest } from './nearest.js'
import type { Script, Step } from './types.js'

export interface Nonsense {
  readonly path: JsonPath
  readonly message: string
}

export function nonsenseIn(script: Script): readonly Nonsense[] {
  const found: Nonsense[] = []
  if (script.devices[0]?.joinsLater === true)
    found.push({
      path: ['devices', 0, 'joinsLater'],
      message: 'is true, but the first device founds the group: let another one join later.',
    })
  const { intervalMs, timeoutMs } = script.heartbeat
  if (timeoutMs <= intervalMs)
    found.push({
      path: ['heartbeat', 'timeoutMs'],
      message: `is ${timeoutMs}, no longer than the interval: write more than ${intervalMs}, best three times as much.`,
    })
  const names = runNames(script)
  const taken = new Set<string>()
  script.steps.forEach((step, place) => {
    for (const { path, message } of [
      ...inTime(script, step),
      ...ofDevices(script, step),
      ...ofRoles(script, step),
      ...ofRuns(step, names, taken),
    ])
      found.push({ path: ['steps', place, ...path], message })
  })
  return found
}

/** Without the steps that mean nothing: those after the end, and those about runs that nobody submits. */
export function sensible(script: Script): Script {
  for (let now = script; ; ) {
    const bad = new Set(nonsenseIn(now).flatMap(({ path: [of, place] }) => (of === 'steps' ? [place] : [])))
    if (bad.size === 0) return now
    now = { ...now, steps: now.steps.filter((_, place) => !bad.has(place)) }
  }
}

function* inTime({ lasts }: Script, { at }: Step): Iterable<Nonsense> {
  if (msOfDuration(at) > msOfDuration(lasts))
    yield { path: ['at'], message: `is ${at}, after the end: write at most ${lasts}, or a longer “lasts”.` }
}

function* ofDevices({ devices }: Script, step: Step): Iterable<Nonsense> {
  const seen = new Set<number>()
  for (const [path, place] of placesOf(step)) {
    if (place >= devices.length)
      yield {
        path,
        message: `is ${place}, and there ${countOf(devices.length)}: write ${rangeTo(devices.length - 1)}.`,
      }
    else if (seen.has(place)) yield { path, message: `is ${place} once more: name each device once.` }
    seen.add(place)
  }
}

/** An admin may put anyone out: nothing is promised to who is left. */
function* ofRoles({ devices }: Script, step: Step): Iterable<Nonsense> {
  if (step.do !== 'attack' || step.kind !== 'revoke-others') return
  if (step.device !== 0 && devices[step.device]?.role !== 'admin') return
  yield {
    path: ['kind'],
    message:
      `is “revoke-others” by device ${step.device}, an admin, who has the right to: ` +
      'let a member or an observer do it.',
  }
}

function placesOf(step: Step): readonly (readonly [JsonPath, number])[] {
  switch (step.do) {
    case 'partition':
      return step.sides.flatMap((side, i) => side.map((place, j) => [['sides', i, j], place] as const))
    case 'sever':
      return step.devices.map((place, i) => [['devices', i], place] as const)
    case 'deafen':
      return [
        [['from'], step.from],
        [['to'], step.to],
      ]
    case 'heal':
    case 'network':
      return []
    default:
      return [[['device'], step.device]]
  }
}

function* ofRuns(step: Step, names: ReadonlySet<string>, taken: Set<string>): Iterable<Nonsense> {
  if (step.do === 'submit') {
    if (taken.has(step.run))
      yield {
        path: ['run'],
        message: `is “${step.run}”, which another submit has: give each a name of its own.`,
      }
    taken.add(step.run)
  } else if ('run' in step && !names.has(step.run)) {
    const near = names.has(`${step.run}.1`) ? `${step.run}.1` : nearest(step.run, names)
    const instead = near === null ? 'write the name that a submit gives' : `did you mean “${near}”?`
    yield {
      path: ['run'],
      message: `is “${step.run}”, which no submit makes: ${instead}${near === null ? '.' : ''}`,
    }
  }
}

/** A submit of several runs numbers them: `mail.1`, `mail.2` … */
function runNames({ steps }: Script): ReadonlySet<string> {
  const names = new Set<string>()
  for (const step of steps) {
    if (step.do !== 'submit') continue
    if (step.count === 1) names.add(step.run)
    else for (let i = 1; i <= step.count; i++) names.add(`${step.run}.${i}`)
  }
  return names
}

function countOf(devices: number): string {
  return devices === 1 ? 'is 1 device' : `are ${devices} devices`
}

function rangeTo(last: number): string {
  return last === 0 ? '0' : `0 to ${last}`
}
