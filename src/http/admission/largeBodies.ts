/** Limits the memory that large request bodies reserve at the same time. Rule 2.8.3. */
import { Effect } from "effect"
import { Overloaded } from "../../services/database/SqlErrors.ts"
import { currentParty, type RequestParty } from "./Admission.ts"
import { MIB } from "./bodyLimits.ts"
import { makeMemoryShares, type Share } from "./memoryShares.ts"

/** Larger bodies are counted. Bytes. */
const LARGE = MIB / 16
/**
 * Bytes of large bodies held at a time: in the process, for one organisation or pharmacy, for all patients and callers without a
 * credential, and for one of those. Each body is in memory twice more, as text and as parsed JSON.
 */
const LIMITS = { all: 160 * MIB, own: 104 * MIB, untrusted: 32 * MIB, untrustedCaller: 10 * MIB }

const sharesOf = ({ isPartner, owner, caller }: RequestParty, limits: typeof LIMITS): ReadonlyArray<Share> =>
  isPartner
    ? [
        ["all", limits.all],
        [`of ${owner}`, limits.own]
      ]
    : [
        ["all", limits.all],
        ["untrusted", limits.untrusted],
        [`at ${caller}`, limits.untrustedCaller]
      ]

/** Makes a set of counters. Tests pass other limits. */
export const makeLargeBodies = (limits = LIMITS) => {
  const memory = makeMemoryShares()

  /** A reservation for one body, empty at first. */
  const open = Effect.map(currentParty, (party) => {
    const shares = sharesOf(party, limits)
    let held = 0
    return {
      /** Raises the reservation to this size in bytes. Beyond a limit it is the defect `Overloaded`. */
      grow: (size: number) =>
        Effect.suspend(() => {
          if (size <= LARGE) return Effect.void
          if (!memory.take(shares, size - held)) return Effect.die(new Overloaded())
          held = size
          return Effect.void
        }),
      /** Releases the whole reservation. */
      release: Effect.sync(() => {
        memory.give(shares, held)
        held = 0
      })
    }
  })

  return { open }
}
