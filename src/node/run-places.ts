/** In which journals the records of each run stand: what must be kept, and dropped, together. */
import { type AnyRecord, isRunRecord, type RunId } from '../../protocol/index.js'
import { journalOfRunId } from '../journal/index.js'

export class RunPlaces {
  /** Of runs with a key: it may have been used on several days. The id of any other run tells its day. */
  readonly #keyed = new Map<RunId, readonly string[]>()

  note(journal: string, records: readonly AnyRecord[]): void {
    let last: RunId | null = null
    for (const record of records) {
      if (!isRunRecord(record) || record.run === last) continue
      last = record.run
      if (journalOfRunId(last) !== undefined) continue
      const places = this.#keyed.get(last) ?? []
      if (!places.includes(journal)) this.#keyed.set(last, [...places, journal])
    }
  }

  of(run: RunId): readonly string[] {
    const day = journalOfRunId(run)
    return day === undefined ? (this.#keyed.get(run) ?? []) : [day]
  }

  /** These journals, and all that hold more of a run of which one of them holds something. */
  spread(journals: Iterable<string>): ReadonlySet<string> {
    const reached = new Set(journals)
    let split = [...this.#keyed.values()].filter((places) => places.length > 1)
    for (let size = -1; size !== reached.size; ) {
      size = reached.size
      const rest: (readonly string[])[] = []
      for (const places of split) {
        if (places.some((place) => reached.has(place))) for (const place of places) reached.add(place)
        else rest.push(places)
      }
      split = rest
    }
    return reached
  }

  /** Journals were dropped. */
  drop(journals: ReadonlySet<string>): void {
    for (const [run, places] of this.#keyed) {
      const left = places.filter((place) => !journals.has(place))
      if (left.length === 0) this.#keyed.delete(run)
      else if (left.length < places.length) this.#keyed.set(run, left)
    }
  }
}
