import { describe, expect, it } from 'vitest'
import * as errors from '../../src/node/errors.js'

const { DibsError, ERROR_CODES, PermanentError } = errors
const KINDS = Object.values(errors).filter(
  (value): value is typeof DibsError => typeof value === 'function' && value.prototype instanceof DibsError,
)

describe('errors', () => {
  it('have the codes that apps rely on', () => {
    expect(Object.keys(ERROR_CODES)).toEqual(
      expect.arrayContaining([
        ...['RUN_NOT_FOUND', 'RUN_TERMINAL', 'RETRIES_EXHAUSTED', 'INVALID_INPUT', 'INVALID_OUTPUT'],
        ...['NOT_OWNER', 'STALE_FENCE', 'APPROVAL_REQUIRED', 'NO_CAPABLE_DEVICE', 'QUEUE_FULL'],
        ...['STORE_UNAVAILABLE', 'NODE_CLOSED', 'NOT_A_MEMBER', 'TIMEOUT'],
      ]),
    )
  })

  it.each(Object.entries(ERROR_CODES))('%s is explained in a sentence', (code, meaning) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
    expect(meaning).toMatch(/^[A-Z].*\.$/)
  })

  it.each(KINDS.map((kind) => [kind.name, kind] as const))(
    '%s can be told by class, name and code',
    (name, kind) => {
      const cause = new Error('why')
      const error = new kind('TIMEOUT', 'It took too long.', { afterMs: 5 }, cause)
      expect(error).toBeInstanceOf(DibsError)
      expect(error).toMatchObject({ name, code: 'TIMEOUT', message: 'It took too long.', cause })
    },
  )

  it('are code, message and details in JSON, and the cause stays at home', () => {
    const error = new DibsError('TIMEOUT', 'It took too long.', { afterMs: 5 }, new Error('secret'))
    expect(JSON.parse(JSON.stringify({ error }))).toEqual({
      error: { code: 'TIMEOUT', message: 'It took too long.', details: { afterMs: 5 } },
    })
  })

  it('have no cause unless there is one', () => {
    expect('cause' in new DibsError('INTERNAL', 'Oh.')).toBe(false)
  })

  it('of handlers may say that there is no use in trying again', () => {
    expect(new PermanentError('BAD_ADDRESS', 'That is no address.', { to: 'x' })).toMatchObject({
      name: 'PermanentError',
      code: 'BAD_ADDRESS',
      retry: false,
      details: { to: 'x' },
    })
  })
})
