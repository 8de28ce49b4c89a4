/** Stores that holds have expired. Nothing depends on when this is done: they read as expired at once (Rule 4.2.12). */
import { Effect } from "effect"
import { DomainClock } from "../../DomainClock.ts"
import { AppointmentsRepo } from "./AppointmentsRepo.ts"

const BATCH = 500

export class ExpiredHolds extends Effect.Service<ExpiredHolds>()("scheduling/ExpiredHolds", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const appointments = yield* AppointmentsRepo

    /** Marks every hold whose lifetime is over; makes no event; returns how many. Several workers may run it at once. */
    const expireOverdue = Effect.fn("ExpiredHolds.expireOverdue")(function* () {
      let expired = 0
      for (;;) {
        const count = yield* appointments.expireOverdue(BATCH, yield* clock.now)
        expired += count
        if (count < BATCH) return expired
      }
    })
    return { expireOverdue } as const
  }),
  dependencies: [DomainClock.Default, AppointmentsRepo.Default]
}) {}
