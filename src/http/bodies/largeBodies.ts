/** Memory for large bodies: what several at once need beside all else would be more than a process has. Rule 2.8.3. */
import { Effect, FiberRef } from "effect"
import { isPatientSide } from "../../schemas/access/Actor.ts"
import { currentCaller } from "../../services/database/currentCaller.ts"
import { Overloaded } from "../../services/database/SqlErrors.ts"
import { anonymous, currentTenancy, type Tenancy } from "../../services/tenancy/Tenancy.ts"
import { MIB } from "./bodyLimits.ts"

/** Bodies of more bytes are counted. */
const LARGE = MIB / 16
/**
 * Bytes of large bodies in a process, of those of one owner, and of those whose sender has shown no credential or is a patient: of all of
 * these, and at one address. A body is in memory twice more, as text and as what is in it.
 */
const MOST = { all: 160 * MIB, own: 104 * MIB, strangers: 32 * MIB, stranger: 4 * MIB }

/** What bodies count for together, and how many bytes that may be. */
type Share = readonly [name: string, most: number]

/** Of a body in the name of whoever the credential belongs to. */
const sharesOf = ({ organisation, pharmacy, request }: Tenancy, caller: string, most: typeof MOST) => {
  const actor = request === null ? null : request.actor
  const owner = organisation || pharmacy || (actor === null || actor === anonymous ? "" : actor.uid)
  const all: Share = ["all", most.all]
  const isStranger = owner === "" || (actor !== null && (actor === anonymous || isPatientSide(actor)))
  if (!isStranger) return [all, [`of ${owner}`, most.own] satisfies Share]
  const strangers: ReadonlyArray<Share> = [all, ["strangers", most.strangers]]
  return caller === "" ? strangers : [...strangers, [`at ${caller}`, most.stranger] satisfies Share]
}

/** A count of its own, with other limits in tests. */
export const makeLargeBodies = (most = MOST) => {
  const taken = new Map<string, number>()
  const takenOf = (share: string) => taken.get(share) ?? 0

  /** Room for one body: none at first. */
  const open = Effect.zipWith(FiberRef.get(currentTenancy), FiberRef.get(currentCaller), (tenancy, caller) => {
    const shares = sharesOf(tenancy, caller, most)
    let held = 0
    const hold = (size: number) => {
      for (const [share] of shares) {
        const now = takenOf(share) + size - held
        if (now > 0) taken.set(share, now)
        else taken.delete(share)
      }
      held = size
    }
    return {
      /** Has room for so many bytes in all from now on. Where there is none it is a defect, `Overloaded`. */
      grow: (size: number) =>
        Effect.suspend(() => {
          if (size <= LARGE) return Effect.void
          const more = size - held
          if (shares.some(([share, limit]) => takenOf(share) + more > limit)) return Effect.die(new Overloaded())
          hold(size)
          return Effect.void
        }),
      /** Gives all of it back. */
      release: Effect.sync(() => hold(0))
    }
  })

  return { open }
}
