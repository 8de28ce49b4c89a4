import { describe, expect, test } from "bun:test"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld, type World } from "../../support/world.ts"

const server = testServer()
const hold = (world: World, changes: Record<string, unknown> = {}, ask: Record<string, unknown> = {}) =>
  server.current.api("POST", "/v1/scheduling/holds", {
    key: world.key,
    body: {
      shop_uid: world.shop_uid,
      shop_customer_id: "anna",
      doctor_uid: world.doctor,
      appointment_type_uid: world.type_uid,
      start_date: inDays(2, 9),
      ...changes
    },
    ...ask
  })
const confirm = (world: World, uid: string, key = world.key) =>
  server.current.api("POST", `/v1/scheduling/holds/${uid}/confirm`, { key, body: { visit_reason: "check-up" } })

describe("holds by API key", () => {
  test("are for a customer, who becomes a patient with the profile given", async () => {
    const world = await makeWorld(server.current)
    const patient_profile_fields = [
      { field: "first_name", value: "Anna", source: "shop" },
      { field: "insurance", value: { kind: "private" }, source: "shop" }
    ]
    const held = await hold(world, { patient_profile_fields, meeting_format: "IN_PERSON", visit_reason: "  " })
    expect(held).toMatchObject({ status: 200, body: { status: "held", ttl_seconds: 600, visit_reason: null } })
    const confirmed = await confirm(world, held.body.hold_uid)
    expect(confirmed).toMatchObject({ status: 200, body: { status: "confirmed", visit_reason: "check-up" } })
    const row = await stored(server.current, held.body.hold_uid)
    expect(row).toMatchObject({ meeting_format: "IN_PERSON" })
    const [patient] = await server.current.sql`SELECT profile FROM patients WHERE uid = ${String(row.patient_uid)}`
    expect(patient).toMatchObject({ profile: { first_name: "Anna", insurance: { kind: "private" } } })
    const token = await world.token("anna")
    const cancelled = await server.current.api("POST", `/v1/scheduling/appointments/${held.body.hold_uid}/cancel`, {
      token
    })
    expect(cancelled.status).toBe(200)
  })

  test("report every fault of the body", async () => {
    const world = await makeWorld(server.current)
    const patient_profile_fields = [{ field: "E-Mail", value: "nobody", source: "shop" }]
    const faults = { shop_customer_id: "", start_date: "soon", meeting_format: "BY_POST", patient_profile_fields }
    const answer = await hold(world, faults)
    expect(answer.status).toBe(400)
    const fields = answer.body.error.map((fault: string) => fault.split(":")[0]).sort()
    expect(fields).toEqual(["meeting_format", "patient_profile_fields[0].field", "shop_customer_id", "start_date"])
  })

  test("are idempotent by key, separately for each key", async () => {
    const world = await makeWorld(server.current)
    const headers = { "idempotency-key": "same" }
    const answers = await Promise.all([1, 2, 3, 4].map(() => hold(world, {}, { headers })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.hold_uid}`)).size).toBe(1)
    expect((await hold(world, { start_date: inDays(2, 10) }, { headers })).status).toBe(409)
    expect((await hold(world)).status).toBe(409)
    const other = await world.keyWith("scheduling:write")
    expect((await hold(world, { start_date: inDays(2, 11) }, { headers, key: other })).status).toBe(200)
  })

  test("need scheduling:write, an own shop and a hold made by key", async () => {
    const world = await makeWorld(server.current)
    const other = await makeWorld(server.current)
    expect((await hold(world, {}, { key: undefined })).status).toBe(401)
    expect((await hold(world, {}, { key: await world.keyWith("scheduling:read", "scheduling:admin") })).status).toBe(
      404
    )
    expect((await hold(world, { shop_uid: other.shop_uid })).status).toBe(404)
    const held = await hold(world)
    expect((await confirm(world, held.body.hold_uid, other.key)).status).toBe(404)
    const sessions = await world.hold(await world.session("berta"), inDays(2, 12))
    expect((await confirm(world, sessions.body.hold_uid)).status).toBe(404)
    expect((await hold(world, { start_date: inDays(2, 9, 7) })).body.error[0]).toStartWith("start_date:")
  })
})
