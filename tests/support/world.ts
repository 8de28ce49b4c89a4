import { SignJWT } from "jose"
import type { PatientProfile } from "../../src/schemas/access/PatientProfile.ts"
import { inDays, type Practice, type PracticeOptions, practiceOf, provisioned, random } from "./practice.ts"
import type { TestServer } from "./server.ts"

export { CONSULTATION, DAY, HOUR, inDays, type PracticeOptions as WorldOptions, random } from "./practice.ts"

/** The date in UTC, as `2026-12-31`. */
export const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

/** A practice that sends mail about appointments: a confirmation, a move and a cancellation add a message and its job. */
export const SENDS_MAIL = {
  organisation: { messages: ["confirmation", "rebooking", "cancellation"] }
} satisfies PracticeOptions

/** A practice, and what its patients and integrations request of a server. */
export const makeWorld = async (server: TestServer, options: PracticeOptions = {}) => {
  const ids = await server.run(provisioned(options))
  const practice = practiceOf(ids)
  const { organisation_uid, doctors } = ids
  const provision = (json: unknown) => server.run(practice.provision(json))

  /** Sends a request with the key that has all permissions. */
  const api = (method: string, path: string, body?: unknown) => server.api(method, path, { key: ids.key, body })

  /** An API key of this organisation with only these permissions. */
  const keyWith = async (...permissions: ReadonlyArray<string>) => {
    const key = random("spr_key_that_is_long_enough")
    await provision({ api_keys: [{ key, name: "some", permissions, organisation_uid }] })
    return key
  }

  /** A booking token, signed with the world's secret unless another is given. */
  const token = (
    customer = "customer-1",
    claims: Readonly<Record<string, unknown>> = {},
    { key_id, secret }: { readonly key_id: string; readonly secret: string } = ids
  ) => {
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
      .setProtectedHeader({ alg: "HS256", kid: key_id })
      .sign(new TextEncoder().encode(secret))
  }

  /** A launch code for a customer, without a request. */
  const session = (...of: Parameters<Practice["session"]>) => server.run(practice.session(...of))

  const hold = (code: string, start_date: number, body: Readonly<Record<string, unknown>> = {}, idempotency?: string) =>
    server.api("POST", `/v1/scheduling/booking-sessions/${code}/holds`, {
      body: { doctor_uid: doctors[0], appointment_type_uid: ids.type_uid, start_date, ...body },
      ...(idempotency === undefined ? {} : { headers: { "idempotency-key": idempotency } })
    })

  const confirm = (code: string, hold_uid: string, body: Readonly<Record<string, unknown>> = {}) =>
    server.api("POST", `/v1/scheduling/booking-sessions/${code}/holds/${hold_uid}/confirm`, { body })

  /** A confirmed appointment, booked without a request; its uid. */
  const booked = (...of: Parameters<Practice["booked"]>) => server.run(practice.booked(...of))

  /** A new patient of the shop; its uid. */
  const patient = async (profile: PatientProfile = { first_name: "Ada" }) =>
    (await server.run(practice.customer(random("customer"), profile))).patient_uid

  const otherType = (...of: Parameters<Practice["otherType"]>) => server.run(practice.otherType(...of))

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
    practice,
    run: server.run,
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
