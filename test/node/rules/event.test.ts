import { describe, expect, it } from 'vitest'
import { MAX_KEY_LENGTH } from '../../../protocol/index.js'
import { InputError } from '../../../src/node/errors.js'
import { readEvent } from '../../../src/node/rules/event.js'
import { thrown } from '../../protocol/thrown.js'
import { event } from './kit.js'

describe('an outside event', () => {
  it('is taken with all that it may say', () => {
    const whole = event({
      occurredAt: '2026-01-01T00:00:00+01:00',
      schemaVersion: 2,
      subject: 'a letter',
      privacy: ['local_only'],
    })
    expect(readEvent(whole)).toEqual(whole)
    expect(readEvent(event({ occurredAt: 5 })).occurredAt).toBe(5)
    expect(readEvent(event({ payload: null })).payload).toBe(null)
  })

  it('is copied, and made plain as an input is', () => {
    const payload = { list: [1], none: undefined, zero: -0 }
    const read = readEvent({ ...event(), payload })
    payload.list.push(2)
    expect(read.payload).toEqual({ list: [1], zero: 0 })
  })

  it.each([
    [{ id: '' }, 'id'],
    [{ id: 17 }, 'id'],
    [{ id: 'x'.repeat(MAX_KEY_LENGTH + 1) }, 'id'],
    [{ type: '' }, 'type'],
    [{ source: ' inbox' }, 'source'],
    [{ occurredAt: 'yesterday' }, 'occurredAt'],
    [{ schemaVersion: '1' }, 'schemaVersion'],
    [{ subject: 'x'.repeat(2000) }, 'subject'],
    [{ payload: undefined }, 'payload'],
    [{ payload: { at: [new Date(0)] } }, 'payload.at.0'],
    [{ privacy: 'local_only' }, 'privacy'],
    [{ urgent: true }, 'urgent'],
  ])('is refused with %o', (part, field) => {
    const error = thrown(InputError, () => readEvent({ ...event(), ...part }))
    expect(error).toMatchObject({ code: 'INVALID_EVENT', details: { field } })
    expect(error.message).toContain(`Its ${field} is wrong`)
  })

  it.each([null, 'event', 17, []])('is not %o', (value) => {
    expect(thrown(InputError, () => readEvent(value))).toMatchObject({
      code: 'INVALID_EVENT',
      details: { field: 'event' },
    })
  })

  it('never shows its payload in an error', () => {
    const payload = { secret: 'swordfish', big: 'swordfish'.repeat(10_000) }
    const error = thrown(InputError, () => readEvent({ ...event(), payload }))
    expect(JSON.stringify(error)).not.toContain('swordfish')
    const long = thrown(InputError, () => readEvent({ ...event(), ['k'.repeat(5000)]: 1 }))
    expect(long.message.length).toBeLessThan(300)
  })
})
