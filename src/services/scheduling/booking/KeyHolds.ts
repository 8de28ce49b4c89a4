/** Holds that an integration makes with its API key, for patients whom it vouches for (Rule 4.10). */
import { Effect } from "effect"
import type { AppointmentUid } from "../../../schemas/ids.ts"
import { NotFound } from "../../../schemas/problems.ts"
import { Hold } from "../../../schemas/scheduling/Booking.ts"
import type { NewKeyHold } from "../../../schemas/scheduling/KeyHold.ts"
import { Patients } from "../../access/Patients.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Idempotency } from "../../Idempotency.ts"
import type { Caller } from "../appointments/Appointments.ts"
import { AppointmentsRepo } from "../appointments/AppointmentsRepo.ts"
import { HoldManager } from "./HoldManager.ts"

export class KeyHolds extends Effect.Service<KeyHolds>()("scheduling/KeyHolds", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const patients = yield* Patients
    const appointments = yield* AppointmentsRepo
    const holds = yield* HoldManager
    const idempotency = yield* Idempotency

    /** Holds a slot for a shop's customer, who is made or updated as by a booking token. */
    const hold = Effect.fn("KeyHolds.hold")(function* (caller: Caller, request: NewKeyHold, key: string | undefined) {
      const { organisation_uid, actor } = caller
      const shop = yield* patients.shop(request.shop_uid)
      if (shop.organisation_uid !== organisation_uid) return yield* new NotFound({ what: "Shop" })
      const forPatient = Effect.gen(function* () {
        const profile = request.patient_profile_fields
        const { patient_uid } = yield* patients.upsert(shop, request.shop_customer_id, profile)
        const booker = { organisation_uid, actor, patient_uid, session_uid: null, replaces_appointment_uid: null }
        return yield* holds.hold(booker, request)
      })
      return yield* idempotency.once(
        { organisation_uid, scope: `${actor.kind}:${actor.uid}`, key, request: ["hold", request], answer: Hold },
        forPatient
      )
    })

    /** Confirms a hold that was made by API key; a session's hold is the session's alone. */
    const confirm = Effect.fn("KeyHolds.confirm")(function* (
      { organisation_uid, actor }: Caller,
      uid: AppointmentUid,
      visit_reason: string | null | undefined
    ) {
      const { patient_uid } = yield* appointments.find(organisation_uid, uid, yield* clock.now)
      const booker = { organisation_uid, actor, patient_uid, session_uid: null, replaces_appointment_uid: null }
      return yield* holds.confirm(booker, uid, visit_reason)
    })
    return { hold, confirm } as const
  }),
  dependencies: [
    DomainClock.Default,
    Patients.Default,
    AppointmentsRepo.Default,
    HoldManager.Default,
    Idempotency.Default
  ]
}) {}
