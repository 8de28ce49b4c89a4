/** Ends open appointments once their join window has closed (Rule 4.11.2). */
import { Effect } from "effect"
import { system } from "../../../schemas/access/Actor.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { batches, Owners } from "../../tenancy/Owners.ts"
import { BookingRepo } from "../booking/BookingRepo.ts"
import { CLOSES_AFTER_END_SECONDS } from "../joining/joinWindow.ts"
import { Appointments } from "./Appointments.ts"

const BATCH = 100

export class FinishedAppointments extends Effect.Service<FinishedAppointments>()("scheduling/FinishedAppointments", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const appointments = yield* Appointments
    const repo = yield* BookingRepo
    const owners = yield* Owners

    const finishBatch = Effect.fn("FinishedAppointments.finishBatch")(
      function* (owner: OrganisationUid) {
        const now = yield* clock.now
        const ended = yield* repo.endOverdue(owner, CLOSES_AFTER_END_SECONDS, BATCH, now)
        yield* appointments.announce(ended, system)
        return ended.length
      },
      transaction,
      Effect.orDie
    )

    /**
     * Ends every confirmed appointment whose join window has closed: `no_show` if the patient of a digital one never joined, else
     * `completed`. Safe to run in several workers at once. Returns how many it ended.
     */
    const finishOverdue = Effect.fn("FinishedAppointments.finishOverdue")(function* () {
      const closed = (yield* clock.now) - CLOSES_AFTER_END_SECONDS
      return yield* owners.eachDue("appointments", closed, (owner) => batches(BATCH, finishBatch(owner)))
    })
    return { finishOverdue } as const
  }),
  dependencies: [Appointments.Default, BookingRepo.Default]
}) {}
