/** How fast codes of public bookings are mailed. Rule 5.8.4. */

/** Unanswered codes of the last hour of a network or a practice. */
export interface Unanswered {
  readonly count: number
  /** Unix seconds at which the last one is mailed; null without one. */
  readonly last: number | null
}

/**
 * Unanswered codes an hour that are mailed at once, and the seconds between the mails of further ones. A subscriber may have 65,536 IPv6 networks (/48),
 * and someone who rents many of those has them of one provider.
 */
export const paces = {
  /** An IPv4 address, or a /64 of IPv6. */
  network: { free: 20, seconds: 5 },
  /** /24 of IPv4, /48 of IPv6. */
  site: { free: 60, seconds: 3 },
  /** /16 of IPv4, /32 of IPv6. */
  provider: { free: 150, seconds: 2 },
  practice: { free: 300, seconds: 1 }
} as const
export type Scope = keyof typeof paces

/** Seconds until the next code is mailed: behind those that wait. */
export const waitOf = (recent: Readonly<Record<Scope, Unanswered>>, now: number): number =>
  Math.max(
    0,
    ...Object.entries(paces).map(([scope, { free, seconds }]) => {
      const { count, last } = recent[scope as Scope] // the keys of `paces`
      return count < free || last === null ? 0 : last + seconds - now
    })
  )
