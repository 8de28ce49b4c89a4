import { randomBytes } from "node:crypto"
import { Effect, Schema } from "effect"
import { SignJWT } from "jose"
import { organisationPermissions } from "../../src/schemas/access/permissions.ts"
import { NewBookingSession, NewHold } from "../../src/schemas/scheduling/Booking.ts"
import { Provisioning } from "../../src/services/provisioning/Provisioning.ts"
import { clientOf } from "./client.ts"
import type { TestServer } from "./server.ts"

export const random = (prefix: string) => `${prefix}_${randomBytes(8).toString("hex")}`

export const HOUR = 3600
export const DAY = 86_400

/** A time on a future day, in UTC. */
export const inDays = (days: number, hour = 0, minute = 0) =>
  Math.floor(Date.now() / 1000 / DAY + days) * DAY + hour * HOUR + minute * 60

/** The date in UTC, as `2026-12-31`. */
export const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

const decodeSession = Schema.decodeUnknownSync(NewBookingSession)
const decodeHold = Schema.decodeUnknownSync(NewHold)

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

export interface WorldOptions {
  readonly type?: Readonly<Record<string, unknown>>
  readonly organisation?: Readonly<Record<string, unknown>>
  readonly doctors?: number
  /** Of Monday to Friday, in minutes; otherwise day and night. */
  readonly hours?: readonly [from: number, to: number]
}

/** A practice that sends mail about appointments: a confirmation, a move and a cancellation add a message and its job. */
export const SENDS_MAIL = {
  organisation: { messages: ["confirmation", "rebooking", "cancellation"] }
} satisfies WorldOptions

/** An organisation for one test: doctors who are available day and night (UTC), a 20-minute type, a shop, keys. */
export const makeWorld = async (server: TestServer, options: WorldOptions = {}) => {
  const organisation_uid = random("org")
  const doctors = Array.from({ length: options.doctors ?? 2 }, () => random("doc"))
  const ids = {
    organisation_uid,
    shop_uid: random("shop"),
    shop_identifier: random("identifier"),
    type_uid: random("aty"),
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
  const provision = (json: unknown) => server.run(Effect.flatMap(Provisioning, ({ apply }) => apply(json)))
  await provision(file)

  /** Sends a request with the key that has all permissions. */
  const api = (method: string, path: string, body?: unknown) => server.api(method, path, { key: ids.key, body })

  /** An API key of this organisation with only these permissions. */
  const keyWith = async (...permissions: ReadonlyArray<string>) => {
    const key = random("spr_key_that_is_long_enough")
    await provision({ api_keys: [{ key, name: "some", permissions, organisation_uid }] })
    return key
  }

  const token = (customer = "customer-1", claims: Readonly<Record<string, unknown>> = {}) => {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({
      aud: "service-scheduling",
      iat: now,
      nbf: now,
      exp: now + 240,
      shop_identifier: ids.shop_identifier,
      shop_customer_id: customer,
      patient_profile_fields: [
        { field: "first_name", value: "Testa", source: "shop" },
        { field: "last_name", value: "Patient", source: "shop" },
        { field: "email", value: `${customer}@example.org`, source: "shop" }
      ],
      ...claims
    })
      .setProtectedHeader({ alg: "HS256", kid: ids.key_id })
      .sign(new TextEncoder().encode(ids.secret))
  }

  const booking = clientOf(server.url)["patient.booking"]

  /** A launch code for a customer. */
  const session = async (customer?: string, body: Readonly<Record<string, unknown>> = {}) => {
    const standard = { mode: "booking", appointment_type_uid: ids.type_uid, from: inDays(0), to: inDays(30) }
    // undefined omits a standard field, as in JSON
    const payload = decodeSession(JSON.parse(JSON.stringify({ ...standard, ...body })))
    const headers = { "x-service-booking-token": await token(customer) }
    return (await Effect.runPromise(booking.open_session({ headers, payload }))).booking_launch_code
  }

  const hold = (code: string, start_date: number, body: Readonly<Record<string, unknown>> = {}, idempotency?: string) =>
    server.api("POST", `/v1/scheduling/booking-sessions/${code}/holds`, {
      body: { doctor_uid: doctors[0], appointment_type_uid: ids.type_uid, start_date, ...body },
      ...(idempotency === undefined ? {} : { headers: { "idempotency-key": idempotency } })
    })

  const confirm = (code: string, hold_uid: string, body: Readonly<Record<string, unknown>> = {}) =>
    server.api("POST", `/v1/scheduling/booking-sessions/${code}/holds/${hold_uid}/confirm`, { body })

  /** A confirmed appointment; returns its uid. */
  const booked = async (start_date: number, customer?: string, body: Readonly<Record<string, unknown>> = {}) => {
    const code = await session(customer, { from: start_date, to: start_date + 1 })
    const path = { booking_launch_code: code }
    const payload = decodeHold({ doctor_uid: doctors[0], appointment_type_uid: ids.type_uid, start_date, ...body })
    const confirmed = booking
      .hold({ path, headers: {}, payload })
      .pipe(Effect.flatMap(({ hold_uid }) => booking.confirm({ path: { ...path, hold_uid }, payload: {} })))
    return (await Effect.runPromise(confirmed)).uid
  }

  /** A new patient of the shop; its uid. */
  const patient = async (profile: Readonly<Record<string, unknown>> = { first_name: "Ada" }): Promise<string> =>
    (
      await api("POST", "/v1/management/patients", {
        shop_uid: ids.shop_uid,
        shop_customer_id: random("customer"),
        profile
      })
    ).body.uid

  /** Another type of the organisation; its uid. */
  const otherType = async (fields: Readonly<Record<string, unknown>> = {}) => {
    const uid = random("aty")
    await provision({ appointment_types: [{ uid, organisation_uid, name: "Other", ...CONSULTATION, ...fields }] })
    return uid
  }

  /** A request by API key for one and the same customer, unless the body names another; also to another process. */
  const byKey =
    (path: string) =>
    (body: Readonly<Record<string, unknown>>, idempotency?: string, at: Pick<TestServer, "api"> = server) =>
      at.api("POST", path, {
        key: ids.key,
        body: {
          shop_uid: ids.shop_uid,
          ...(body.patient_uid === undefined && { shop_customer_id: "customer-1" }),
          appointment_type_uid: ids.type_uid,
          ...body
        },
        ...(idempotency === undefined ? {} : { headers: { "idempotency-key": idempotency } })
      })
  /** Books in one request. */
  const bookByKey = byKey("/v1/management/scheduling/appointments")
  const heldByKey = byKey("/v1/scheduling/holds")
  const holdByKey = (body: Readonly<Record<string, unknown>>, ...more: [idempotency?: string, at?: TestServer]) =>
    heldByKey({ doctor_uid: doctors[0], ...body }, ...more)

  const search = (body: Readonly<Record<string, unknown>> = {}) =>
    server.api("POST", "/v1/scheduling/slots/search", {
      body: {
        shop_uid: ids.shop_uid,
        appointment_type_uid: ids.type_uid,
        from: inDays(1),
        to: inDays(2),
        timezone: "UTC",
        ...body
      }
    })

  return {
    ...ids,
    doctors,
    doctor: doctors[0] as string,
    provision,
    api,
    keyWith,
    token,
    session,
    hold,
    confirm,
    booked,
    patient,
    otherType,
    bookByKey,
    holdByKey,
    search
  }
}
export type World = Awaited<ReturnType<typeof makeWorld>>
