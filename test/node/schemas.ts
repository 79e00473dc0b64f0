/** Schemas made by hand, as the Standard Schema says, for what libraries do not do in one way. */
import type { StandardSchemaV1 } from '@standard-schema/spec'

type Answer<Output> = StandardSchemaV1.Result<Output> | Promise<StandardSchemaV1.Result<Output>>

export function schemaOf<Input, Output = Input>(
  validate: (value: unknown) => Answer<Output>,
): StandardSchemaV1<Input, Output> {
  return { '~standard': { version: 1, vendor: 'test', validate } }
}

/** Takes text, and makes a number of it: at once, or later. */
export function numberText(later: boolean): StandardSchemaV1<string, number> {
  return schemaOf((value) => {
    const result: StandardSchemaV1.Result<number> =
      typeof value === 'string' ? { value: Number(value) } : { issues: [{ message: 'expected text' }] }
    return later ? Promise.resolve(result) : result
  })
}
