/** Memory for large bodies: what several at once need beside all else would be more than a process has. Rule 2.8.3. */
import { Effect, FiberRef } from "effect"
import { Overloaded } from "../services/SqlErrors.ts"
import { currentTenancy } from "../services/Tenancy.ts"
import { MIB } from "./bodyLimits.ts"

/** Bodies of more bytes are counted. */
const LARGE = MIB
/** Bytes of large bodies in a process, and of those of one owner: a body is in memory twice more, as text and as what is in it. */
const MOST = { all: 160 * MIB, own: 104 * MIB }

/** A count of its own, with other limits in tests. */
export const makeLargeBodies = (most = MOST) => {
  const taken = new Map<string, number>()
  let all = 0

  const give = (owner: string, size: number) =>
    Effect.sync(() => {
      const own = (taken.get(owner) ?? 0) - size
      if (own > 0) taken.set(owner, own)
      else taken.delete(owner)
      all -= size
    })

  /**
   * Room for a body of so many bytes, in the name of whoever the credential belongs to; gives what gives it back. Where there is none
   * it is a defect, `Overloaded`.
   */
  const take = (size: number): Effect.Effect<Effect.Effect<void>> =>
    size <= LARGE
      ? Effect.succeed(Effect.void)
      : Effect.flatMap(FiberRef.get(currentTenancy), ({ organisation, pharmacy }) => {
          const owner = organisation || pharmacy
          const own = (taken.get(owner) ?? 0) + size
          if (own > most.own || all + size > most.all) return Effect.die(new Overloaded())
          taken.set(owner, own)
          all += size
          return Effect.succeed(give(owner, size))
        })

  return { take }
}
