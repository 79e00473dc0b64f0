/** `equal-views`, `one-result`, `converged`: the same records amount to the same, on every device. */
import { encodeView, equalBytes, foldRun, type RunId, type RunView } from '../../protocol/index.js'
import type { SimDevice } from '../devices/device.js'
import type { Oracle, Scene } from './oracle.js'
import { bytesOf } from './view-bytes.js'

/** Every so many changes of a view it is folded anew. */
const EVERY = 16

export function views(scene: Scene): Oracle {
  let changes = 0

  /** Views of what has ended are made anew each time: each device is asked once. */
  const checkAll = (): ReadonlyMap<SimDevice, readonly RunView[]> => {
    const all = new Map(scene.devices.map((device) => [device, device.inside?.book.views ?? []]))
    const folded: Folded = new Map()
    for (const [device, views] of all) for (const view of views) checkFold(scene, device, view, folded)
    return all
  }

  return {
    onChange(device, { after }) {
      if (++changes % EVERY === 0)
        checkFold(scene, device, device.inside?.book.view(after.run) ?? after, new Map())
      checkResult(scene, device, after)
    },
    onCheck() {
      checkAll()
    },
    onEnd() {
      checkConverged(scene, checkAll())
    },
  }
}

/** Records of runs, by their ids, and what they were found to amount to. */
type Folded = Map<RunId, { readonly ids: string; readonly bytes: Uint8Array }>

/** Folds the run anew from its records, last one first; not if the same records were found to give the same bytes. */
function checkFold(scene: Scene, device: SimDevice, view: RunView, folded: Folded): void {
  const { inside, place } = device
  if (inside === null) return
  const records = inside.book.records(view.run)
  const ids = records.map(({ id }) => id).join()
  const bytes = bytesOf(view)
  const known = folded.get(view.run)
  if (known?.ids === ids && equalBytes(known.bytes, bytes)) return
  const anew = foldRun([...records].reverse(), inside.journals.group)
  if (anew !== null && equalBytes(encodeView(anew), bytes)) folded.set(view.run, { ids, bytes })
  else
    scene.violated('equal-views', 'folded anew from its records, the view is another', {
      run: view.run,
      place,
    })
}

/** An accepted result is by the device that its assignment names. */
function checkResult(scene: Scene, { place }: SimDevice, { run, result, state }: RunView): void {
  if (state === 'completed' && result === null)
    scene.violated('one-result', 'it is completed and has no result', { run, place })
  if (result === null) return
  const assigned = scene.records.all.get(result.assignment)?.record
  const completed = scene.records.all.get(result.record)?.record
  const isRight =
    assigned?.kind === 'assigned' &&
    completed?.kind === 'completed' &&
    assigned.target === result.device &&
    completed.author === result.device &&
    completed.assignment === result.assignment
  if (!isRight)
    scene.violated('one-result', 'its result is not by the device that was given it', { run, place })
}

function checkConverged(scene: Scene, all: ReadonlyMap<SimDevice, readonly RunView[]>): void {
  const [first, ...others] = scene.devices.filter(isIn)
  if (first === undefined) return
  const known = new Map((all.get(first) ?? []).map((view) => [view.run, view]))
  for (const device of others) {
    const { place, name } = device
    const mine = all.get(device) ?? []
    for (const view of mine) {
      const theirs = known.get(view.run)
      if (theirs === undefined)
        scene.violated('converged', `${first.name} does not know it`, { run: view.run, place })
      else if (theirs.result?.record !== view.result?.record)
        scene.violated('one-result', `${name} and ${first.name} accept different results`, {
          run: view.run,
          place,
        })
      else if (!equalBytes(bytesOf(plain(theirs)), bytesOf(plain(view))))
        scene.violated('converged', `${name} and ${first.name} see it differently`, { run: view.run, place })
    }
    if (mine.length !== known.size)
      scene.violated('converged', `${name} knows ${mine.length} runs, ${first.name} ${known.size}`, { place })
  }
}

/**
 * What a device wrote after it was put out is kept by those who took it before they knew, and by nobody else: it counts
 * nowhere, and shows as rejected in some views only.
 */
function plain(view: RunView): RunView {
  if (view.rejectedCount === 0) return view
  const rejected = view.rejected.filter(({ code }) => code !== 'REVOKED' && code !== 'NOT_A_MEMBER')
  return { ...view, rejected, rejectedCount: view.rejectedCount - (view.rejected.length - rejected.length) }
}

function isIn({ inside, isRevoked, isByzantine, isAdmitted, wasOut }: SimDevice): boolean {
  return inside !== null && !isRevoked && !isByzantine && isAdmitted && !wasOut
}
