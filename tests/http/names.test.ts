import { describe, expect, test } from "bun:test"
import { startServer, testServer } from "../support/server.ts"
import { adminOf, doctorOf } from "../support/staff.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const impossible = ["%00", "a%00b", "%ED%A0%80", "%", "%C3%28", "..%2F..", "x".repeat(1000)]

describe("an identifier that no record can have is not found", () => {
  for (const name of impossible) {
    test(`in a path: ${name.slice(0, 12)}`, async () => {
      const world = await makeWorld(server.current)
      const { key } = world
      const token = await world.token()
      const admin = { bearer: await adminOf(server.current, world) }
      const doctor = { bearer: await doctorOf(server.current, world) }
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
    })
  }

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

test("requests with a bad credential count against the limit too", async () => {
  const limited = await startServer({ RATE_LIMIT_PER_SECOND: "3", TRUSTED_PROXIES: "127.0.0.1" })
  const paths = ["appointments/x/cancel", "appointments/x/rebook", "appointments/x/join", "holds", "holds/x/confirm"]
  for (const [index, path] of paths.entries()) {
    const headers = { "x-forwarded-for": `203.0.113.${index}` }
    const request = { key: `no such key for ${path}`, body: {}, headers }
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => limited.api("POST", `/v1/scheduling/${path}`, request))
    )
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([401, 429])
    for (const { headers } of answers) expect(headers.get("ratelimit-limit")).toBe("3")
  }
  await limited.stop()
})
