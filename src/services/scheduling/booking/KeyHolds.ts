/** Holds and bookings that an integration makes with its API key on behalf of patients (Rules 4.9, 4.10). */
import { Effect } from "effect"
import { ShopNotFound } from "../../../schemas/access/errors.ts"
import type { AppointmentUid, OrganisationUid, PatientUid, ShopUid } from "../../../schemas/ids.ts"
import type { Hold } from "../../../schemas/scheduling/Booking.ts"
import { HoldNotFound } from "../../../schemas/scheduling/errors.ts"
import {
  type AppointmentWithOverlaps,
  BookedAppointment,
  KeyHold,
  type NewKeyBooking,
  type NewKeyHold
} from "../../../schemas/scheduling/KeyHold.ts"
import { DomainClock } from "../../DomainClock.ts"
import { holderOf, Idempotency } from "../../Idempotency.ts"
import { BirthDates } from "../../patients/BirthDates.ts"
import { Patients, type Shop } from "../../patients/Patients.ts"
import { Service } from "../../Service.ts"
import { OwnerByKey } from "../../tenancy/OwnerByKey.ts"
import type { AboutAppointment } from "../appointments/AppointmentAnswers.ts"
import type { Caller } from "../appointments/Appointments.ts"
import { publicAppointment } from "../appointments/StoredAppointment.ts"
import { type Booked, BookingRepo } from "./BookingRepo.ts"
import { DirectBookings } from "./DirectBookings.ts"
import { type Booker, HoldManager, withIgnored } from "./HoldManager.ts"

export const forKey = (caller: Caller) => ({ ...caller, session_uid: null, replaces_appointment_uid: null })
export const bookerFor = (caller: Caller, patient_uid: PatientUid): Booker => ({ ...forKey(caller), patient_uid })

/** The appointment with what its patient has at the same time. Rule 4.9.7. */
export const bookedForm = (booked: Booked): AppointmentWithOverlaps & AboutAppointment => ({
  ...publicAppointment(booked),
  overlaps: booked.overlaps,
  has_added: booked.concerned.includes(true)
})

type NamedPatient = Pick<NewKeyBooking, "patient_uid" | "shop_customer_id" | "patient_profile_fields">

export class KeyHolds extends Service<KeyHolds>()("scheduling/KeyHolds", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const owners = yield* OwnerByKey
    const patients = yield* Patients
    const births = yield* BirthDates
    const appointments = yield* BookingRepo
    const holds = yield* HoldManager
    const idempotency = yield* Idempotency
    const direct = yield* DirectBookings

    /** The hold, which was made in the same transaction, with what its patient has at the same time. Rule 4.9.7. */
    const heldWithOverlaps = Effect.fnUntraced(function* (owner: OrganisationUid, held: Hold) {
      const { overlaps } = yield* Effect.orDie(appointments.findWithOverlaps(owner, held.hold_uid, yield* clock.now))
      return { ...held, overlaps } satisfies KeyHold
    })

    /** Runs the work for one of the caller's own shops. Also fails with `ShopNotFound`. */
    const inShop = <A, E, R>(
      { organisation_uid }: Caller,
      shop_uid: ShopUid,
      work: (shop: Shop) => Effect.Effect<A, E, R>
    ) =>
      owners.within(
        { kind: "shop", key: shop_uid },
        () => new ShopNotFound(),
        (owner): Effect.Effect<A, E | ShopNotFound, R> =>
          owner === organisation_uid ? work({ organisation_uid, shop_uid }) : new ShopNotFound()
      )

    /** The customer, and the profile fields whose values could not be used. */
    const customerOf = Effect.fnUntraced(function* (
      shop: Shop,
      { actor }: Caller,
      customer_id: string,
      sent: NamedPatient["patient_profile_fields"]
    ) {
      const { profile, ignored } = yield* births.usable(shop.organisation_uid, sent)
      const { patient_uid } = yield* patients.upsert(shop, customer_id, profile, actor)
      return { patient_uid, ignored }
    })

    const patientOf = Effect.fnUntraced(function* (
      shop: Shop,
      caller: Caller,
      { patient_uid, shop_customer_id, patient_profile_fields }: NamedPatient
    ) {
      const { ignored } = patient_profile_fields
      if (patient_uid !== undefined) return { ...(yield* patients.findIn(shop, patient_uid)), ignored }
      if (shop_customer_id !== undefined)
        return yield* customerOf(shop, caller, shop_customer_id, patient_profile_fields)
      return yield* Effect.dieMessage("the body names a patient one way or the other")
    })

    /** As `HoldManager.hold` for a shop's customer, who is upserted as with a booking token; also fails with `ShopNotFound`. */
    const hold = Effect.fn("KeyHolds.hold")(function* (caller: Caller, request: NewKeyHold) {
      const { organisation_uid } = caller
      const forCustomer = (shop: Shop) =>
        customerOf(shop, caller, request.shop_customer_id, request.patient_profile_fields).pipe(
          Effect.flatMap(({ patient_uid, ignored }) =>
            holds.hold(bookerFor(caller, patient_uid), request).pipe(
              Effect.flatMap((held) => heldWithOverlaps(organisation_uid, held)),
              Effect.map((held) => withIgnored(ignored)<KeyHold>(held))
            )
          )
        )
      const once = (shop: Shop) =>
        idempotency.once(
          {
            ...holderOf(caller),
            answer: KeyHold,
            repeated: (first) =>
              Effect.map(holds.present(organisation_uid, first), (held): KeyHold => ({ ...first, ...held }))
          },
          forCustomer(shop)
        )
      return yield* inShop(caller, request.shop_uid, (shop) =>
        holds.queued(forKey(caller), request.doctor_uid, once(shop))
      )
    })

    /** Books without a hold; returns the record of lists. Fails as `hold`, and with `PatientNotFound`. */
    const book = Effect.fn("KeyHolds.book")(function* (caller: Caller, request: NewKeyBooking) {
      return yield* inShop(caller, request.shop_uid, (shop) =>
        direct.book(forKey(caller), request, { ...holderOf(caller), answer: BookedAppointment }, (slot) =>
          Effect.flatMap(patientOf(shop, caller, request), ({ patient_uid, ignored }) =>
            holds
              .book(bookerFor(caller, patient_uid), slot)
              .pipe(Effect.map((booked) => withIgnored(ignored)<BookedAppointment>(bookedForm(booked))))
          )
        )
      )
    })

    /** As `HoldManager.confirm` for a hold made by API key; a session's hold is `HoldNotFound`. */
    const confirm = Effect.fn("KeyHolds.confirm")(function* (
      caller: Caller,
      uid: AppointmentUid,
      visit_reason: string | null | undefined
    ) {
      const now = yield* clock.now
      const { patient_uid, doctor_uid } = yield* Effect.catchTag(
        appointments.find(caller.organisation_uid, uid, now),
        "AppointmentNotFound",
        () => new HoldNotFound()
      )
      return yield* holds.confirm(bookerFor(caller, patient_uid), doctor_uid, uid, visit_reason)
    })
    return { hold, book, confirm, inShop, patientOf } as const
  }),
  dependencies: [
    OwnerByKey.Default,
    Patients.Default,
    BirthDates.Default,
    BookingRepo.Default,
    HoldManager.Default,
    DirectBookings.Default
  ]
}) {}
