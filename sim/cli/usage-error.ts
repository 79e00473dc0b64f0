/** What was asked cannot be done: the command line says something that makes no sense. */
export class UsageError extends Error {
  readonly code = 'USAGE'

  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** A file that could not be read or written. */
export class FileError extends Error {
  readonly code = 'FILE'

  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'FileError'
  }
}
