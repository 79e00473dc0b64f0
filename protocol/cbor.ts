/** CBOR as dibs uses it: one encoding for each value, and a decoder that nothing can surprise. */
import { type DecodeOptions, decode, type EncodeOptions, encode, Token, Tokenizer, Type } from 'cborg'
import { encodedLength } from 'cborg/length'

const STRICT: DecodeOptions = {
  strict: true,
  allowIndefinite: false,
  allowUndefined: false,
  allowInfinity: false,
  allowNaN: false,
  allowBigInt: false,
  rejectDuplicateMapKeys: true,
}

/** The byte order mark, U+FEFF in UTF-8. */
const MARK = [0xef, 0xbb, 0xbf]

/** Nesting went past the limit. */
export class DepthError extends Error {}

/** Counts how deep the arrays and maps of a stream nest, before anything recurses into them. */
class DepthLimit extends Tokenizer {
  readonly #bytes: Uint8Array
  readonly #max: number
  readonly #open: number[] = []

  constructor(bytes: Uint8Array, max: number) {
    super(bytes, STRICT)
    this.#bytes = bytes
    this.#max = max
  }

  override next(): ReturnType<Tokenizer['next']> {
    const token = this.#whole(super.next())
    const open = this.#open
    let last = open.length - 1
    if (last >= 0) open[last] = (open[last] as number) - 1
    const isArray = token.type === Type.array
    if (isArray || token.type === Type.map) {
      const items = (token.value as number) * (isArray ? 1 : 2)
      if (open.length >= this.#max) throw new DepthError(`nests deeper than ${this.#max} levels`)
      if (items > 0) open.push(items)
    }
    for (last = open.length - 1; last >= 0 && open[last] === 0; last--) open.pop()
    return token
  }

  // cborg reads text with a TextDecoder that swallows a byte order mark. Text that begins with one must keep it, or its
  // writer would encode what no reader takes for canonical.
  #whole(token: Token): Token {
    if (token.type !== Type.string) return token
    const end = this.pos()
    const start = end - (token.encodedLength as number)
    const lengthCode = (this.#bytes[start] as number) & 31
    const text = start + (lengthCode < 24 ? 1 : 1 + 2 ** (lengthCode - 24))
    const marked = text + MARK.length <= end && MARK.every((byte, i) => this.#bytes[text + i] === byte)
    return marked ? new Token(Type.string, `\ufeff${token.value}`, token.encodedLength) : token
  }
}

/** Numbers with a fraction are doubles: libraries differ on which of them have a shorter form. */
const ENCODE: EncodeOptions = { float64: true }

/** The canonical encoding: shortest integers and lengths, keys by length and then by bytes, definite lengths, no tags. */
export function encodeCbor(value: unknown): Uint8Array {
  // A copy: in Node, cborg answers at some lengths with a Buffer, a view into a pool that others write to.
  return new Uint8Array(encode(value, ENCODE))
}

/** How many bytes `encodeCbor` would write. */
export function cborLength(value: unknown): number {
  return encodedLength(value, ENCODE)
}

/** Decodes strictly. Throws `DepthError` past `maxDepth`, and an Error for anything that is no plain data. */
export function decodeCbor(bytes: Uint8Array, maxDepth: number): unknown {
  // A Buffer's slices share its memory, and what was decoded must not change with what it was decoded from.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return decode(plain, { ...STRICT, tokenizer: new DepthLimit(plain, maxDepth) })
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Negative if `a` sorts first: by content, then the shorter. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number)
  }
  return a.length - b.length
}
