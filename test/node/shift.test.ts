import { describe, expect, it } from 'vitest'
import type { Draft } from '../../protocol/index.js'
import { Shift } from '../../src/node/shift.js'
import { VirtualTime } from '../../src/testing/index.js'

function shiftWith(written: Draft[]): Shift {
  return new Shift('run', 'assignment', {
    clock: new VirtualTime().clock(),
    write: async (drafts) => void written.push(...drafts),
  })
}

describe('a shift', () => {
  it('that was told to stop has a signal that is aborted, also one that is asked for later', () => {
    const [early, late] = [shiftWith([]), shiftWith([])]
    const { signal } = early
    expect(signal.aborted).toBe(false)
    for (const shift of [early, late]) shift.stop('cancelled')
    expect(signal.aborted).toBe(true)
    expect(late.signal.aborted).toBe(true)
    expect([signal.reason.code, late.signal.reason.code]).toEqual(['cancelled', 'cancelled'])
  })

  it('keeps the first reason, and one signal', () => {
    const shift = shiftWith([])
    shift.stop('preempted')
    shift.stop('timeout')
    expect(shift.isStopped).toBe(true)
    expect(shift.signal.reason.code).toBe('preempted')
    expect(shift.signal).toBe(shift.signal)
  })

  it('writes what is reported until it is closed', async () => {
    const written: Draft[] = []
    const shift = shiftWith(written)
    await shift.flush()
    expect(written).toEqual([])
    shift.report({ step: 1 })
    await shift.flush()
    shift.close()
    shift.report({ step: 2 })
    await shift.flush()
    expect(written).toEqual([{ kind: 'progressed', run: 'run', assignment: 'assignment', data: { step: 1 } }])
  })

  it('that is closed before its first report writes nothing', async () => {
    const written: Draft[] = []
    const shift = shiftWith(written)
    shift.close()
    shift.report({ step: 1 })
    await shift.flush()
    expect(written).toEqual([])
  })
})
