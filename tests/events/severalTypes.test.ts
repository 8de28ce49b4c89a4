/** One subscription to several types, and reading it. Rules 6.3.1, 6.3.5 and 6.3.13. */
import { expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()
const path = "/v1/management/notification-subscriptions"

test("a subscription takes one event type or a list of types, never both or none", async () => {
  const { key } = await makeWorld(server.current)
  const post = (body: object) =>
    server.current.api("POST", path, { key, body: { url: "http://127.0.0.1:9/", ...body } })
  const several = await post({ notification_types: ["REBOOKED", "PATIENT_CREATED"] })
  expect(several).toMatchObject({ status: 201, body: { notification_types: ["REBOOKED", "PATIENT_CREATED"] } })
  expect((await post({ notification_type: "REBOOKED" })).body).toMatchObject({
    notification_type: "REBOOKED",
    notification_types: ["REBOOKED"]
  })
  for (const body of [
    {},
    { notification_type: "REBOOKED", notification_types: ["REBOOKED"] },
    { notification_types: [] }
  ])
    expect((await post(body)).status).toBe(400)
  const { secret: _, ...record } = several.body
  expect((await server.current.api("GET", `${path}/${record.uid}`, { key })).body).toEqual(record)
})
