/** Publishes the event that a patient is waiting for the doctor. Rule 6.2.4. */
import { Effect, Option } from "effect"
import type { AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { EventLog } from "../../events/EventLog.ts"
import { withOwner } from "../../tenancy/Tenancy.ts"
import { publicAppointment } from "../appointments/StoredAppointment.ts"
import { BookingRepo } from "../booking/BookingRepo.ts"

export class WaitingPatients extends Effect.Service<WaitingPatients>()("scheduling/WaitingPatients", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const appointments = yield* BookingRepo
    const events = yield* EventLog

    /** Records that the patient of a confirmed appointment is in the waiting room. Publishes the event the first time. */
    const arrived = Effect.fn("WaitingPatients.arrived")((organisation_uid: OrganisationUid, uid: AppointmentUid) =>
      Effect.gen(function* () {
        const first = yield* appointments.recordWaiting(organisation_uid, uid, yield* clock.now)
        if (Option.isNone(first)) return
        yield* events.append({
          organisation_uid,
          type: "scheduling.waiting",
          subject: uid,
          data: { appointment: publicAppointment(first.value) }
        })
      }).pipe(transaction, withOwner({ organisation_uid }))
    )
    return { arrived } as const
  }),
  dependencies: [BookingRepo.Default]
}) {}
