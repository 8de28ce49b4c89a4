/** Appointments that were left open end by themselves once their join window has closed (Rule 4.11.2). */
import { Effect } from "effect"
import { system } from "../../../schemas/access/Actor.ts"
import { Database } from "../../Database.ts"
import { DomainClock } from "../../DomainClock.ts"
import { CLOSES_AFTER_END_SECONDS } from "../joining/joinWindow.ts"
import { Appointments } from "./Appointments.ts"
import { AppointmentsRepo } from "./AppointmentsRepo.ts"

const BATCH = 100

export class FinishedAppointments extends Effect.Service<FinishedAppointments>()("scheduling/FinishedAppointments", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const appointments = yield* Appointments
    const repo = yield* AppointmentsRepo

    const finishBatch = Effect.fn("FinishedAppointments.finishBatch")(
      function* () {
        const now = yield* clock.now
        const ended = yield* repo.endOverdue(CLOSES_AFTER_END_SECONDS, BATCH, now)
        yield* Effect.forEach(ended, (one) =>
          appointments.announce(one, system, one.status === "no_show" ? "no_show" : "completed")
        )
        return ended.length
      },
      transaction,
      Effect.orDie
    )

    /**
     * Ends every confirmed appointment whose join window has closed: `no_show` where the patient of a digital one never
     * joined, else `completed`. Several workers may run it at once. Returns how many it ended.
     */
    const finishOverdue = Effect.fn("FinishedAppointments.finishOverdue")(function* () {
      let finished = 0
      for (;;) {
        const count = yield* finishBatch()
        finished += count
        if (count < BATCH) return finished
      }
    })
    return { finishOverdue } as const
  }),
  dependencies: [Database.Default, DomainClock.Default, Appointments.Default, AppointmentsRepo.Default]
}) {}
