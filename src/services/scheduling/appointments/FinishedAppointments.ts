/** Appointments that nobody said anything about end by themselves once their room is closed (decided: see the docs). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { system } from "../../../schemas/access/Actor.ts"
import { DomainClock } from "../../DomainClock.ts"
import { transaction } from "../../transaction.ts"
import { CLOSES_AFTER_END_SECONDS } from "../joining/joinWindow.ts"
import { AppointmentChangesRepo } from "./AppointmentChangesRepo.ts"
import { Appointments } from "./Appointments.ts"

const BATCH = 100

export class FinishedAppointments extends Effect.Service<FinishedAppointments>()("scheduling/FinishedAppointments", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const appointments = yield* Appointments
    const changes = yield* AppointmentChangesRepo

    const finishBatch = Effect.fn("FinishedAppointments.finishBatch")(
      function* () {
        const now = yield* clock.now
        const ended = yield* changes.endOverdue(CLOSES_AFTER_END_SECONDS, BATCH, now)
        yield* Effect.forEach(ended, ({ organisation_uid, uid, status }) =>
          appointments.announce({ organisation_uid, actor: system }, uid, status, now)
        )
        return ended.length
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.orDie
    )

    /**
     * Ends every confirmed appointment whose join window has closed: `no_show` where the patient of a digital one never
     * came in, else `completed`. Any number of workers may do it at once. Returns how many it ended.
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
  dependencies: [DomainClock.Default, Appointments.Default, AppointmentChangesRepo.Default]
}) {}
