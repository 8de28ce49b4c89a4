/**
 * Lets one booking at a time for each doctor go on to the database. Those who wait here hold no connection; for the
 * doctor's lock in the database waits at most one for each process.
 */
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { inTime, makeTurns } from "../../turns.ts"

export class DoctorQueue extends Effect.Service<DoctorQueue>()("scheduling/DoctorQueue", {
  sync: () => {
    const turnOf = makeTurns()

    /**
     * Runs `work` when it is its turn with all of these doctors. Only outside of a transaction, and not within itself. Work
     * whose turn comes after 20 seconds is not begun: a defect, `Overloaded`, which is 503 (Rule 2.4.11).
     */
    const within = <A, E, R>(
      owner: OrganisationUid,
      doctors: ReadonlyArray<DoctorUid>,
      work: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R> =>
      inTime(
        (begun) =>
          [...new Set(doctors)].sort().reduceRight((inner, doctor) => turnOf(`${owner}/${doctor}`)(inner), begun),
        work
      )

    return { within } as const
  }
}) {}
