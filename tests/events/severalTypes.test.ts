/** One subscription to several types, reading it, and its deliveries by status. Rules 6.3.1, 6.3.5, 6.3.13, 6.4.6. */
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
  const read = await server.current.api("GET", `${path}/${record.uid}`, { key })
  expect(read.body).toEqual(record)
  const change = (tag: string) =>
    server.current.api("PATCH", `${path}/${record.uid}`, { key, body: { active: false }, headers: { "if-match": tag } })
  expect((await change(read.headers.get("etag") ?? "")).status).toBe(200)
  expect((await change(read.headers.get("etag") ?? "")).status).toBe(412)
})

test("each subscribed type is delivered, and deliveries are listed by status", async () => {
  const { key, shop_uid } = await makeWorld(server.current)
  const body = { url: "http://127.0.0.1:9/", notification_types: ["REBOOKED", "PATIENT_CREATED"] }
  const { uid } = (await server.current.api("POST", path, { key, body })).body
  await server.current.api("POST", "/v1/management/patients", { key, body: { shop_uid } })
  const listed = async (query: string) =>
    (await server.current.api("GET", `${path}/${uid}/deliveries?${query}`, { key })).body
  expect((await listed("status=pending")).data).toMatchObject([{ event_type: "patient.created" }])
  expect(await listed("status=delivered")).toMatchObject({ data: [], totalRegistries: 0 })
  expect((await server.current.api("GET", `${path}/${uid}/deliveries?status=other`, { key })).status).toBe(400)
})
