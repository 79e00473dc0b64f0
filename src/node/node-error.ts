/** From what the parts below throw to what an app is told. */
import { ProtocolError } from '../../protocol/index.js'
import { JournalError } from '../journal/index.js'
import { StoreError } from '../store/errors.js'
import { CapacityError, DibsError, InputError, NodeError, RunError, StorageError } from './errors.js'

export function nodeErrorOf(error: unknown): Error {
  if (error instanceof DibsError) return error
  if (error instanceof JournalError) return ofJournal(error)
  if (error instanceof StoreError)
    return new StorageError(
      'STORE_UNAVAILABLE',
      error.message,
      { ...error.details, cause: error.code },
      error,
    )
  if (error instanceof ProtocolError)
    return new InputError('INVALID_OPTIONS', error.message, error.details, error)
  return new NodeError('INTERNAL', error instanceof Error ? error.message : String(error), {}, error)
}

function ofJournal(error: JournalError): DibsError {
  const { message, details } = error
  switch (error.code) {
    case 'QUEUE_FULL':
      return new CapacityError('QUEUE_FULL', message, details, error)
    case 'NOT_A_MEMBER':
      return new NodeError('NOT_A_MEMBER', message, details, error)
    case 'JOURNALS_CLOSED':
      return closedError()
    case 'UNKNOWN_RUN':
    case 'JOURNAL_EVICTED':
      return new RunError('RUN_NOT_FOUND', message, details, error)
    default:
      return new NodeError('INTERNAL', message, details, error)
  }
}

export function closedError(): NodeError {
  return new NodeError('NODE_CLOSED', 'The node was closed. What was acknowledged is kept.')
}
