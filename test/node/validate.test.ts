import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Payload } from '../../protocol/index.js'
import { defineRun, type RunType } from '../../src/node/define-run.js'
import { InputError } from '../../src/node/errors.js'
import { readInput, readOutput, validateInput, validateOutput } from '../../src/node/validate.js'
import { thrown } from '../protocol/thrown.js'
import { numberText, schemaOf } from './schemas.js'

const resize = defineRun({
  type: 'image.resize',
  input: z.object({ file: z.string(), width: z.number().int().default(100) }),
  output: z.object({ url: z.url() }),
})

function refused(type: RunType | string, value: unknown): InputError {
  return thrown(InputError, () => validateInput(type, value))
}

describe('an input', () => {
  it('is stored as it was given, and read as the schema makes it', () => {
    const stored = validateInput(resize, { file: 'a.png', unknown: true })
    expect(stored).toEqual({ file: 'a.png', unknown: true })
    expect(readInput(resize, stored as Payload)).toEqual({ file: 'a.png', width: 100 })
  })

  it('may be read as what could not be stored', () => {
    const type = defineRun({ type: 'dates', input: z.object({ at: z.coerce.date() }) })
    const stored = validateInput(type, { at: 5 })
    expect(stored).toEqual({ at: 5 })
    expect(readInput(type, stored as Payload)).toEqual({ at: new Date(5) })
    expect(refused(type, { at: new Date(5) }).details).toMatchObject({ issues: [{ path: ['at'] }] })
  })

  it('is any payload where there is no schema', () => {
    expect(validateInput(defineRun({ type: 'any' }), [1])).toEqual([1])
    expect(validateInput('known.by.name', { a: 1 })).toEqual({ a: 1 })
    expect(validateInput('known.by.name', undefined)).toBe(null)
    expect(readInput('known.by.name', { a: 1 })).toEqual({ a: 1 })
  })

  it('is there at once if the schema says so at once', () => {
    const type = defineRun({ type: 'sync', input: numberText(false) })
    expect(validateInput(type, '17')).toBe('17')
    expect(readInput(type, '17')).toBe(17)
    expect(refused(type, 17)).toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('is awaited if the schema takes its time', async () => {
    const type = defineRun({ type: 'async', input: numberText(true) })
    const answer = validateInput(type, '17')
    expect(answer).toBeInstanceOf(Promise)
    expect(await answer).toBe('17')
    expect(await readInput(type, '17')).toBe(17)
    for (const wrong of [() => validateInput(type, 17), () => readInput(type, 17)])
      await expect(wrong()).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { type: 'async', issues: [{ path: [], message: 'expected text' }] },
      })
  })

  it('is awaited if zod has to', async () => {
    const input = z.string().refine((text) => Promise.resolve(text.length > 2), 'is too short')
    const type = defineRun({ type: 'async.zod', input })
    expect(await validateInput(type, 'long')).toBe('long')
    await expect(validateInput(type, 'x')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: [], message: 'is too short' }] },
    })
  })

  it('is awaited from a promise of another realm', async () => {
    const input = schemaOf<number>(() => runInNewContext('Promise.resolve({ value: 1 })'))
    const type = defineRun({ type: 'foreign', input })
    expect(validateInput(type, 0)).toBeInstanceOf(Promise)
    expect(await validateInput(type, 0)).toBe(0)
    expect(await readInput(type, 0)).toBe(1)
  })

  it.each([
    ['null', z.null(), null],
    ['undefined', z.undefined(), undefined],
    ['undefined, later', z.undefined().refine(() => Promise.resolve(true)), undefined],
    ['a default', z.object({ a: z.number() }).default({ a: 1 }), { a: 1 }],
  ])('may be nothing, which schemas call %s', async (_, input, made) => {
    const type = defineRun({ type: 'nothing', input })
    expect(await validateInput(type, undefined)).toBe(null)
    expect(await readInput(type, null)).toEqual(made)
  })

  it('that is nothing is refused where something is wanted', async () => {
    expect(refused(resize, undefined)).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('expected object, received null'),
    })
    const later = defineRun({ type: 'async', input: numberText(true) })
    await expect(validateInput(later, null)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('is held against the schema as it will be read', () => {
    const seen: unknown[] = []
    const input = schemaOf<unknown>((value) => {
      seen.push(value)
      return { value }
    })
    const stored = validateInput(defineRun({ type: 'seen', input }), { list: [1], none: undefined })
    expect(seen).toEqual([{ list: [1] }])
    expect(seen[0]).toBe(stored)
  })

  it('says what is wrong, and where', () => {
    const error = refused(resize, { file: 1, width: 'wide' })
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      message:
        'The input of “image.resize” does not match its schema. file: Invalid input: expected string, received ' +
        'number (and 1 more).',
      details: { type: 'image.resize', issues: [{ path: ['file'] }, { path: ['width'] }] },
    })
    expect(thrown(InputError, () => readInput(resize, { file: 1 }))).toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('must be a payload', () => {
    expect(refused(resize, { file: 'a', extra: new Map() })).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('is no payload. extra: is a Map'),
    })
  })

  it('is refused by a schema that throws, rejects or gives no result, without a word of what was thrown', async () => {
    const fails = (): never => {
      throw new TypeError('secret')
    }
    const error = refused(defineRun({ type: 'throws', input: schemaOf<string>(fails) }), 'secret')
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('threw TypeError'),
    })
    expect(JSON.stringify([error.toJSON(), error.message, String(error.cause)])).not.toContain('secret')

    const rejects = schemaOf<string>(() => Promise.reject('secret'))
    const silent = schemaOf<string>(() => undefined as never)
    for (const value of [1, null]) {
      await expect(
        validateInput(defineRun({ type: 'rejects', input: rejects }), value),
      ).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('threw string'),
      })
      expect(refused(defineRun({ type: 'silent', input: silent }), value).message).toContain('gave no result')
    }
  })

  it('never shows in the error', () => {
    const input = schemaOf<unknown>((value) => ({
      issues: [{ message: `received "${String(value)}"`, path: ['a'] }],
    }))
    const error = refused(defineRun({ type: 'quotes', input }), 'correct horse battery staple')
    expect(JSON.stringify(error)).not.toContain('horse')
    expect(error.message).toContain('a: does not match the schema')
  })
})

describe('an output', () => {
  it('is stored as the handler returned it, and read as the schema makes it', () => {
    const type = defineRun({ type: 'a', output: z.object({ n: z.string().transform(Number) }) })
    expect(validateOutput(type, { n: '5' })).toEqual({ n: '5' })
    expect(readOutput(type, { n: '5' })).toEqual({ n: 5 })
    expect(validateOutput(defineRun({ type: 'none' }), undefined)).toBe(null)
  })

  it('may be nothing: a handler that returns', () => {
    const type = defineRun({ type: 'void', output: z.void() })
    expect(validateOutput(type, undefined)).toBe(null)
    expect(readOutput(type, null)).toBe(undefined)
  })

  it('that does not match is refused on both ends', () => {
    for (const call of [() => validateOutput(resize, { url: 1 }), () => readOutput(resize, { url: 1 })])
      expect(thrown(InputError, call)).toMatchObject({
        code: 'INVALID_OUTPUT',
        message: expect.stringMatching(/^The output of “image.resize” .*url: /),
      })
  })
})
