import { describe, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { adminOf, doctorOf } from "../support/staff.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const impossible = ["%00", "a%00b", "%ED%A0%80", "%", "%C3%28", "..%2F..", "x".repeat(1000)]

describe("an identifier that no record can have is not found", () => {
  test("in a path", async () => {
    const world = await makeWorld(server.current)
    const { key } = world
    const token = await world.token()
    const admin = { bearer: await adminOf(server.current, world) }
    const doctor = { bearer: await doctorOf(server.current, world) }
    for (const name of impossible) {
      const requested: ReadonlyArray<readonly [string, string, object]> = [
        ["POST", `/scheduling/appointments/${name}/cancel`, { key }],
        ["POST", `/scheduling/appointments/${name}/join`, { token }],
        ["POST", `/scheduling/holds/${name}/confirm`, { key }],
        ["GET", `/scheduling/appointment-actions/${name}`, {}],
        ["GET", `/scheduling/booking-sessions/${name}`, {}],
        ["GET", `/admin/scheduling/booking-token-secrets/${name}`, admin],
        ["DELETE", `/admin/api-keys/${name}`, admin],
        ["PATCH", `/doctor/availability-rules/${name}`, { ...doctor, body: { end_time: 600 } }],
        ["GET", `/management/scheduling/doctors/${name}/availability-rules`, { key }],
        ["DELETE", `/management/scheduling/appointment-types/${name}`, { key }]
      ]
      for (const [method, path, ask] of requested)
        expect(`${path} ${(await server.current.api(method, `/v1${path}`, ask)).status}`).toBe(`${path} 404`)
    }
  })

  test("in a query or body", async () => {
    const world = await makeWorld(server.current)
    const bearer = await adminOf(server.current, world)
    const list = await server.current.api("GET", "/v1/admin/scheduling/appointments?patient_uid=%00", { bearer })
    expect(list).toMatchObject({ status: 200, body: { data: [] } })
    const hold = (changes: object) => world.holdByKey({ start_date: inDays(2), ...changes })
    expect((await hold({ shop_uid: "\0" })).status).toBe(404)
    expect((await hold({ appointment_type_uid: "a\0" })).status).toBe(404)
    expect((await hold({ doctor_uid: "\ud800" })).body.error[0]).toStartWith("start_date:")
    expect((await hold({ shop_customer_id: "a\0" })).body.error[0]).toStartWith("shop_customer_id:")
  })
})
