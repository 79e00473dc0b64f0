/** Decodes CBOR by cborg, item by item: what `cbor-reader.ts` leaves to it, and what it is tested against. */
import { type DecodeOptions, decode, Token, Tokenizer, Type } from 'cborg'

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

/** Decodes strictly. Throws `DepthError` past `maxDepth`, and an Error for anything that is no plain data. */
export function decodeCarefully(bytes: Uint8Array, maxDepth: number): unknown {
  return decode(bytes, { ...STRICT, tokenizer: new DepthLimit(bytes, maxDepth) })
}
