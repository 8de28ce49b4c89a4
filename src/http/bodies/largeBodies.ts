/** Memory for large bodies: what several at once need beside all else would be more than a process has. Rule 2.8.3. */
import { Effect, FiberRef } from "effect"
import { Overloaded } from "../../services/database/SqlErrors.ts"
import { anonymous, currentTenancy } from "../../services/tenancy/Tenancy.ts"
import { MIB } from "./bodyLimits.ts"

/** Bodies of more bytes are counted. */
const LARGE = MIB / 16
/**
 * Bytes of large bodies in a process, of those of one owner, and of those whose sender has shown no credential: a body is in memory twice
 * more, as text and as what is in it.
 */
const MOST = { all: 160 * MIB, own: 104 * MIB, unknown: 32 * MIB }

/** A count of its own, with other limits in tests. */
export const makeLargeBodies = (most = MOST) => {
  const taken = new Map<string, number>()
  let all = 0

  /** Room for one body, in the name of whoever the credential belongs to: none at first. */
  const open = Effect.map(FiberRef.get(currentTenancy), ({ organisation, pharmacy, request }) => {
    const owner = organisation || pharmacy || (request === null || request.actor === anonymous ? "" : request.actor.uid)
    const mostOwn = owner === "" ? most.unknown : most.own
    let held = 0
    const hold = (size: number) => {
      const own = (taken.get(owner) ?? 0) + size - held
      if (own > 0) taken.set(owner, own)
      else taken.delete(owner)
      all += size - held
      held = size
    }
    return {
      /** Has room for so many bytes in all from now on. Where there is none it is a defect, `Overloaded`. */
      grow: (size: number) =>
        Effect.suspend(() => {
          if (size <= LARGE) return Effect.void
          const more = size - held
          if ((taken.get(owner) ?? 0) + more > mostOwn || all + more > most.all) return Effect.die(new Overloaded())
          hold(size)
          return Effect.void
        }),
      /** Gives all of it back. */
      release: Effect.sync(() => hold(0))
    }
  })

  return { open }
}
