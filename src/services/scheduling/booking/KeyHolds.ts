/** Holds that an integration makes with its API key, for patients whom it vouches for (Rule 4.10). */
import { Effect } from "effect"
import { ShopNotFound } from "../../../schemas/access/errors.ts"
import type { AppointmentUid, PatientUid } from "../../../schemas/ids.ts"
import { Hold } from "../../../schemas/scheduling/Booking.ts"
import { HoldNotFound } from "../../../schemas/scheduling/errors.ts"
import type { NewKeyHold } from "../../../schemas/scheduling/KeyHold.ts"
import { Patients } from "../../access/Patients.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Idempotency } from "../../Idempotency.ts"
import type { Caller } from "../appointments/Appointments.ts"
import { AppointmentsRepo } from "../appointments/AppointmentsRepo.ts"
import { type Booker, HoldManager } from "./HoldManager.ts"

const bookerFor = (caller: Caller, patient_uid: PatientUid): Booker => ({
  ...caller,
  patient_uid,
  session_uid: null,
  replaces_appointment_uid: null
})

export class KeyHolds extends Effect.Service<KeyHolds>()("scheduling/KeyHolds", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const patients = yield* Patients
    const appointments = yield* AppointmentsRepo
    const holds = yield* HoldManager
    const idempotency = yield* Idempotency

    /** As `HoldManager.hold` for a shop's customer, who is made or updated as by a booking token; also `ShopNotFound`. */
    const hold = Effect.fn("KeyHolds.hold")(function* (caller: Caller, request: NewKeyHold, key: string | undefined) {
      const { organisation_uid, actor } = caller
      const shop = yield* patients.shop(request.shop_uid)
      if (shop.organisation_uid !== organisation_uid) return yield* new ShopNotFound()
      const forCustomer = patients
        .upsert(shop, request.shop_customer_id, request.patient_profile_fields)
        .pipe(Effect.flatMap(({ patient_uid }) => holds.hold(bookerFor(caller, patient_uid), request)))
      return yield* idempotency.once(
        { organisation_uid, scope: `${actor.kind}:${actor.uid}`, key, request: ["hold", request], answer: Hold },
        forCustomer
      )
    })

    /** As `HoldManager.confirm` for a hold that was made by API key; a session's hold is `HoldNotFound`. */
    const confirm = Effect.fn("KeyHolds.confirm")(function* (
      caller: Caller,
      uid: AppointmentUid,
      visit_reason: string | null | undefined
    ) {
      const now = yield* clock.now
      const { patient_uid } = yield* Effect.catchTag(
        appointments.find(caller.organisation_uid, uid, now),
        "AppointmentNotFound",
        () => new HoldNotFound()
      )
      return yield* holds.confirm(bookerFor(caller, patient_uid), uid, visit_reason)
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
