/** What happens in the demo practice through the services once its records are there: events, mails, PDFs and payouts follow from it. */
import { Effect, Layer, Schema } from "effect"
import { Settings } from "../../../../../config.ts"
import { system } from "../../../../../schemas/access/Actor.ts"
import { UnixSeconds } from "../../../../../schemas/fields.ts"
import {
  AppointmentTypeUid,
  AppointmentUid,
  DoctorUid,
  OrganisationUid,
  PharmacyOrderUid,
  PharmacyUid,
  PrescriptionUid
} from "../../../../../schemas/ids.ts"
import { NewKeyBooking } from "../../../../../schemas/scheduling/KeyHold.ts"
import { DAY, HOUR, WEEK } from "../../../../../schemas/seconds.ts"
import { Extensions } from "../../../../../services/Extensions.ts"
import { Subscriptions } from "../../../../../services/events/Subscriptions.ts"
import { Orders } from "../../../../../services/pharmacy/Orders.ts"
import { PrescriptionRendering } from "../../../../../services/prescriptions/PrescriptionRendering.ts"
import { PrescriptionSigner } from "../../../../../services/prescriptions/PrescriptionSigner.ts"
import { Appointments } from "../../../../../services/scheduling/appointments/Appointments.ts"
import { Rebookings } from "../../../../../services/scheduling/appointments/Rebookings.ts"
import { BookingRepo } from "../../../../../services/scheduling/booking/BookingRepo.ts"
import { KeyHolds } from "../../../../../services/scheduling/booking/KeyHolds.ts"
import { type CurrentTenant, onlyOwner } from "../../../../../services/tenancy/Tenancy.ts"
import { AppointmentNotes } from "../../../../shared/services/AppointmentNotes.ts"
import { demo } from "../../../../shared/services/demo.ts"
import { makeCalendarCache } from "../../../../shared/services/free/CalendarCache.ts"
import { FirstStarts } from "../../../../shared/services/free/FirstStarts.ts"
import type { DemoAppointment } from "./calendar.ts"
import { completedAtStart, rendered, signed } from "./orders.ts"
import { COURSE, firstCourse } from "./practice.ts"

const organisation_uid = OrganisationUid.make(demo.practice.organisation)
const shop_uid = demo.practice.shop
const caller = { organisation_uid, actor: system }

const notes = [
  "Blutdruck 130/80, Medikation unverändert. Kontrolle in drei Monaten.",
  "Verdacht auf Kontaktekzem. Hydrocortison 1 %, zwei Wochen.",
  "Schlafhygiene besprochen, Tagebuch mitgegeben."
]

const inCourse = [6, 12, 24, 37, 40, 55]

const booking = Schema.decodeUnknown(NewKeyBooking)

/** The demo starts without an act that fails, for example where a day leaves no time for it. */
const made = <A, E, R>(name: string, act: Effect.Effect<A, E, R>) =>
  Effect.catchAllCause(Effect.asVoid(act), (cause) => Effect.logWarning(`the demo practice lacks "${name}"`, cause))

export const livedServices = Layer.mergeAll(
  AppointmentNotes.Default,
  Appointments.Default,
  BookingRepo.Default,
  KeyHolds.Default,
  Orders.Default,
  PrescriptionRendering.Default,
  PrescriptionSigner.Default,
  Rebookings.Default,
  FirstStarts.Default,
  Subscriptions.Default
)

/**
 * Lets it happen to the provisioned appointments. `afterwards` is what goes on once the service listens: PDFs are rendered, as they are in the
 * background at any other time.
 */
