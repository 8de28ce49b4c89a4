/** Limits of subscribers towards the service. */
import { afterAll, describe, expect, test } from "bun:test"
import { eventually } from "../support/eventually.ts"
import { sandboxServer, testServer } from "../support/server.ts"
import { HOUR, inDays, makeWorld } from "../support/world.ts"
import { startReceiver } from "./receiver.ts"

const receiver = await startReceiver()
afterAll(() => receiver.stop())

const base = "/v1/management/notification-subscriptions"

describe("examples", () => {
  const server = sandboxServer()

  // Shows: unlimited subscriptions and test deliveries, to any port
  test("an example is sent at most once a minute", async () => {
    const { api } = server.current
    const { key } = await makeWorld(server.current)
    const made = await api("POST", base, { key, body: { notification_type: "REBOOKED", url: receiver.url("/test") } })
    const send = () => api("POST", `${base}/${made.body.uid}/test`, { key })
    expect((await send()).status).toBe(202)
    const refused = await send()
    expect([refused.status, refused.body.code]).toEqual([429, "too_many_requests"])
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 61)
    await api("POST", "/v1/sandbox/clock", { key, body: { advance_seconds: 60 } })
    const together = await Promise.all(Array.from({ length: 5 }, send))
    expect(together.map(({ status }) => status).sort()).toEqual([202, 429, 429, 429, 429])
  })

  // Shows: unlimited subscriptions and test deliveries, to any port
  test("an owner sends at most 20 examples a minute, however often it replaces its subscriptions", async () => {
    const { api, sql } = server.current
    const { key, organisation_uid } = await makeWorld(server.current)
    const body = { notification_type: "REBOOKED", url: receiver.url("/replaced") }
    const created = async () => (await api("POST", base, { key, body })).body.uid as string
    const send = (uid: string) => api("POST", `${base}/${uid}/test`, { key })
    const replaced = await created()
    expect((await send(replaced)).status).toBe(202)
    // 19 examples, an hour later: none is a minute old, however slow the test is
    const { data } = (await api("GET", `${base}/${replaced}/deliveries`, { key })).body
    await sql`UPDATE webhook_deliveries SET created_at = created_at + interval '1 hour'
      WHERE owner_uid = ${organisation_uid}`
    await sql`INSERT INTO webhook_deliveries SELECT (jsonb_populate_record(d, jsonb_build_object('uid', d.uid || n))).*
      FROM webhook_deliveries d, generate_series(1, 18) n
      WHERE d.owner_uid = ${organisation_uid} AND d.uid = ${data[0].uid}`
    expect((await api("DELETE", `${base}/${replaced}`, { key })).status).toBeLessThan(300)
    const uids = [await created(), await created(), await created()]
    const together = await Promise.all(uids.map(send))
    expect(together.map(({ status }) => status).sort()).toEqual([202, 429, 429])
    const refused = together.find(({ status }) => status === 429)
    expect(refused?.body.code).toBe("too_many_requests")
    expect(Number(refused?.headers.get("retry-after"))).toBePositive()
    await api("POST", "/v1/sandbox/clock", { key, body: { advance_seconds: HOUR + 60 } })
    expect((await Promise.all(uids.map(send))).map(({ status }) => status)).toEqual([202, 202, 202])
  })
})

describe("without private addresses", () => {
  const server = testServer({ WEBHOOK_ALLOW_PRIVATE: "false" })

  // Shows: unlimited subscriptions and test deliveries, to any port
  test("ports other than 80 and 443 are refused", async () => {
    const { key } = await makeWorld(server.current)
    const create = (url: string) =>
      server.current.api("POST", base, { key, body: { notification_type: "REBOOKED", url } })
    expect(await create("https://93.184.216.34:8443/")).toMatchObject({
      status: 400,
      body: { error: ["url: must use port 80 or 443"] }
    })
    for (const url of ["https://93.184.216.34/", "http://93.184.216.34:80/", "http://93.184.216.34:443/"])
      expect((await create(url)).status).toBe(201)
  })

  // Shows: unlimited subscriptions and test deliveries, to any port
  test("an owner has at most 20 subscriptions, even when they are created concurrently", async () => {
    const { key } = await makeWorld(server.current)
    const body = { notification_type: "REBOOKED", url: "https://93.184.216.34/" }
    const made = await Promise.all(Array.from({ length: 25 }, () => server.current.api("POST", base, { key, body })))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = made.filter(({ status }) => status === 409)
    expect(refused.map(({ body: { code } }) => code)).toEqual(Array.from({ length: 5 }, () => "too_many_subscriptions"))
    const [first] = made.filter(({ status }) => status === 201)
    await server.current.api("DELETE", `${base}/${first?.body.uid}`, { key })
    expect((await server.current.api("POST", base, { key, body })).status).toBe(201)
  })
})

/** The setting names the receiver's port. */
const PORT = new URL(receiver.url("/")).port
const custom = testServer({ WEBHOOK_ALLOW_PRIVATE: "false", WEBHOOK_PORTS: `80,443,${PORT}` })

// Shows: SSRF through webhook URLs
// Shows: SSRF
test("a private address is refused at creation, at a change, and at each delivery", async () => {
  const { api } = custom.current
  const { key, booked } = await makeWorld(custom.current)
  const create = (url: string) =>
    api("POST", base, { key, body: { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url } })
  const refusal = "url: must lead to a public address"
  // with the same message, whether it is private or does not resolve
  for (const url of [receiver.url("/"), "http://localhost/", "https://[4000::1]/", "http://nothing.invalid/"])
    expect(await create(url)).toMatchObject({ status: 400, body: { error: [refusal] } })
  const made = await create("https://93.184.216.34/")
  expect(made.status).toBe(201)
  const path = `${base}/${made.body.uid}`
  expect((await api("PATCH", path, { key, body: { url: receiver.url("/") } })).status).toBe(400)
  // The check of If-Match and the change are one transaction, in which no name is looked up
  const moving = { key, body: { url: "https://93.184.216.34/moved" }, headers: { "if-match": "*" } }
  expect(await api("PATCH", path, moving)).toMatchObject({ status: 200, body: moving.body })
  // As if the name had resolved to a public address at subscription, and to a private one now.
  await custom.current
    .sql`UPDATE webhook_subscriptions SET url = ${receiver.url("/inside")} WHERE uid = ${made.body.uid}`
  await booked(inDays(3, 9))
  const [delivery] = await eventually(
    async () => (await api("GET", `${path}/deliveries`, { key })).body.data,
    ([one]) => one?.attempts.length > 0
  )
  expect(delivery.attempts[0]).toMatchObject({ status_code: null, error: refusal.slice("url: ".length) })
  expect(receiver.at("/inside")).toEqual([])
  // of a public address the ports that the setting names are allowed
  expect((await create(`https://93.184.216.34:${PORT}/`)).status).toBe(201)
  expect((await create("https://93.184.216.34:8443/")).body.error).toEqual([`url: must use port 80 or 443 or ${PORT}`])
})
