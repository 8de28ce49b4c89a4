/** Writing down that holds have lapsed. Nothing depends on when this is done: lapsed holds read as expired at once. */
import { Effect } from "effect"
import { DomainClock } from "../../DomainClock.ts"
import { AppointmentChangesRepo } from "./AppointmentChangesRepo.ts"

const BATCH = 500

export class LapsedHolds extends Effect.Service<LapsedHolds>()("scheduling/LapsedHolds", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const changes = yield* AppointmentChangesRepo

    /** Marks every lapsed hold as expired, silently; returns how many. Any number of workers may do it at once. */
    const lapseOverdue = Effect.fn("LapsedHolds.lapseOverdue")(function* () {
      let lapsed = 0
      for (;;) {
        const count = yield* changes.lapseOverdue(BATCH, yield* clock.now)
        lapsed += count
        if (count < BATCH) return lapsed
      }
    })
    return { lapseOverdue } as const
  }),
  dependencies: [DomainClock.Default, AppointmentChangesRepo.Default]
}) {}
