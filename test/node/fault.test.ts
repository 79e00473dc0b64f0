import { describe, expect, it } from 'vitest'
import { cut } from '../../src/node/cut.js'
import { faultOf, MAX_FAULT_LENGTH } from '../../src/node/fault.js'

describe('what is kept of something that was thrown', () => {
  it.each([
    [new Error('No.'), { code: 'X', message: 'No.' }],
    [Object.assign(new Error('No.'), { code: 'NOPE' }), { code: 'NOPE', message: 'No.' }],
    [Object.assign(new Error('No.'), { code: 404 }), { code: 'X', message: 'No.' }],
    ['text', { code: 'X', message: 'text' }],
    [undefined, { code: 'X', message: 'undefined' }],
    [null, { code: 'X', message: 'null' }],
  ])('of %s', (error, fault) => {
    expect(faultOf(error, 'X')).toEqual(fault)
  })

  it('is something even of what cannot be shown', () => {
    const trap = {
      get message(): string {
        throw new Error('a trap')
      },
    }
    for (const error of [Object.create(null), trap])
      expect(faultOf(error, 'X')).toEqual({
        code: 'X',
        message: 'Something was thrown that cannot be shown.',
      })
  })

  it('is bounded', () => {
    const fault = faultOf({ code: 'c'.repeat(5000), message: 'm'.repeat(5000) }, 'X')
    expect(fault.code).toHaveLength(MAX_FAULT_LENGTH)
    expect(fault.message).toHaveLength(MAX_FAULT_LENGTH)
  })
})

describe('a cut', () => {
  it('shows that it was made, and leaves no half of a character', () => {
    expect(cut('whole', 5)).toBe('whole')
    expect(cut('too long', 3)).toBe('too…')
    expect(cut('ab🜁cd', 3)).toBe('ab…')
    expect(cut('ab🜁cd', 4)).toBe('ab🜁…')
  })
})
