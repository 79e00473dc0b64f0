import { describe, expect, it } from 'vitest'
import { MAX_HELD_VOIDS, type RecordOf, type RunView } from '../../protocol/index.js'
import { voidableBy } from '../../src/engine/held.js'
import type { EngineState } from '../../src/engine/state.js'
import { ana, ben, cid, FOUNDED, Story } from '../protocol/story.js'

/** Ana has a run. What she may void once others have written more: the ids, or none. */
class Claim {
  readonly story: Story = new Story()
  readonly run: RecordOf<'created'>
  readonly own: RecordOf<'assigned'>

  constructor(extra: Parameters<Story['created']>[1] = {}) {
    this.run = this.story.created(ana, extra)
    this.own = this.story.taken(ana, this.run)
    this.story.wait(1000)
  }

  voidable(incarnation = FOUNDED): readonly string[] {
    const { story } = this
    const view: RunView = story.view
    const own = view.previousAssignments.find(({ id }) => id === this.own.id)
    const config = { device: ana, incarnation, recordsOf: () => story.runRecords }
    return own === undefined ? [] : voidableBy({ config } as unknown as EngineState, view, own)
  }

  /** A record with the id of another, as one can forge in a second journal. */
  twin(of: RecordOf<'assigned'>, extra: Partial<RecordOf<'assigned'>>): void {
    this.story.records.push({ ...of, ...extra })
  }

  movedOn(reason: 'timeout' | 'manual' = 'timeout', to = ben): RecordOf<'assigned'> {
    return this.story.wait(10).reassigned(to, to, this.own, reason)
  }
}

describe('who never let go may void', () => {
  it('every reassignment of its assignment for silence', () => {
    const claim = new Claim()
    const children = [claim.movedOn(), claim.movedOn('timeout', cid)]
    expect(claim.voidable()).toEqual(children.map(({ id }) => id))
  })

  it('also one that has moved on itself', () => {
    const claim = new Claim()
    const child = claim.movedOn()
    claim.story.wait(10).reassigned(cid, cid, child, 'timeout')
    expect(claim.voidable()).toEqual([child.id])
  })

  it('a child of which another record has the same id: the one that the fold counts', () => {
    const claim = new Claim()
    const child = claim.movedOn()
    claim.twin(child, { note: 'a longer one' })
    expect(claim.story.view.rejected).toMatchObject([{ record: child.id, code: 'DUPLICATE_ID' }])
    expect(claim.voidable()).toEqual([child.id])
  })

  it('what moved on in a ring, if one believed records with one id that the fold has dropped', () => {
    const claim = new Claim()
    const child = claim.movedOn()
    const next = claim.story.wait(10).reassigned(cid, cid, child, 'timeout')
    claim.twin(child, { parent: next.id })
    expect(claim.story.view.assignment?.id).toBe(next.id)
    expect(claim.voidable()).toEqual([child.id])
  })

  it('what came after it voided another', () => {
    const claim = new Claim()
    claim.story.held(ana, claim.own, [claim.movedOn()])
    const next = claim.movedOn()
    expect(claim.voidable()).toEqual([next.id])
  })
})

describe('nothing may be voided', () => {
  it.each<[string, (claim: Claim) => void]>([
    ['that a person did', (claim) => void claim.movedOn('manual')],
    [
      'if another reassignment stands anyway',
      (claim) => {
        claim.movedOn()
        claim.movedOn('manual', cid)
      },
    ],
    [
      'by one who gave it back',
      (claim) => {
        claim.story.released(ana, claim.own)
        claim.movedOn()
      },
    ],
    [
      'more often than allowed',
      (claim) => {
        for (let i = 0; i < MAX_HELD_VOIDS; i++) claim.story.wait(10).held(ana, claim.own, [claim.movedOn()])
        claim.movedOn()
      },
    ],
  ])('%s', (_, happens) => {
    const claim = new Claim()
    happens(claim)
    expect(claim.voidable()).toEqual([])
  })

  it('where the run says that the latest keeps it', () => {
    const claim = new Claim({ reconcile: 'latest' })
    claim.movedOn()
    expect(claim.voidable()).toEqual([])
  })

  it('by a process that did not claim', () => {
    const claim = new Claim()
    claim.movedOn()
    expect(claim.voidable(FOUNDED + 1)).toEqual([])
  })
})
