import { randomBytes } from "node:crypto"
import { Effect, Schema } from "effect"
import { Provisioning } from "../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import type { Actor } from "../../src/schemas/access/Actor.ts"
import type { PatientProfile } from "../../src/schemas/access/PatientProfile.ts"
import { organisationPermissions } from "../../src/schemas/access/permissions.ts"
import { AppointmentTypeUid, AppointmentUid, DoctorUid, OrganisationUid, ShopUid } from "../../src/schemas/ids.ts"
import { AppointmentQuery } from "../../src/schemas/scheduling/AppointmentQuery.ts"
import { NewBooking, NewBookingSession, NewHold, Slot, SlotSearch } from "../../src/schemas/scheduling/Booking.ts"
import { NewKeyBooking, NewKeyHold } from "../../src/schemas/scheduling/KeyHold.ts"
import { Rebooking } from "../../src/schemas/scheduling/Rebooking.ts"
import { Patients } from "../../src/services/patients/Patients.ts"
import { ActionLinks } from "../../src/services/scheduling/appointments/ActionLinks.ts"
import { AppointmentLists } from "../../src/services/scheduling/appointments/AppointmentLists.ts"
import { Appointments, type Caller } from "../../src/services/scheduling/appointments/Appointments.ts"
import { Rebookings } from "../../src/services/scheduling/appointments/Rebookings.ts"
import { Bookings } from "../../src/services/scheduling/booking/Bookings.ts"
import { KeyHolds } from "../../src/services/scheduling/booking/KeyHolds.ts"
import { SlotEngine } from "../../src/services/scheduling/booking/SlotEngine.ts"
import { asRequest, onlyOwner, withoutOwner } from "../../src/services/tenancy/Tenancy.ts"
import { withKey } from "./withKey.ts"

export const random = (prefix: string) => `${prefix}_${randomBytes(8).toString("hex")}`

export const HOUR = 3600
export const DAY = 86_400

/** A time on a future day, in UTC. */
export const inDays = (days: number, hour = 0, minute = 0) =>
  Math.floor(Date.now() / 1000 / DAY + days) * DAY + hour * HOUR + minute * 60

/** What a request with this body gives to its service; a field that is undefined is not sent. */
const sent = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownSync(schema)
  return (body: unknown) => decode(JSON.parse(JSON.stringify(body)))
}
const newSession = sent(NewBookingSession)
const newHold = sent(NewHold)
const newBooking = sent(NewBooking)
const newKeyHold = sent(NewKeyHold)
const newKeyBooking = sent(NewKeyBooking)
const rebooking = sent(Rebooking)
const appointmentQuery = sent(AppointmentQuery)
const slotSearch = sent(SlotSearch)
const found = Schema.decodeUnknownSync(Schema.parseJson(Schema.Struct({ slots: Schema.Array(Slot) })))

/** Some fields of a body. */
type Fields<I> = { readonly [name in keyof I]?: I[name] | undefined }

/** Day and night, or these minutes from Monday to Friday. */
const openHours = (doctor_uid: string, hours?: readonly [number, number]) =>
  [0, 1, 2, 3, 4, 5, 6].slice(0, hours === undefined ? 7 : 5).map((weekday) => {
    const [start_time, end_time] = hours ?? [0, 1440]
    return { uid: random("rul"), doctor_uid, weekday, start_time, end_time }
  })

/** Most tests book more for one patient than the default limits allow; tests of the limits set their own. */
const UNLIMITED = { patient_live_holds_max: 10_000, patient_future_appointments_max: 10_000 }

/** What an appointment type needs besides its name. */
export const CONSULTATION = {
  meeting_type: "CONSULTATION",
  duration_minutes: 20,
  hold_ttl_seconds: 600,
  room_strategy: "per_appointment",
  rebooking_mode: "same_doctor_only"
} as const

export interface PracticeOptions {
  readonly type?: Readonly<Record<string, unknown>>
  readonly organisation?: Readonly<Record<string, unknown>>
  readonly doctors?: number
  /** Of Monday to Friday, in minutes; otherwise day and night. */
  readonly hours?: readonly [from: number, to: number]
}

export interface Placed {
  readonly status: string
  /** Unix seconds. */
  readonly start_date: number
  readonly minutes?: number
  readonly fields?: Readonly<Record<string, unknown>>
}

const profileOf = (name: string) => ({ first_name: "Testa", last_name: "Patient", email: `${name}@example.org` })

/** As a request by launch code: it sees no rows until the code is found, and is in the audit log. */
const inRequest =
  (name: string) =>
  <A, E, R>(request: Effect.Effect<A, E, R>) =>
    withoutOwner(asRequest({ action: `patient.booking.${name}` })(request))

const provision = (json: unknown) => Effect.flatMap(Provisioning, ({ apply }) => apply(json))

