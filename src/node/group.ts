/** Who belongs: admitting and putting out, by an admin's records. */
import {
  type DeviceId,
  type GroupId,
  type GroupView,
  isDeviceId,
  MAX_REFERENCES,
  type RecordId,
  ROLES,
  type Role,
  roleAt,
  standing,
} from '../../protocol/index.js'
import { textOf } from '../engine/text.js'
import type { Core } from './core.js'
import { NodeError } from './errors.js'
import { invalidOption } from './invalid-option.js'

export interface AdmitOptions {
  /** @default 'member' */
  readonly role?: Role | undefined
  /** Privacy labels that it may work on. */
  readonly clearances?: readonly string[] | undefined
}

export class Group {
  readonly id: GroupId
  readonly #core: Core
  readonly #device: DeviceId
  readonly #checkOpen: () => void

  /** Use `node.group`. */
  constructor(id: GroupId, core: Core, device: DeviceId, checkOpen: () => void) {
    this.id = id
    this.#core = core
    this.#device = device
    this.#checkOpen = checkOpen
  }

  /** All that is known of it: members with their history, profiles. */
  get view(): GroupView {
    return this.#core.engine.group
  }

  /** Whether this device is in. */
  get isMember(): boolean {
    const refused = standing(this.view.members, this.#device, Number.MAX_SAFE_INTEGER)
    return refused === undefined || refused === 'OBSERVER'
  }

  /** Lets a device in, or changes its role and clearances. Throws `NOT_AN_ADMIN`. */
  async admit(device: DeviceId, options: AdmitOptions = {}): Promise<void> {
    this.#checkAdmin(device)
    const { role = 'member', clearances } = options
    if (!ROLES.includes(role)) throw invalidOption('role', role, ROLES.join(', '))
    await this.#core.write([
      { kind: 'admitted', device, role, ...(clearances !== undefined && { clearances: [...clearances] }) },
    ])
  }

  /** Puts a device out, for good. What it wrote before stands, and so do those whom it let in. Throws `NOT_AN_ADMIN`. */
  async revoke(device: DeviceId, reason?: string): Promise<void> {
    this.#checkAdmin(device)
    await this.#core.write([
      {
        kind: 'revoked',
        device,
        keeps: this.#admissionsBy(device),
        ...(reason !== undefined && { reason: textOf(reason) }),
      },
    ])
  }

  #admissionsBy(device: DeviceId): readonly RecordId[] {
    const kept: RecordId[] = []
    for (const { admissions } of this.view.members.values())
      for (const { by, record } of admissions) if (by === device) kept.push(record)
    return kept.slice(-MAX_REFERENCES)
  }

  #checkAdmin(device: DeviceId): void {
    this.#checkOpen()
    if (!isDeviceId(device)) throw invalidOption('device', device, 'a device id, as `node.device` tells it')
    const role = roleAt(this.view.members.get(this.#device), Number.MAX_SAFE_INTEGER)
    if (role === 'admin') return
    throw new NodeError(
      'NOT_AN_ADMIN',
      'Only an admin lets devices in or puts them out. Nothing was written.',
      {
        device: this.#device,
        role: role ?? null,
      },
    )
  }
}
