import { expect, test } from 'vitest'
import { admit, Device, deliver, groupOf, headsText, signerOf, snapshot, sync, TODAY } from './devices.js'

test('what one device commits stands on the others, byte for byte', async () => {
  const [ana, ben] = (await groupOf('ana', 'ben')) as [Device, Device]
  await ana.take()
  await ben.take()
  const outcomes = [...(await deliver(ana, ben)), ...(await deliver(ben, ana))]
  expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied'])
  expect(headsText(ana)).toBe(headsText(ben))
  expect((await snapshot(ana)) as object).toMatchObject({ names: [TODAY, 'group'] })
})

test('a newcomer gets the founder’s log in one message, with all that the founder wrote in many batches', async () => {
  const [ana, ben] = (await groupOf('ana', 'ben')) as [Device, Device]
  for (let i = 0; i < 3; i++) await ana.take()
  const cid = new Device('cid', await signerOf('cid'))
  await admit(ana, cid)
  const { outcomes } = await sync(cid, ana)
  expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied'])
  expect(headsText(cid)).toBe(headsText(ana))
  await sync(ben, cid)
  expect(headsText(cid)).toBe(headsText(ben))
})
