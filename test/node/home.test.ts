import { describe, expect, it } from 'vitest'
import { createNode } from '../../src/index.js'
import { MemoryStore } from '../../src/store/memory-store.js'
import type { Store } from '../../src/store/store.js'
import { tempFolder } from '../store/temp-folder.js'

describe('what a node lives in', () => {
  it('gives a node without a group a private one, and the same again after a restart', async () => {
    const storage = await tempFolder()
    const first = await createNode({ storage })
    const { device } = first
    const group = first.group.id
    expect(first.group.isMember).toBe(true)
    expect(first.group.view.founder).toBe(device)
    await first.close()
    const second = await createNode({ storage })
    expect(second.device).toBe(device)
    expect(second.group.id).toBe(group)
    await second.close()
  })

  it('refuses to open a storage of one group as one of another, and changes nothing', async () => {
    const storage = await tempFolder()
    const own = await createNode({ storage })
    const other = await createNode()
    const [kept, wanted] = [own.group.id, other.group.id]
    await own.close()
    await other.close()
    const error = await createNode({ storage, group: wanted }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'OTHER_GROUP', details: { kept, wanted } })
    const again = await createNode({ storage })
    expect(again.group.id).toBe(kept)
    await again.close()
  })

  it('tells a second opener who holds the store', async () => {
    const storage = await tempFolder()
    const node = await createNode({ storage })
    const error = await createNode({ storage }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { cause: 'STORE_LOCKED', pid: process.pid },
    })
    await node.close()
  })

  it('founds anew if the process ended between writing the group down and founding it', async () => {
    const store = new MemoryStore()
    const failing = failAt(store, 'append')
    const error = await createNode({ storage: failing }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(await store.getItem('node/group')).not.toBeNull()
    const node = await createNode({ storage: store })
    expect(node.group.isMember).toBe(true)
    await node.close()
  })

  it('keeps the identity among the items of a store that the app brought, and leaves the store open', async () => {
    const store = new MemoryStore()
    const first = await createNode({ storage: store })
    const { device } = first
    await first.close()
    const second = await createNode({ storage: store })
    expect(second.device).toBe(device)
    await second.close()
    expect(await store.getItem('identity')).not.toBeNull()
  })

  it('takes no option that nobody reads, and none out of its range', async () => {
    const refused = (options: object): Promise<unknown> =>
      createNode(options).catch((thrown: unknown) => thrown)
    const wrong: readonly (readonly [string, object])[] = [
      ['storag', { storag: './data' }],
      ['reserved', { slots: 2, reserved: 3 }],
      ['heartbeat', { heartbeat: { intervalMs: 90, timeoutMs: 30 } }],
      ['storage', { storage: Promise.resolve('./data') }],
      ['group', { group: 'not an id' }],
      ['class', { class: 'toaster' }],
    ]
    for (const [option, options] of wrong)
      expect(await refused(options)).toMatchObject({ code: 'INVALID_OPTIONS', details: { option } })
  })
})

/** The store, but one of its methods fails, always. */
function failAt(store: Store, method: keyof Store): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === method) return () => Promise.reject(new Error('The disk is gone.'))
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
