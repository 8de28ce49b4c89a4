/** Limits of subscribers towards the service, and of an organisation's read keys towards its patients. */
import { afterAll, describe, expect, test } from "bun:test"
import { arrived } from "../support/eventually.ts"
import { ownServer, testServer } from "../support/server.ts"
import { HOUR, makeWorld } from "../support/world.ts"
import { startReceiver } from "./receiver.ts"

const receiver = await startReceiver()
afterAll(() => receiver.stop())

const base = "/v1/management/notification-subscriptions"

describe("with a movable clock", () => {
  const server = ownServer({ SANDBOX: "true" })

  // Shows: a read-only key, used to act for patients
  // Shows: codes of patients' links in the feed of a read-only key
  test("the feed shows a reminder's codes only to keys that may act for patients", async () => {
    const { api } = server.current
    const world = await makeWorld(server.current)
    const { now } = (await world.api("GET", "/v1/sandbox/clock")).body
    const path = `/v1/management/scheduling/appointment-types/${world.type_uid}/reminders`
    await world.api("POST", path, { recipient_role: "patient", minutes_before: 60 })
    await world.api("POST", base, { notification_type: "APPOINTMENT_REMINDER_DUE", url: receiver.url("/reminders") })
    const start = Math.floor(now / HOUR + 5) * HOUR
    await world.booked(start)
    await world.api("POST", "/v1/sandbox/clock", { now: start - HOUR / 2 })
    const linksFor = async (...permissions: ReadonlyArray<string>) => {
      const key = await world.keyWith("scheduling:read", ...permissions)
      const { data } = (await api("GET", "/v1/management/events?type=scheduling.appointment_reminder_due", { key }))
        .body
      return data.map((event: { data: { action_links: unknown } }) => event.data.action_links)
    }
    expect(await linksFor()).toEqual([null])
    for (const permission of ["scheduling:write", "scheduling:admin"])
      expect(await linksFor(permission)).toMatchObject([[{ code: expect.stringMatching(/^aac_/) }, {}, {}]])
    const [sent] = await arrived(() => receiver.at("/reminders"), 1)
    expect(sent?.event.data.action_links).toHaveLength(3)
  })

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
  const refusal = "url: must lead to a public address"

  test.each([
    "http://[::127.0.0.1]/",
    "http://[::7f00:1]/",
    "http://localhost./",
    "http://anything.localhost/",
    "http://169.254.169.254/",
    "http://nothing.invalid/"
  ])("%s is refused with the same message, whether it is private or does not resolve", async (url) => {
    const { key } = await makeWorld(server.current)
    const made = await server.current.api("POST", base, { key, body: { notification_type: "REBOOKED", url } })
    expect(made).toMatchObject({ status: 400, body: { error: [refusal] } })
  })

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

const custom = testServer({ WEBHOOK_ALLOW_PRIVATE: "false", WEBHOOK_PORTS: "8443" })

test("a port that the setting names is allowed", async () => {
  const { key } = await makeWorld(custom.current)
  const create = (url: string) =>
    custom.current.api("POST", base, { key, body: { notification_type: "REBOOKED", url } })
  expect((await create("https://93.184.216.34:8443/")).status).toBe(201)
  expect(await create("https://93.184.216.34/")).toMatchObject({ body: { error: ["url: must use port 8443"] } })
})
