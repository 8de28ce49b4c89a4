/** Stores the expiry of holds. Its timing does not matter: they read as expired at once (Rule 4.2.12). */
import { Effect } from "effect"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { batches, Owners } from "../../tenancy/Owners.ts"
import { BookingRepo } from "../booking/BookingRepo.ts"
import { FreedTime } from "../booking/FreedTime.ts"

const BATCH = 500

export class ExpiredHolds extends Effect.Service<ExpiredHolds>()("scheduling/ExpiredHolds", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const appointments = yield* BookingRepo
    const owners = yield* Owners
    const freed = yield* FreedTime
    const { transaction } = yield* Database

    /** Marks every hold that has expired; publishes no event; returns how many. Safe to run in several workers at once. */
    const expireOverdue = Effect.fn("ExpiredHolds.expireOverdue")(function* () {
      return yield* owners.eachDue("holds", yield* clock.now, (owner) =>
        batches(
          BATCH,
          transaction(
            clock.now.pipe(
              Effect.flatMap((now) => appointments.expireOverdue(owner, BATCH, now)),
              Effect.tap((expired) => (expired.length > 0 ? freed.settle(owner) : Effect.void)),
              Effect.map((expired) => expired.length)
            )
          )
        )
      )
    })
    return { expireOverdue } as const
  }),
  dependencies: [BookingRepo.Default, FreedTime.Default]
}) {}
