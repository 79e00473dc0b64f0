import { expect, it } from 'vitest'
import { crc32c } from '../../../src/store/leveldb/crc32c.js'

// From RFC 3720, B.4, and the check value of the CRC catalogue.
it.each([
  [new TextEncoder().encode('123456789'), 0xe3069283],
  [new Uint8Array(32), 0x8a9136aa],
  [new Uint8Array(32).fill(0xff), 0x62a8ab43],
  [Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
])('CRC-32C of known bytes', (bytes, crc) => {
  expect(crc32c(bytes, 0, bytes.length)).toBe(crc)
})