/** The provisioning file of an organisation for one test, and its identifiers: doctors who are available day and night (UTC), a 20-minute type, a shop, keys. */
export const practiceFile = (options: PracticeOptions) => {
  const organisation_uid = OrganisationUid.make(random("org"))
  const doctor = DoctorUid.make(random("doc"))
  const { doctors: count = 2 } = options
  const doctors = Array.from({ length: count }, (_, at) => (at === 0 ? doctor : DoctorUid.make(random("doc"))))
  const ids = {
    organisation_uid,
    shop_uid: ShopUid.make(random("shop")),
    shop_identifier: random("identifier"),
    type_uid: AppointmentTypeUid.make(random("aty")),
    key: random("spr_key_that_is_long_enough"),
    key_id: random("bts"),
    secret: random("secret_of_at_least_32_bytes")
  }
  const file = {
    organisations: [
      {
        uid: organisation_uid,
        name: "Praxis",
        timezone: "UTC",
        return_url_origins: ["https://shop.example"],
        ...UNLIMITED,
        ...options.organisation
      }
    ],
    shops: [{ uid: ids.shop_uid, shop_identifier: ids.shop_identifier, organisation_uid }],
    doctors: doctors.map((uid) => ({ uid, organisation_uid, display_name: `Dr. ${uid}`, email: `${uid}@example.org` })),
    appointment_types: [
      {
        uid: ids.type_uid,
        organisation_uid,
        name: "Consultation",
        ...CONSULTATION,
        rebooking_mode: "any_doctor_same_organisation",
        allow_patient_rebooking: true,
        ...options.type
      }
    ],
    availability_rules: doctors.flatMap((uid) => openHours(uid, options.hours)),
    api_keys: [{ key: ids.key, name: "all", permissions: organisationPermissions, organisation_uid }],
    booking_token_secrets: [{ organisation_uid, key_id: ids.key_id, secret: ids.secret }]
  }
  return { file, ids: { ...ids, doctors, doctor } }
}
export const provisioned = (options: PracticeOptions) => {
  const { file, ids } = practiceFile(options)
  return Effect.as(provision(file), ids)
}

/**
 * An organisation and what its patients and its integrations do, as calls of the services: each with the rows that its request would see.
 * Bodies are given as their JSON.
 */
