/** Limits the memory that large request bodies reserve at the same time. Rule 2.8.3. */
import { Effect, FiberRef } from "effect"
import { isPatientSide } from "../../schemas/access/Actor.ts"
import { currentCaller } from "../../services/database/currentCaller.ts"
import { Overloaded } from "../../services/database/SqlErrors.ts"
import { anonymous, currentTenancy, type Tenancy } from "../../services/tenancy/Tenancy.ts"
import { MIB } from "./bodyLimits.ts"

/** Larger bodies are counted. Bytes. */
const LARGE = MIB / 16
/**
 * Bytes of large bodies held at a time: in the process, for one tenant, for all untrusted callers (without a credential, or
 * patients), and for one of their addresses. Each body is in memory twice more, as text and as parsed JSON.
 */
const LIMITS = { all: 160 * MIB, own: 104 * MIB, untrusted: 32 * MIB, untrustedAddress: 4 * MIB }

/** A name under which bodies are counted together, and its limit in bytes. */
type Quota = readonly [name: string, limit: number]

/** The quotas that a body counts against. */
const quotasOf = ({ organisation, pharmacy, request }: Tenancy, caller: string, limits: typeof LIMITS) => {
  const actor = request === null ? null : request.actor
  const owner = organisation || pharmacy || (actor === null || actor === anonymous ? "" : actor.uid)
  const all: Quota = ["all", limits.all]
  const isUntrusted = owner === "" || (actor !== null && (actor === anonymous || isPatientSide(actor)))
  if (!isUntrusted) return [all, [`of ${owner}`, limits.own] satisfies Quota]
  const untrusted: ReadonlyArray<Quota> = [all, ["untrusted", limits.untrusted]]
  return caller === "" ? untrusted : [...untrusted, [`at ${caller}`, limits.untrustedAddress] satisfies Quota]
}

/** Makes a set of counters. Tests pass other limits. */
export const makeLargeBodies = (limits = LIMITS) => {
  const taken = new Map<string, number>()
  const takenOf = (quota: string) => taken.get(quota) ?? 0

  /** A reservation for one body, empty at first. */
  const open = Effect.zipWith(FiberRef.get(currentTenancy), FiberRef.get(currentCaller), (tenancy, caller) => {
    const quotas = quotasOf(tenancy, caller, limits)
    let held = 0
    const reserve = (size: number) => {
      for (const [quota] of quotas) {
        const now = takenOf(quota) + size - held
        if (now > 0) taken.set(quota, now)
        else taken.delete(quota)
      }
      held = size
    }
    return {
      /** Raises the reservation to this size in bytes. Beyond a quota it is the defect `Overloaded`. */
      grow: (size: number) =>
        Effect.suspend(() => {
          if (size <= LARGE) return Effect.void
          const more = size - held
          if (quotas.some(([quota, limit]) => takenOf(quota) + more > limit)) return Effect.die(new Overloaded())
          reserve(size)
          return Effect.void
        }),
      /** Releases the whole reservation. */
      release: Effect.sync(() => reserve(0))
    }
  })

  return { open }
}
