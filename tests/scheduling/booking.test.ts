import { describe, expect, test } from "bun:test"
import { sized } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()

describe("a booking", () => {
  test("goes from search through hold to confirmation, and the slot is no longer offered", async () => {
    const world = await makeWorld(server.current)
    const found = await world.search()
    expect(found.status).toBe(200)
    expect(found.body.slots).toHaveLength(2 * 72)
    expect(found.body.slots[0]).toMatchObject({ start_date: inDays(1), end_date: inDays(1, 0, 20), timezone: "UTC" })
    const code = await world.session()
    const held = await world.hold(code, inDays(1, 9), { visit_reason: "  Headache " })
    expect(held).toMatchObject({ status: 200, body: { status: "held", ttl_seconds: 600, visit_reason: "Headache" } })
    const confirmed = await world.confirm(code, held.body.hold_uid)
    expect(confirmed).toMatchObject({
      status: 200,
      body: { uid: held.body.hold_uid, status: "confirmed", start_date: inDays(1, 9), visit_reason: "Headache" }
    })
    const again = await world.confirm(code, held.body.hold_uid, { visit_reason: "" })
    expect(again.body).toEqual(confirmed.body)
    const after = await world.search({ doctor_uid: world.doctor })
    expect(after.body.slots.map((slot) => slot.start_date)).not.toContain(inDays(1, 9))
  })

  test("reads its session without patient data", async () => {
    const world = await makeWorld(server.current)
    const code = await world.session("somebody", { return_url: "https://example.org/done" })
    const { status, body } = await server.current.api("GET", `/v1/scheduling/booking-sessions/${code}`)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual([
      "appointment_type",
      "appointment_type_uid",
      "expires_at",
      "mode",
      "return_url",
      "shop_uid",
      "start_from",
      "start_to",
      "uid"
    ])
    expect(await server.current.api("GET", "/v1/scheduling/booking-sessions/blc_unknown")).toMatchObject({
      status: 404,
      body: { code: "not_found" }
    })
  })

  // Shows: a double booking or a double payout after a race or a crash
  test("of one slot by many concurrent clients ends with one hold, and is refused to all others", async () => {
    const CLIENTS = sized(24, 120)
    const world = await makeWorld(server.current)
    const codes = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => world.session(`customer-${i}`)))
    const answers = await Promise.all(codes.map((code) => world.hold(code, inDays(1, 10))))
    const counts = Map.groupBy(answers, ({ status }) => status)
    expect(counts.get(200)).toHaveLength(1)
    expect(counts.get(409)).toHaveLength(CLIENTS - 1)
    expect(counts.get(409)?.[0]?.body.code).toBe("slot_taken")
  })
})

describe("problems", () => {
  test("of a body are reported together, by the API's field names, without quoting values", async () => {
    const answer = await server.current.api("POST", "/v1/scheduling/slots/search", {
      body: { shop_uid: 5, from: "secret-value", timezone: "Mars/Olympus" }
    })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toEqual([
      "shop_uid: must be text",
      "appointment_type_uid: is required",
      "from: must be an integer from 0 to 253402300799",
      "to: is required",
      "timezone: must be an IANA time zone, e.g. Europe/Berlin"
    ])
    expect(answer.body.trace_id).toMatch(/^[0-9a-f]{32}$/)
  })
})
