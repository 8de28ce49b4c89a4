/** Ends holds and appointments whose time is over. */
import { Effect } from "effect"
import { system } from "../../../schemas/access/Actor.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { CLOSES_AFTER_END_SECONDS } from "../../../schemas/scheduling/joinWindow.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { Service } from "../../Service.ts"
import { batches, Owners } from "../../tenancy/Owners.ts"
import { BookingRepo } from "../booking/BookingRepo.ts"
import { Appointments } from "./Appointments.ts"

/** Rows of one transaction: ending an appointment also appends its event. */
const [HOLDS_AT_ONCE, APPOINTMENTS_AT_ONCE] = [500, 100]

/** Its methods return how many rows they ended, and can run in several workers at once. */
export class OverdueAppointments extends Service<OverdueAppointments>()("scheduling/OverdueAppointments", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const appointments = yield* Appointments
    const repo = yield* BookingRepo
    const owners = yield* Owners

    const expireBatch = Effect.fnUntraced(function* (owner: OrganisationUid) {
      return (yield* repo.expireOverdue(owner, HOLDS_AT_ONCE, yield* clock.now)).length
    }, transaction)

    /**
     * Stores the expiry of holds; publishes no event. Its timing does not matter: they read as expired at once (Rule 4.2.12).
     */
    const expireHolds = Effect.fn("OverdueAppointments.expireHolds")(function* () {
      return yield* owners.eachDue("holds", yield* clock.now, (owner) => batches(HOLDS_AT_ONCE, expireBatch(owner)))
    })

    const finishBatch = Effect.fnUntraced(
      function* (owner: OrganisationUid) {
        const now = yield* clock.now
        const ended = yield* repo.endOverdue(owner, CLOSES_AFTER_END_SECONDS, APPOINTMENTS_AT_ONCE, now)
        yield* appointments.announce(ended, system)
        return ended.length
      },
      transaction,
      Effect.orDie
    )

    /**
     * Ends every confirmed appointment whose join window has closed: `no_show` if the patient of a digital one never joined, else
     * `completed` (Rule 4.11.2).
     */
    const finish = Effect.fn("OverdueAppointments.finish")(function* () {
      const closed = (yield* clock.now) - CLOSES_AFTER_END_SECONDS
      return yield* owners.eachDue("appointments", closed, (owner) => batches(APPOINTMENTS_AT_ONCE, finishBatch(owner)))
    })
    return { expireHolds, finish } as const
  }),
  dependencies: [Appointments.Default, BookingRepo.Default]
}) {}