export const live = Effect.fnUntraced(function* (appointments: ReadonlyArray<DemoAppointment>, now: number) {
  const { baseUrl } = yield* Settings
  const repo = yield* BookingRepo
  const notebook = yield* AppointmentNotes
  const diary = yield* Appointments
  const rebookings = yield* Rebookings
  const { firstStarts } = yield* FirstStarts
  const keys = yield* KeyHolds
  const extensions = yield* Effect.flatMap(Extensions, ({ having }) => having("demo"))
  const subscriptions = yield* Subscriptions
  const rendering = yield* PrescriptionRendering
  const signer = yield* PrescriptionSigner
  const orders = yield* Orders

  const ahead = appointments.filter(({ status, start_date }) => status === "confirmed" && start_date > now + 3 * DAY)
  const ended = appointments.filter(
    ({ status, doctor_uid }) => status === "completed" && doctor_uid === demo.practice.doctor
  )

  const aroundNow = repo.announceLate(organisation_uid, AppointmentUid.make("apt_now_late"), 10)

  const written = Effect.forEach(ended.slice(-notes.length), ({ uid, doctor_uid }, i) =>
    notebook.write(
      { organisation_uid, actor: { kind: "doctor", uid: doctor_uid } },
      AppointmentUid.make(uid),
      notes[i] ?? null
    )
  )

  const cancelled = Effect.forEach(ahead.slice(0, 2), ({ uid }, i) =>
    diary.cancel(caller, AppointmentUid.make(uid), i === 0 ? "Die Praxis ist an diesem Tag geschlossen." : null)
  )

  /** Moves one to the doctor's next free time. */
  const moved = Effect.gen(function* () {
    const one = ahead.slice(2).find(({ appointment_type_uid }) => appointment_type_uid === demo.practice.consultation)
    if (one === undefined) return
    const doctor_uid = DoctorUid.make(one.doctor_uid)
    const query = {
      appointment_type_uid: AppointmentTypeUid.make(one.appointment_type_uid),
      doctor_uids: [doctor_uid],
      from: one.end_date + HOUR,
      to: one.end_date + 3 * WEEK
    }
    const [free] = yield* firstStarts(organisation_uid, query, 1, () => true, makeCalendarCache())
    if (free === undefined) return
    const to = { new_start_date: UnixSeconds.make(free.start_date), new_doctor_uid: doctor_uid, over_limit: false }
    yield* rebookings.rebook(caller, AppointmentUid.make(one.uid), to)
  })

  const course = Effect.forEach(inCourse, (patient) =>
    Effect.flatMap(
      booking({
        shop_uid,
        patient_uid: `pat_garten_${patient}`,
        doctor_uid: COURSE.doctor_uid,
        appointment_type_uid: COURSE.appointment_type_uid,
        start_date: firstCourse(now)
      }),
      (request) => keys.book(caller, request)
    )
  )

  /** A receiver that answers 404, so that the console shows deliveries that fail. */
  const failingWebhook = subscriptions.create(organisation_uid, {
    owner_kind: "organisation",
    event_types: ["prescription.render"],
    url: `${baseUrl}/demo/receiver-that-is-gone`
  })

  const prescribed = rendering.start({ organisation_uid, prescription_uid: PrescriptionUid.make(rendered) }, system)

  const signedOutside = Effect.forEach(signed, (uid) => {
    const ref = { organisation_uid, prescription_uid: PrescriptionUid.make(uid) }
    return Effect.zipRight(rendering.render(ref), signer.externalSign(ref, system))
  })

  const completed = Effect.forEach(completedAtStart, ({ pharmacy_uid, uid }) =>
    orders
      .complete(PharmacyUid.make(pharmacy_uid), PharmacyOrderUid.make(uid))
      .pipe(onlyOwner({ organisation_uid, pharmacy_uid }))
  )

  yield* Effect.all(
    [
      made("aroundNow", aroundNow),
      made("written", written),
      made("failingWebhook", failingWebhook),
      made("cancelled", cancelled),
      made("moved", moved),
      made("course", course),
      ...extensions.map(({ demo }, index) => made(`capability ${index}`, demo?.(organisation_uid, now) ?? Effect.void))
    ],
    { discard: true }
  ).pipe(onlyOwner({ organisation_uid }))
  yield* made("completed", completed)
  const afterwards = Effect.zipRight(made("prescribed", prescribed), made("signedOutside", signedOutside)).pipe(
    onlyOwner({ organisation_uid }),
    Effect.provide(yield* Effect.context<CurrentTenant>())
  )
  return { afterwards }
})