export const practiceOf = (ids: Effect.Effect.Success<ReturnType<typeof provisioned>>) => {
  const { organisation_uid, shop_uid, type_uid, doctor } = ids
  const shop = { organisation_uid, shop_uid }
  const inside = onlyOwner({ organisation_uid })

  const as = (kind: Actor["kind"], uid: string): Caller => ({ organisation_uid, actor: { kind, uid } })
  /** An API key of the practice, who calls. */
  const key = as("api_key", "key")

  /** The patient who is this customer of the shop. */
  const customer = (name = "customer-1", profile: PatientProfile = profileOf(name)) =>
    inside(Effect.flatMap(Patients, (_) => _.upsert(shop, name, profile)))
  /** The patient who is this customer, who calls. */
  const asCustomer = (name?: string) => Effect.map(customer(name), ({ patient_uid }) => as("patient", patient_uid))

  /** Opens a session of a customer, from now for 30 days unless the body says otherwise. */
  const open = (name?: string, body: Fields<typeof NewBookingSession.Encoded> = {}) =>
    Effect.flatMap(customer(name), (patient) => {
      const standard = { mode: "booking", appointment_type_uid: type_uid, from: inDays(0), to: inDays(30) }
      return inside(Effect.flatMap(Bookings, (_) => _.open(patient, newSession({ ...standard, ...body }))))
    })
  /** The same; its launch code. */
  const session = (...of: Parameters<typeof open>) =>
    Effect.map(open(...of), ({ booking_launch_code }) => booking_launch_code)

  const slot = { doctor_uid: doctor, appointment_type_uid: type_uid }
  const hold = (code: string, start_date: number, body: Fields<typeof NewHold.Encoded> = {}, idempotency?: string) =>
    inRequest("hold")(Effect.flatMap(Bookings, (_) => _.hold(code, newHold({ ...slot, start_date, ...body })))).pipe(
      withKey(idempotency, { start_date, ...body })
    )

  const confirm = (code: string, hold_uid: string, visit_reason?: string | null) =>
    inRequest("confirm")(Effect.flatMap(Bookings, (_) => _.confirm(code, AppointmentUid.make(hold_uid), visit_reason)))

  /** A confirmed appointment; its uid. */
  const booked = Effect.fnUntraced(function* (
    start_date: number,
    name?: string,
    body?: Fields<typeof NewHold.Encoded>
  ) {
    const code = yield* session(name, { from: start_date, to: start_date + 1 })
    const { hold_uid } = yield* hold(code, start_date, body)
    return (yield* confirm(code, hold_uid)).uid
  })

  const book = (code: string, body: Fields<typeof NewBooking.Encoded>, idempotency?: string) =>
    inRequest("book")(Effect.flatMap(Bookings, (_) => _.book(code, newBooking(body)))).pipe(withKey(idempotency, body))

  const ofCustomer = { shop_uid, appointment_type_uid: type_uid, shop_customer_id: "customer-1" }
  /** Holds by API key, for one and the same customer and the first doctor, unless the body names others. */
  const holdByKey = (body: Fields<typeof NewKeyHold.Encoded>, idempotency?: string) => {
    const wanted = newKeyHold({ ...ofCustomer, doctor_uid: doctor, ...body })
    return inside(Effect.flatMap(KeyHolds, (_) => _.hold(key, wanted))).pipe(withKey(idempotency, wanted))
  }
  const confirmByKey = (hold_uid: string, visit_reason?: string | null) =>
    inside(Effect.flatMap(KeyHolds, (_) => _.confirm(key, AppointmentUid.make(hold_uid), visit_reason)))
  /** Books by API key, for one and the same customer unless the body names another. */
  const bookByKey = (body: Fields<typeof NewKeyBooking.Encoded>, idempotency?: string) => {
    const named = body.patient_uid === undefined ? {} : { shop_customer_id: undefined }
    const wanted = newKeyBooking({ ...ofCustomer, ...named, ...body })
    return inside(Effect.flatMap(KeyHolds, (_) => _.book(key, wanted))).pipe(withKey(idempotency, wanted))
  }

  const cancel = (uid: string, by = key, reason: string | null = null) =>
    inside(Effect.flatMap(Appointments, (_) => _.cancel(by, AppointmentUid.make(uid), reason)))

  const reopen = (uid: string, by = key) =>
    inside(Effect.flatMap(Appointments, (_) => _.reopen(by, AppointmentUid.make(uid))))
  const finish = (uid: string, trigger: "complete" | "no_show", by = key) =>
    inside(Effect.flatMap(Appointments, (_) => _.finish(by, AppointmentUid.make(uid), trigger)))

  /** A link that cancels the appointment, as for a partner's mail. */
  const cancelLink = (uid: string) =>
    inside(Effect.flatMap(ActionLinks, (_) => _.issueFor(key, AppointmentUid.make(uid), "cancel")))

  const rebook = (uid: string, body: Fields<typeof Rebooking.Encoded>, by = key, idempotency?: string) =>
    inside(Effect.flatMap(Rebookings, (_) => _.rebook(by, AppointmentUid.make(uid), rebooking(body)))).pipe(
      withKey(idempotency, body)
    )

  /** A page of the practice's appointments; the query as in an address. */
  const list = (query: Fields<typeof AppointmentQuery.Encoded> = {}) =>
    inside(Effect.flatMap(AppointmentLists, (_) => _.list(organisation_uid, appointmentQuery(query))))

  /** The free slots, of the day from tomorrow on unless the body says otherwise. */
  const search = (body: Fields<typeof SlotSearch.Encoded> = {}) => {
    const standard = { shop_uid, appointment_type_uid: type_uid, from: inDays(1), to: inDays(2), timezone: "UTC" }
    return withoutOwner(Effect.flatMap(SlotEngine, (_) => _.search(slotSearch({ ...standard, ...body })))).pipe(
      Effect.map((answer) => found(Buffer.concat("bytes" in answer ? [answer.bytes] : [...answer.pieces]).toString())),
      Effect.map(({ slots }) => slots)
    )
  }

  /** Another type of the organisation; its uid. */
  const otherType = (fields: Readonly<Record<string, unknown>> = {}) => {
    const uid = AppointmentTypeUid.make(random("aty"))
    const type = { uid, organisation_uid, name: "Other", ...CONSULTATION, ...fields }
    return Effect.as(provision({ appointment_types: [type] }), uid)
  }

  /** Provisions an appointment, with the first doctor unless the fields name another; its uid. */
  const place = (patient_uid: string, { status, start_date, minutes = 20, fields }: Placed) => {
    const uid = AppointmentUid.make(random("apt"))
    const end_date = start_date + minutes * 60
    const appointment = { uid, organisation_uid, ...slot, patient_uid, status, start_date, end_date, ...fields }
    return Effect.as(provision({ appointments: [appointment] }), uid)
  }

  return {
    ...ids,
    provision,
    inside,
    asKey: key,
    customer,
    asCustomer,
    asDoctor: (doctor_uid: DoctorUid) => as("doctor", doctor_uid),
    asAdmin: as("admin", "admin"),
    open,
    session,
    hold,
    confirm,
    book,
    booked,
    holdByKey,
    confirmByKey,
    bookByKey,
    cancel,
    cancelLink,
    finish,
    reopen,
    rebook,
    list,
    search,
    otherType,
    place
  }
}
export type Practice = ReturnType<typeof practiceOf>
export const makePractice = (options: PracticeOptions = {}) => Effect.map(provisioned(options), practiceOf)
