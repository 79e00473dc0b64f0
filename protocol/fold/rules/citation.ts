/** What to say of a record that cites one which is not there. */
import { decodeStampText, TIME_LENGTH } from '../../base32.js'
import type { RejectionCode } from '../../errors.js'
import type { RecordId } from '../../ids.js'
import type { RunRecord } from '../../records/record.js'

/** An id tells its record's time, so a citation of something later shows even when the cited record is not here. */
export function missing(record: RunRecord, cited: RecordId | undefined, code: RejectionCode): RejectionCode {
  const stamp = cited === undefined ? undefined : decodeStampText(cited.slice(0, TIME_LENGTH))
  return stamp !== undefined && stamp >= record.stamp ? 'BACKDATED' : code
}
