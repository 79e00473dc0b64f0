/** Browsers: no files, so the store lives in IndexedDB and the identity's key among its items. */
import { sha256 } from '@noble/hashes/sha2.js'
import { systemClock } from '../clock.js'
import type { Platform } from '../platform.js'
import { systemRandom } from '../random.js'

export const browserPlatform: Platform = {
  clock: systemClock,
  random: systemRandom,
  sha256,
  files: null,
}
