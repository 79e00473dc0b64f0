/** A journal as JSON lines: for people to read, for tools to search, and to be taken in again elsewhere. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import { type AnyRecord, isDeviceId, isStamp, splitSigned } from '../../protocol/index.js'
import { JournalError } from './errors.js'
import { stretchesOf } from './journal.js'
import type { Library } from './library.js'
import { Log } from './log.js'
import { writeMessage } from './message.js'
import { isJournalName } from './names.js'
import { inOrderOfAdmission } from './sync.js'

const FORMAT = 'dibs/journal/1'

const headerSchema = z.strictObject({
  format: z.literal(FORMAT),
  group: z.string(),
  journal: z.string().refine(isJournalName),
})
const lineSchema = z.object({
  device: z.string().refine(isDeviceId),
  incarnation: z.number().refine(isStamp),
  sequence: z.number().refine(isStamp),
  signed: z.string().regex(/^([0-9a-f]{2})+$/),
})

/** The lines of an export: one that says what it is, then one for each batch, with its records beside its bytes. */
export async function* exportJournal(library: Library, name: string): AsyncGenerator<string> {
  yield JSON.stringify({ format: FORMAT, group: library.groupId, journal: name })
  const journal = await library.load(name)
  for (const log of inOrderOfAdmission(library, journal)) {
    for (let sequence = 0; sequence <= log.head.sequence; sequence++) {
      const [signed] = journal.elements(log, sequence, 1) as [Uint8Array]
      const { records } = log.codec.decode(splitSigned(signed).bytes, { trusted: true })
      const { device, incarnation } = log.key
      yield JSON.stringify({
        device,
        incarnation,
        sequence,
        signed: bytesToHex(signed),
        records: records.map(readable),
      })
    }
  }
}

function readable(record: AnyRecord): unknown {
  return JSON.parse(
    JSON.stringify(record, (_, value) =>
      value instanceof Uint8Array ? { $bytes: bytesToHex(value) } : value,
    ),
  )
}

/** The messages that bring an export's batches in: they go through `receive`, and are trusted no more than any other. */
export async function* importMessages(
  groupId: string,
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<Uint8Array> {
  let journal: string | null = null
  let number = 0
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    if (journal === null) {
      const header = parse(headerSchema, line, number)
      if (header.group !== groupId) throw invalid(number, 'it is of another group')
      journal = header.journal
    } else {
      const { device, incarnation, sequence, signed } = parse(lineSchema, line, number)
      const log = new Log(groupId, { journal, device, incarnation })
      yield writeMessage({ journal, stretches: stretchesOf(log, sequence, [hexToBytes(signed)]) })
    }
  }
  if (journal === null) throw invalid(1, 'there is none')
}

function parse<T>(schema: z.ZodType<T>, line: string, number: number): T {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw invalid(number, 'it is no JSON')
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success)
    throw invalid(number, parsed.error.issues[0]?.path.join('.') || 'it is no line of an export')
  return parsed.data
}

function invalid(line: number, why: string): JournalError {
  return new JournalError(
    'IMPORT_INVALID',
    `Line ${line} cannot be used: ${why}. What came before it was taken in.`,
    { line },
  )
}
