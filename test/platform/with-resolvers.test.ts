import { expect, it } from 'vitest'
import { installWithResolvers } from '../../src/platform/with-resolvers.js'

it('Promise.withResolvers is there once the file was imported', async () => {
  const { withResolvers } = Promise as unknown as { withResolvers(): Resolvers }
  const { promise, resolve } = withResolvers.call(Promise)
  resolve(7)
  expect(await promise).toBe(7)
})

it('it makes promises of the class it is called on, and can reject them', async () => {
  class Own<T> extends Promise<T> {}
  installWithResolvers(Own)
  const { promise, reject } = (Own as unknown as { withResolvers(): Resolvers }).withResolvers()
  reject(new Error('no'))
  await expect(promise).rejects.toThrow('no')
  expect(promise).toBeInstanceOf(Own)
})

it('an engine that has its own keeps it, and a shim does not show in loops', () => {
  const own = { withResolvers: () => 'own' }
  installWithResolvers(own)
  expect(own.withResolvers()).toBe('own')
  const bare = {}
  installWithResolvers(bare)
  expect(Object.keys(bare)).toEqual([])
})

interface Resolvers {
  readonly promise: Promise<unknown>
  resolve(value: unknown): void
  reject(reason: unknown): void
}
