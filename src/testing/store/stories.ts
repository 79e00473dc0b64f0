import { PACK_ENTRIES } from '../../store/constants.js'
import type { Store } from '../../store/store.js'
import { type SeededRandom, seededRandom } from '../seeded.js'
import { contentsOf, StoreModel } from '../store-model.js'
import { codeOf, DAY, entriesOf, logOf, PASSING } from './kit.js'
import type { StoreSuiteOptions } from './options.js'

const DEFAULT_STORIES = 200
const STORY_STEPS = 30
const STORIES_TIMEOUT_MS = 120_000

export function stories({
  test: { it, expect },
  create,
  reopen,
  stories = DEFAULT_STORIES,
}: StoreSuiteOptions): void {
  it(
    `behaves like the simplest store there could be, in ${stories} random stories`,
    async () => {
      for (let seed = 1; seed <= stories; seed++) {
        const model = new StoreModel()
        let store = await create()
        try {
          const random = seededRandom(seed)
          for (let step = 0; step < STORY_STEPS; step++) {
            if (reopen !== undefined && random.below(15) === 0) {
              await store.close()
              store = await reopen(store)
            } else {
              await act(store, model, random)
            }
          }
          // The seed stands in what is compared, so that a failure names it.
          expect({ seed, ...(await contentsOf(store)), findings: store.findings }).toEqual({
            seed,
            ...model.contents(),
            findings: [],
          })
        } finally {
          await store.close()
        }
      }
    },
    STORIES_TIMEOUT_MS,
  )
}

// Does one random thing to both.
async function act(store: Store, model: StoreModel, random: SeededRandom): Promise<void> {
  const journal = random.pick([DAY, '2026-01-12', 'group'])
  const name = random.pick(['clock', 'peer/a', 'peer/b'])
  const value = random.bytes(random.below(40))
  switch (random.below(12)) {
    case 0:
      await store.evict(journal, value)
      return model.evict(journal, value)
    case 1:
      await store.dropStub(journal)
      return model.dropStub(journal)
    case 2:
      await store.putItem(name, value)
      return model.putItem(name, value)
    case 3:
      await store.putItem(name, null)
      return model.putItem(name, null)
    case 4:
      await store.compact()
      return
    case 5: {
      const log = logOf(random.below(3), journal)
      const code = await codeOf(store.append(entriesOf(log, model.next(log) + 1, 2), PASSING))
      if (code !== 'ENTRY_OUT_OF_ORDER') throw new Error(`A gap was answered with ${code}.`)
      return
    }
    default: {
      const log = logOf(random.below(3), journal)
      const count = random.pick([1, 1, 2, 17, PACK_ENTRIES])
      const entries = entriesOf(log, model.next(log), count, random)
      await store.append(entries, { durable: random.below(4) === 0 })
      return model.append(entries)
    }
  }
}
