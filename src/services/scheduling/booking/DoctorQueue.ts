/**
 * Serialises the bookings of a doctor within one process, before they take a connection. So at most one per process waits for the doctor's
 * lock in the database.
 */
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { makeBulkhead, withQueueTimeout } from "../../bulkhead.ts"

export class DoctorQueue extends Effect.Service<DoctorQueue>()("scheduling/DoctorQueue", {
  sync: () => {
    const queueOf = makeBulkhead()

    /**
     * Runs `work` exclusively for all of these doctors. Not within a transaction, and not nested. Work that is queued for over 20 seconds is
     * rejected with the defect `Overloaded` (Rule 2.4.11).
     */
    const within = <A, E, R>(
      owner: OrganisationUid,
      doctors: ReadonlyArray<DoctorUid>,
      work: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R> =>
      withQueueTimeout(
        (begun) =>
          [...new Set(doctors)].sort().reduceRight((inner, doctor) => queueOf(`${owner}/${doctor}`)(inner), begun),
        work
      )

    return { within } as const
  }
}) {}
