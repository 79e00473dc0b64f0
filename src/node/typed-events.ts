/**
 * Events with types, used like those of an EventTarget, which would warn of a leak from the 11th listener on. A map says
 * for each event what its `detail` is.
 *
 * A listener that throws is the app's affair: its error comes up as an uncaught one, the other listeners are called all
 * the same, and whoever emitted goes on.
 *
 * @example
 * ```ts
 * const events = new TypedEvents<{ 'door:opened': { readonly by: string } }>()
 * events.addEventListener('door:opened', ({ detail }) => greet(detail.by))
 * const { by } = await events.once('door:opened', { signal })
 * ```
 */
import { runAppCode } from '../journal/app-code.js'
import { NodeError, TimeoutError } from './errors.js'

/** What a listener is called with. */
export interface TypedEvent<Type extends string, Detail> extends Event {
  readonly type: Type
  readonly detail: Detail
}

export type TypedListener<Type extends string, Detail> =
  | ((event: TypedEvent<Type, Detail>) => unknown)
  | { handleEvent(event: TypedEvent<Type, Detail>): unknown }

export interface ListenOptions {
  /** Called for the first event only. @default false */
  readonly once?: boolean | undefined
  /** Takes the listener away when it is aborted. */
  readonly signal?: AbortSignal | undefined
}

interface Registration {
  readonly listener: unknown
  readonly call: (event: Event) => void
  readonly signal: AbortSignal | undefined
  readonly onAbort: () => void
}

export class TypedEvents<Events extends object> {
  /** By type, then by listener, in the order in which they were added. */
  readonly #registrations = new Map<string, Map<unknown, Registration>>()
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  /** As with any EventTarget, a listener that is there already is not added again. */
  addEventListener<Type extends keyof Events & string>(
    type: Type,
    listener: TypedListener<Type, Events[Type]>,
    { once = false, signal }: ListenOptions = {},
  ): void {
    if (this.#isClosed || signal?.aborted) return
    const registrations = this.#registrations.get(type) ?? new Map<unknown, Registration>()
    if (registrations.has(listener)) return
    const registration: Registration = {
      listener,
      call: (event) => {
        if (once) this.#remove(type, registration)
        const typed = event as TypedEvent<Type, Events[Type]>
        runAppCode(
          () => void (typeof listener === 'function' ? listener(typed) : listener.handleEvent(typed)),
        )
      },
      signal,
      onAbort: () => this.#remove(type, registration),
    }
    signal?.addEventListener('abort', registration.onAbort)
    registrations.set(listener, registration)
    this.#registrations.set(type, registrations)
  }

  removeEventListener<Type extends keyof Events & string>(
    type: Type,
    listener: TypedListener<Type, Events[Type]>,
  ): void {
    const found = this.#registrations.get(type)?.get(listener)
    if (found !== undefined) this.#remove(type, found)
  }

  /** The detail of the next such event. Rejects with `ABORTED` or `NODE_CLOSED`. */
  once<Type extends keyof Events & string>(
    type: Type,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Events[Type]> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(closed(type))
      if (signal?.aborted) return reject(aborted(type, signal))
      const end = (): void => {
        this.removeEventListener(type, listener)
        this.#waiting.delete(onClose)
        signal?.removeEventListener('abort', onAbort)
      }
      const listener = ({ detail }: TypedEvent<Type, Events[Type]>): void => {
        end()
        resolve(detail)
      }
      const onAbort = (): void => {
        end()
        reject(aborted(type, signal))
      }
      const onClose = (): void => {
        end()
        reject(closed(type))
      }
      signal?.addEventListener('abort', onAbort)
      this.#waiting.add(onClose)
      this.addEventListener(type, listener)
    })
  }

  /** Whether nobody listens to anything. */
  get isUnheard(): boolean {
    return this.#registrations.size === 0
  }

  /** Whether it is worth making a detail for this type. */
  hasListeners(type: keyof Events & string): boolean {
    return this.#registrations.has(type)
  }

  /** Calls the listeners of a type, one after the other, before it returns. Costs next to nothing if there are none. */
  emit<Type extends keyof Events & string>(type: Type, detail: Events[Type]): void {
    const registrations = this.#registrations.get(type)
    if (registrations === undefined) return
    const event = new CustomEvent(type, { detail })
    // One that another has taken away meanwhile is not called any more.
    for (const registration of [...registrations.values()])
      if (registrations.get(registration.listener) === registration) registration.call(event)
  }

  /** Takes all listeners away. Who waits by `once` is told. */
  close(): void {
    this.#isClosed = true
    for (const onClose of [...this.#waiting]) onClose()
    for (const [type, registrations] of [...this.#registrations]) {
      for (const registration of [...registrations.values()]) this.#remove(type, registration)
    }
  }

  #remove(type: string, registration: Registration): void {
    registration.signal?.removeEventListener('abort', registration.onAbort)
    const registrations = this.#registrations.get(type)
    if (registrations?.get(registration.listener) !== registration) return
    registrations.delete(registration.listener)
    if (registrations.size === 0) this.#registrations.delete(type)
  }
}

function aborted(type: string, signal: AbortSignal | undefined): TimeoutError {
  return new TimeoutError('ABORTED', `The wait for “${type}” was aborted.`, { type }, signal?.reason)
}

function closed(type: string): NodeError {
  return new NodeError('NODE_CLOSED', `The node was closed before “${type}” happened.`, { type })
}
