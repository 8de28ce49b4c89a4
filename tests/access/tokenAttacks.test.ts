import { describe, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { stored } from "../support/records.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const now = () => Math.floor(Date.now() / 1000)

interface Forgery {
  readonly header?: object
  readonly claims?: object
  readonly secret?: string
}
const forge = (world: World, { header, claims, secret = world.secret }: Forgery) => {
  const shop = { shop_identifier: world.shop_identifier, shop_customer_id: "anna", patient_profile_fields: [] }
  const times = { iat: now(), nbf: now(), exp: now() + 60 }
  const signed = `${part({ alg: "HS256", kid: world.key_id, ...header })}.${part({ aud: "service-scheduling", ...times, ...shop, ...claims })}`
  const alg = new Map(Object.entries(header ?? {})).get("alg") ?? "HS256"
  return `${signed}.${alg === "none" ? "" : createHmac("sha256", secret).update(signed).digest("base64url")}`
}

const forgeries: ReadonlyArray<readonly [string, Forgery]> = [
  ["alg none", { header: { alg: "none" } }],
  ["another audience", { claims: { aud: "another" } }],
  ["an unknown key", { header: { kid: "bts_unknown" } }],
  ["a wrong secret", { secret: "guessed" }],
  ["an unknown shop", { claims: { shop_identifier: "nowhere" } }],
  ["no customer", { claims: { shop_customer_id: "" } }],
  ["expired", { claims: { iat: now() - 500, nbf: now() - 500, exp: now() - 130 } }],
  ["not yet valid", { claims: { nbf: now() + 600, exp: now() + 900 } }],
  ["an over-long life", { claims: { exp: now() + 7200 } }],
  ["no expiry", { claims: { exp: undefined } }]
]

describe("a session's booking token", () => {
  test("is verified before the rest of the body, wherever the body contains it", async () => {
    const world = await makeWorld(server.current)
    const request = async (headers: Record<string, string>, text: string) => {
      const sent = { method: "POST", headers: { "content-type": "application/json", ...headers }, body: text }
      return (await fetch(`${server.current.url}/v1/scheduling/booking-sessions`, sent)).status
    }
    const token = forge(world, {})
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      "{}",
      '{"mode":"x"}',
      '{"booking_token":5}',
      '{"booking_token":{"toString":null,"valueOf":null}}',
      '{"booking_token":"forged"}'
    ]) {
      expect(await request({}, text), text).toBe(401)
      expect(await request({ "x-service-booking-token": "forged" }, text), text).toBe(401)
    }
    for (const text of ["{", "[]", "null", "{}", '{"mode":"x"}'])
      expect(await request({ "x-service-booking-token": token }, text), text).toBe(400)
    expect(await request({}, JSON.stringify({ booking_token: token, mode: "x" }))).toBe(400)
  })

  test("is also found in a chunked body", async () => {
    const world = await makeWorld(server.current)
    const session = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
    const body = new Blob([JSON.stringify({ ...session, booking_token: forge(world, {}) })]).stream()
    const headers = { "content-type": "application/json" }
    const answer = await fetch(`${server.current.url}/v1/scheduling/booking-sessions`, {
      method: "POST",
      headers,
      body
    })
    expect(answer.status).toBe(200)
  })
})

describe("a forged booking token opens nothing", () => {
  test("at the routes that a valid one opens", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(2, 9), "anna")
    const path = `/v1/scheduling/appointments/${uid}/cancel`
    expect((await server.current.api("POST", path, { token: forge(world, {}) })).status).toBe(200)
  })

  test("whatever is forged", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(2, 9), "anna")
    for (const [what, forgery] of forgeries) {
      const token = forge(world, forgery)
      const session = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
      const requests: ReadonlyArray<readonly [string, object]> = [
        ["booking-sessions", { token, body: session }],
        ["booking-sessions", { body: { ...session, booking_token: token } }],
        [`appointments/${uid}/cancel`, { token, body: {} }],
        [`appointments/${uid}/rebook`, { token, body: { new_start_date: inDays(3), new_doctor_uid: world.doctor } }],
        [`appointments/${uid}/join`, { token }]
      ]
      for (const [path, ask] of requests)
        expect(await server.current.api("POST", `/v1/scheduling/${path}`, ask), `${what} ${path}`).toMatchObject({
          status: 401,
          body: { code: "unauthenticated" }
        })
    }
    expect(await stored(server.current, uid)).toMatchObject({ status: "confirmed" })
  })
})

describe("a valid booking token with an invalid profile (Rule 1.5.7)", () => {
  const claims = (fields: ReadonlyArray<unknown>) => ({ claims: { patient_profile_fields: fields } })
  const email = claims([{ field: "First-Name", value: "Ada", source: "shop" }])
  const fault = { status: 400, body: { code: "invalid_request" } }

  test("is 400 and names the field at every route that accepts a booking token; nothing is stored", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(2, 9), "anna")
    const token = forge(world, email)
    const session = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
    const requests: ReadonlyArray<readonly [string, object]> = [
      ["booking-sessions", { token, body: session }],
      ["booking-sessions", { body: { ...session, booking_token: token } }],
      [`appointments/${uid}/cancel`, { token, body: {} }],
      [`appointments/${uid}/join`, { token }]
    ]
    for (const [path, ask] of requests) {
      const answer = await server.current.api("POST", `/v1/scheduling/${path}`, ask)
      expect(answer).toMatchObject(fault)
      expect(answer.body.error).toEqual([
        "patient_profile_fields[0].field: must be a lower-case name of at most 64 letters, digits and underscores"
      ])
    }
    expect(await stored(server.current, uid)).toMatchObject({ status: "confirmed" })
  })

  test("a wrong secret or another organisation's shop is 401, whatever the profile", async () => {
    const world = await makeWorld(server.current)
    for (const forgery of [{ secret: "guessed" }, { claims: { ...email.claims, shop_identifier: "nowhere" } }]) {
      const token = forge(world, { ...email, ...forgery })
      expect((await server.current.api("POST", "/v1/scheduling/booking-sessions", { token, body: {} })).status).toBe(
        401
      )
    }
  })

  // Shows: profiles of any size
  test("several tokens cannot add up to a profile of more than 64 fields", async () => {
    const world = await makeWorld(server.current)
    const fields = (prefix: string) => Array.from({ length: 40 }, (_, i) => ({ field: `${prefix}_${i}`, value: "x" }))
    const open = (prefix: string) =>
      server.current.api("POST", "/v1/scheduling/booking-sessions", {
        token: forge(world, claims(fields(prefix))),
        body: { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
      })
    expect((await open("first")).status).toBe(200)
    expect(await open("second")).toMatchObject({
      ...fault,
      body: { error: ["patient_profile_fields: the patient's profile would exceed 64 fields or 64 KiB"] }
    })
    expect((await open("first")).status).toBe(200)
  })
})
