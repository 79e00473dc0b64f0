import type { Store } from '../../store/store.js'
import type { TestApi } from '../test-api.js'

export interface StoreSuiteOptions {
  /** What the tests call the store. */
  readonly name: string
  readonly test: TestApi
  /** A new, empty store. The suite closes it. */
  readonly create: () => Store | Promise<Store>
  /** Opens a closed store again. Leave it out for stores that forget. */
  readonly reopen?: (closed: Store) => Store | Promise<Store>
  /**
   * How many random stories to compare with the model.
   *
   * @default 200
   */
  readonly stories?: number
}
