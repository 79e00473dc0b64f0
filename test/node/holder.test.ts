import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, it } from 'vitest'
import type { DibsNode } from '../../src/index.js'
import { openNode } from '../../src/node/create-node.js'
import { Ed25519Signer } from '../../src/platform/signer.js'
import { turn } from '../../src/platform/turn.js'
import { seededRandom, VirtualTime } from '../../src/testing/index.js'
import { codeOf } from './group-kit.js'

/** A node, and whether it keeps its process alive. */
async function heldNode(): Promise<{ readonly node: DibsNode; readonly isHeld: () => boolean }> {
  let held = 0
  const clock = new VirtualTime().clock()
  const node = await openNode(
    {},
    {
      platform: { clock, random: seededRandom(1), sha256, files: null },
      newIdentity: () => Ed25519Signer.fromSeed(seededRandom(1).bytes(32)),
      identityIn: () => Ed25519Signer.fromSeed(seededRandom(1).bytes(32)),
      storeIn: (storage) => storage,
      turn,
      hold: () => {
        held++
        return () => void held--
      },
    },
  )
  return { node, isHeld: () => held > 0 }
}

describe('a process', () => {
  it('lives on while somebody waits for a result', async () => {
    const { node, isHeld } = await heldNode()
    const run = await node.submit('job')
    expect(isHeld()).toBe(false)
    const waiting = codeOf(run.result())
    expect(isHeld()).toBe(true)
    await run.cancel()
    expect(await waiting).toBe('RUN_CANCELLED')
    expect(isHeld()).toBe(false)
  })

  it('lives on while somebody waits for an event', async () => {
    const { node, isHeld } = await heldNode()
    const waiting = node.once('run:created')
    expect(isHeld()).toBe(true)
    await node.submit('job')
    await waiting
    expect(isHeld()).toBe(false)
  })

  it('lives on while somebody waits for events to be delivered', async () => {
    const { node, isHeld } = await heldNode()
    let deliver = (): void => {}
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve
    })
    await node.outbox.start(() => delivered)
    await node.submit('job')
    const waiting = node.outbox.flush()
    expect(isHeld()).toBe(true)
    await turn()
    deliver()
    await waiting
    expect(isHeld()).toBe(false)
  })

  it('ends with its node, whatever is still waited for', async () => {
    const { node, isHeld } = await heldNode()
    node.handle('job', () => new Promise(() => {}))
    const waiting = codeOf(node.once('run:created'))
    await node.close()
    expect(await waiting).toBe('NODE_CLOSED')
    expect(isHeld()).toBe(false)
  })
})
