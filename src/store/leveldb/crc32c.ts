/** CRC-32C, as LevelDB has it at the end of every block and record. Eight bytes at a time: opening checks every table. */
const POLYNOMIAL = 0x82f63b78
const SLICES = 8
const MASK_DELTA = 0xa282ead8

const tables = makeTables()
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
]

/** The checksum of bytes from `start` up to, not including, `end`. */
export function crc32c(bytes: Uint8Array, start: number, end: number): number {
  const b = bytes as unknown as number[]
  let crc = -1
  let i = start
  for (const last = end - SLICES; i <= last; i += SLICES) {
    crc ^= at(b, i) | (at(b, i + 1) << 8) | (at(b, i + 2) << 16) | (at(b, i + 3) << 24)
    crc =
      at(t7, crc & 0xff) ^
      at(t6, (crc >>> 8) & 0xff) ^
      at(t5, (crc >>> 16) & 0xff) ^
      at(t4, crc >>> 24) ^
      at(t3, at(b, i + 4)) ^
      at(t2, at(b, i + 5)) ^
      at(t1, at(b, i + 6)) ^
      at(t0, at(b, i + 7))
  }
  for (; i < end; i++) crc = at(t0, (crc ^ at(b, i)) & 0xff) ^ (crc >>> 8)
  return ~crc >>> 0
}

/** LevelDB stores checksums masked, as a checksum of bytes that hold checksums is a weak one. */
export function maskedCrc32c(bytes: Uint8Array, start: number, end: number): number {
  const crc = crc32c(bytes, start, end)
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0
}

function at(from: ArrayLike<number>, index: number): number {
  return from[index] as number
}

function makeTables(): readonly Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    return crc
  })
  const made = [first]
  while (made.length < SLICES) {
    const last = made[made.length - 1] as Int32Array
    made.push(last.map((crc) => at(first, crc & 0xff) ^ (crc >>> 8)))
  }
  return made
}
