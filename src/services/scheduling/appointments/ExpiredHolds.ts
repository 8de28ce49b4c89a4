/** Stores that holds have expired. Nothing depends on when this is done: they read as expired at once (Rule 4.2.12). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { OrganisationUid } from "../../../schemas/ids.ts"
import { DomainClock } from "../../DomainClock.ts"
import { batches, Owners } from "../../Owners.ts"
import { ofOwner } from "../../Tenancy.ts"
import { AppointmentsRepo } from "./AppointmentsRepo.ts"
import { overdueOf } from "./overdue.ts"

const BATCH = 500

export class ExpiredHolds extends Effect.Service<ExpiredHolds>()("scheduling/ExpiredHolds", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const appointments = yield* AppointmentsRepo
    const owners = yield* Owners
    const { lapsedOwners } = overdueOf(yield* SqlClient.SqlClient)

    /** Marks every hold whose lifetime is over; makes no event; returns how many. Several workers may run it at once. */
    const expireOverdue = Effect.fn("ExpiredHolds.expireOverdue")(function* () {
      const found = yield* owners.found(lapsedOwners(yield* clock.now))
      const { count } = yield* owners.each(found, (owner) =>
        batches(
          BATCH,
          Effect.flatMap(clock.now, (now) => appointments.expireOverdue(OrganisationUid.make(owner), BATCH, now))
        ).pipe(ofOwner(owner))
      )
      return count
    })
    return { expireOverdue } as const
  }),
  dependencies: [Owners.Default, DomainClock.Default, AppointmentsRepo.Default]
}) {}
