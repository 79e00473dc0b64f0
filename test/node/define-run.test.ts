import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { createNode } from '../../src/index.js'
import {
  defineRun,
  type HandlerInputOf,
  type HandlerOutputOf,
  type InputOf,
  MAX_TYPE_LENGTH,
  type OutputOf,
} from '../../src/node/define-run.js'
import { InputError } from '../../src/node/errors.js'
import type { RunSettings } from '../../src/node/run-settings.js'
import { thrown } from '../protocol/thrown.js'
import { numberText, schemaOf } from './schemas.js'

/** The definition with something that TypeScript would not let pass. */
function refused(definition: unknown): InputError {
  return thrown(InputError, () => defineRun(definition as { type: string }))
}

describe('defineRun', () => {
  it('keeps what every record of the type begins with', () => {
    const type = defineRun({
      type: 'media.thumbnail',
      version: 2,
      requires: ['sharp'],
      priority: 'high',
      timeoutMs: 1000,
      retry: { max: 5, backoffMs: 10 },
    })
    expect(type).toMatchObject({ type: 'media.thumbnail', version: 2, input: null, output: null })
    expect(type.base).toEqual({
      kind: 'created',
      type: 'media.thumbnail',
      version: 2,
      requires: ['sharp'],
      priority: expect.any(Number),
      timeoutMs: 1000,
      retry: { max: 5, backoffMs: [10] },
    })
  })

  it('leaves out what holds anyway', () => {
    const usual = {
      priority: 'normal',
      timeoutMs: 3_600_000,
      requires: [],
      retry: {},
      heartbeat: {},
    } as const
    expect(defineRun({ type: 'a', ...usual, version: undefined, privacy: undefined }).base).toEqual({
      kind: 'created',
      type: 'a',
    })
  })

  it('takes any Standard Schema: objects and functions, at once or later', () => {
    const callable = Object.assign(() => undefined, numberText(false))
    for (const input of [z.string(), numberText(false), numberText(true), callable])
      expect(defineRun({ type: 'a', input }).input).toBe(input)
  })

  it('is not changed by what the app does later', () => {
    const settings = { requires: ['sharp'], retry: { max: 1, backoffMs: [1] } }
    const type = defineRun({ type: 'a', ...settings })
    settings.requires.push('gpu')
    settings.retry.backoffMs.push(2)
    expect(type.base).toMatchObject({ requires: ['sharp'], retry: { backoffMs: [1] } })
    expect(Object.isFrozen(type)).toBe(true)
    expect(Object.isFrozen(type.base)).toBe(true)
    expect(Object.isFrozen(type.base.requires)).toBe(true)
    expect(Object.isFrozen(type.base.retry?.backoffMs)).toBe(true)
  })

  it.each([
    ['', 'type'],
    [' spaced ', 'type'],
    ['x'.repeat(MAX_TYPE_LENGTH + 1), 'type'],
    [undefined, 'type'],
    [17, 'type'],
  ])('refuses the type %o', (type, option) => {
    expect(refused({ type })).toMatchObject({ code: 'INVALID_OPTIONS', details: { option } })
  })

  it('takes a type of the full length', () => {
    expect(defineRun({ type: 'x'.repeat(MAX_TYPE_LENGTH) }).type).toHaveLength(MAX_TYPE_LENGTH)
  })

  it.each([
    [{ input: {} }, 'input'],
    [{ output: 'text' }, 'output'],
    [{ output: { '~standard': {} } }, 'output'],
    [{ input: null }, 'input'],
    [{ version: -1 }, 'version'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ priority: 'urgent' }, 'priority'],
  ])('refuses %o', (part, option) => {
    const error = refused({ type: 'a', ...part })
    expect(error).toMatchObject({ code: 'INVALID_OPTIONS', details: { option } })
    expect(error.message).toContain(`“${option}”`)
  })

  it('refuses options that it does not know, and names those that it does', () => {
    expect(refused({ type: 'a', timeoutms: 1 })).toMatchObject({
      code: 'INVALID_OPTIONS',
      message: expect.stringMatching(/no option “timeoutms”\. Known: .*timeoutMs/),
      details: { option: 'timeoutms' },
    })
    expect(refused({ type: 'a', key: 'k' }).message).toContain('no option “key”')
  })

  it('refuses what is no definition', () => {
    for (const definition of [undefined, null, 'a'])
      expect(refused(definition)).toMatchObject({
        code: 'INVALID_OPTIONS',
        details: { option: 'definition' },
      })
  })

  it('tells the compiler what goes in and comes out, on both ends', () => {
    const type = defineRun({
      type: 'a',
      input: z.object({ at: z.string().transform(Number) }),
      output: schemaOf<{ raw: string }, { text: string }>(() => ({ issues: [] })),
    })
    expectTypeOf<InputOf<typeof type>>().toEqualTypeOf<{ at: string }>()
    expectTypeOf<HandlerInputOf<typeof type>>().toEqualTypeOf<{ at: number }>()
    expectTypeOf<HandlerOutputOf<typeof type>>().toEqualTypeOf<{ raw: string }>()
    expectTypeOf<OutputOf<typeof type>>().toEqualTypeOf<{ text: string }>()
    expectTypeOf<RunSettings>().not.toHaveProperty('key')
  })
})

it('lets a handler of a type without an output schema return nothing', async () => {
  const node = await createNode()
  const sweep = defineRun({ type: 'sweep' })
  node.handle(sweep, async () => {})
  expect(await (await node.submit(sweep)).result()).toBeNull()
  await node.close()
})
