/** Booking tokens at the routes that accept them; of what a token may contain see bookingTokens.test.ts. */
import { expect, test } from "bun:test"
import { stored } from "../support/records.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
const SESSIONS = "/v1/scheduling/booking-sessions"
const sessionOf = ({ type_uid }: World) => ({
  mode: "booking",
  appointment_type_uid: type_uid,
  from: inDays(1),
  to: inDays(2)
})
const badField = { patient_profile_fields: [{ field: "First-Name", value: "Ada", source: "shop" }] }

/** The answers of the routes that accept a booking token, for an appointment of the customer "anna". */
const askAll = (world: World, uid: string, token: string) => {
  const [session, rebooking] = [sessionOf(world), { new_start_date: inDays(3), new_doctor_uid: world.doctor }]
  const requests: ReadonlyArray<readonly [path: string, ask: object]> = [
    [SESSIONS, { token, body: session }],
    [SESSIONS, { body: { ...session, booking_token: token } }],
    [`/v1/scheduling/appointments/${uid}/rebook`, { token, body: rebooking }],
    [`/v1/scheduling/appointments/${uid}/cancel`, { token, body: {} }],
    [`/v1/scheduling/appointments/${uid}/join`, { token }]
  ]
  return Promise.all(
    requests.map(async ([path, ask]) => {
      const { status, body } = await server.current.api("POST", path, ask)
      return { path, status, error: body.error }
    })
  )
}

test("a session's booking token is verified before the rest of the body, wherever the body contains it", async () => {
  const world = await makeWorld(server.current)
  const request = async (text: string, token?: string) => {
    const headers = {
      "content-type": "application/json",
      ...(token !== undefined && { "x-service-booking-token": token })
    }
    return (await fetch(server.current.url + SESSIONS, { method: "POST", headers, body: text })).status
  }
  const token = await world.token("anna")
  const tokens = [
    '{"booking_token":5}',
    '{"booking_token":{"toString":null,"valueOf":null}}',
    '{"booking_token":"forged"}'
  ]
  const others = ["", "{", "[]", "null", "{}", '{"mode":"x"}']
  for (const text of [...others, ...tokens])
    expect([text, await request(text), await request(text, "forged")]).toEqual([text, 401, 401])
  for (const text of others.slice(1)) expect([text, await request(text, token)]).toEqual([text, 400])
  expect(await request(JSON.stringify({ booking_token: token, mode: "x" }))).toBe(400)
  const chunked = new Blob([JSON.stringify({ ...sessionOf(world), booking_token: token })]).stream()
  const headers = { "content-type": "application/json" }
  expect((await fetch(server.current.url + SESSIONS, { method: "POST", headers, body: chunked })).status).toBe(200)
})

test("code of a refusal says what is wrong with the token; Rule 1.5.10", async () => {
  const [world, other] = [await makeWorld(server.current), await makeWorld(server.current)]
  const codeOf = async (claims: object, key_id = world.key_id, secret = world.secret) => {
    const token = await world.token("anna", { ...claims }, { key_id, secret })
    const { status, body } = await server.current.api("POST", SESSIONS, { token, body: sessionOf(world) })
    return [status, body.code]
  }
  expect(await codeOf({})).toEqual([200, undefined])
  expect(await codeOf({ shop_identifier: other.shop_identifier })).toEqual([401, "token_shop_unknown"])
  expect(await codeOf({}, "unknown")).toEqual([401, "token_key_unknown"])
  expect(await codeOf({ aud: "another" })).toEqual([401, "token_audience"])
  const now = Math.floor(Date.now() / 1000)
  const ended = { iat: now - 400, nbf: now - 400, exp: now - 130 }
  expect(await codeOf(ended)).toEqual([401, "token_expired"])
  expect(await codeOf({ nbf: now + 140 })).toEqual([401, "token_not_yet_valid"])
  expect(await codeOf({ exp: now + 7200 })).toEqual([401, "token_too_long"])
  expect(await codeOf({}, world.key_id, "guessed")).toEqual([401, "token_signature"])
  expect(await codeOf({ shop_customer_id: null })).toEqual([401, "token_malformed"])
  expect((await server.current.api("POST", SESSIONS, { body: sessionOf(world) })).body.code).toBe("unauthenticated")
})

// Shows: a stolen booking token or code
test("a forged booking token, or one for another organisation's shop, opens nothing, whatever its profile", async () => {
  const [world, other] = [await makeWorld(server.current), await makeWorld(server.current)]
  const uid = await world.booked(inDays(2, 9), "anna")
  const forged = {
    "a wrong secret": await world.token("anna", {}, { ...world, secret: "guessed" }),
    "a wrong secret, an invalid profile": await world.token("anna", badField, { ...world, secret: "guessed" }),
    "an unknown key": await world.token("anna", {}, { ...world, key_id: "bts_unknown" }),
    "an unknown shop": await world.token("anna", { ...badField, shop_identifier: "nowhere" }),
    "another organisation's shop": await world.token("anna", { shop_identifier: other.shop_identifier })
  }
  for (const [what, token] of Object.entries(forged))
    for (const { path, status } of await askAll(world, uid, token))
      expect([what, path, status]).toEqual([what, path, 401])
  expect(await stored(server.current, uid)).toMatchObject({ status: "confirmed" })
})

test("a valid booking token with an invalid profile is 400 and names the field at every route; nothing is stored; Rule 1.5.7", async () => {
  const world = await makeWorld(server.current)
  const uid = await world.booked(inDays(2, 9), "anna")
  const error = [
    "patient_profile_fields[0].field: must be a lower-case name of at most 64 letters, digits and underscores"
  ]
  for (const answer of await askAll(world, uid, await world.token("anna", badField)))
    expect(answer).toEqual({ path: answer.path, status: 400, error })
  expect(await stored(server.current, uid)).toMatchObject({ status: "confirmed" })
})

// Shows: profiles of any size
test("several tokens cannot add up to a profile of more than 64 fields", async () => {
  const world = await makeWorld(server.current)
  const open = async (prefix: string) => {
    const fields = Array.from({ length: 40 }, (_, i) => ({ field: `${prefix}_${i}`, value: "x" }))
    const token = await world.token("anna", { patient_profile_fields: fields })
    const { status, body } = await server.current.api("POST", SESSIONS, { token, body: sessionOf(world) })
    return status === 200 ? status : [status, body.error]
  }
  const refused = [400, ["patient_profile_fields: the patient's profile would exceed 64 fields or 64 KiB"]]
  expect([await open("first"), await open("second"), await open("first")]).toEqual([200, refused, 200])
})
