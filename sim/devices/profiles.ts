/** Sorts of devices, and how they live. */
import type { DeviceClass } from '../../protocol/index.js'

export type ProfileName = 'desktop' | 'laptop' | 'phone' | 'always-on'

export interface Profile {
  readonly class: DeviceClass
  readonly slots: number
  /** Minutes between two sleeps, and minutes of each, on average; null for one that never sleeps. */
  readonly sleeps: { readonly everyMin: number; readonly forMin: number } | null
}

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  /** On all day, seldom asleep. */
  desktop: { class: 'desktop', slots: 4, sleeps: null },
  /** Its lid is shut now and then. */
  laptop: { class: 'laptop', slots: 3, sleeps: { everyMin: 25, forMin: 8 } },
  /** In the background most of the time: awake for moments. */
  phone: { class: 'phone', slots: 1, sleeps: { everyMin: 4, forMin: 10 } },
  'always-on': { class: 'server', slots: 8, sleeps: null },
}
