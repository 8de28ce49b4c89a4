import { afterAll, expect, test } from "bun:test"
import { eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"
import { startReceiver } from "./receiver.ts"

const receiver = await startReceiver()
const server = testServer({
  WEBHOOK_ALLOW_PRIVATE: "false",
  WEBHOOK_PORTS: `80,443,${new URL(receiver.url("/")).port}`
})
afterAll(() => receiver.stop())

const base = "/v1/management/notification-subscriptions"

// Shows: SSRF through webhook URLs
// Shows: SSRF
test("a private address is refused at creation, at a change, and at each delivery", async () => {
  const { api } = server.current
  const { key, booked } = await makeWorld(server.current)
  const create = (url: string) =>
    api("POST", base, { key, body: { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url } })
  const refusal = "url: must lead to a public address"
  for (const url of [
    receiver.url("/"),
    "http://localhost/",
    "http://169.254.169.254/latest",
    "https://[::1]/",
    "https://[4000::1]/"
  ])
    expect(await create(url)).toMatchObject({ status: 400, body: { error: [refusal] } })
  const made = await create("https://93.184.216.34/")
  expect(made.status).toBe(201)
  const path = `${base}/${made.body.uid}`
  expect((await api("PATCH", path, { key, body: { url: receiver.url("/") } })).status).toBe(400)
  // The check of If-Match and the change are one transaction, in which no name is looked up
  const moving = { key, body: { url: "https://93.184.216.34/moved" }, headers: { "if-match": "*" } }
  expect(await api("PATCH", path, moving)).toMatchObject({ status: 200, body: moving.body })
  // As if the name had resolved to a public address at subscription, and to a private one now.
  await server.current
    .sql`UPDATE webhook_subscriptions SET url = ${receiver.url("/inside")} WHERE uid = ${made.body.uid}`
  await booked(inDays(3, 9))
  const [delivery] = await eventually(
    async () => (await api("GET", `${path}/deliveries`, { key })).body.data,
    ([one]) => one?.attempts.length > 0
  )
  expect(delivery.attempts[0]).toMatchObject({ status_code: null, error: refusal.slice("url: ".length) })
  expect(receiver.all).toEqual([])
})
