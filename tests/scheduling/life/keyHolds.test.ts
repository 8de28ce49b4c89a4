import { describe, expect, test } from "bun:test"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld, type World } from "../../support/world.ts"

const server = testServer()
const hold = (world: World, changes: Record<string, unknown> = {}) =>
  world.holdByKey({ shop_customer_id: "anna", start_date: inDays(2, 9), ...changes })
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

  test("name an offered start, and confirm no hold of a session", async () => {
    const world = await makeWorld(server.current)
    const sessions = await world.hold(await world.session("berta"), inDays(2, 12))
    expect((await confirm(world, sessions.body.hold_uid)).status).toBe(404)
    expect((await hold(world, { start_date: inDays(2, 9, 7) })).body.error[0]).toStartWith("start_date:")
  })
})
