import { afterAll, expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { present } from "../support/body.ts"
import { commandLine } from "../support/cli.ts"
import { arrived, eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"
import { inDays, makeWorld, random } from "../support/world.ts"
import { appendMeeting } from "./meetingEvent.ts"
import { startReceiver } from "./receiver.ts"

const server = testServer()
const receiver = await startReceiver()
afterAll(() => receiver.stop())

const base = "/v1/management/notification-subscriptions"

/** An organisation with a subscription to one event type, at a separate path. */
const listening = async (notification_type = "PATIENT_DOCTOR_MEETING_UPDATED") => {
  const world = await makeWorld(server.current)
  const path = `/${random("hook")}`
  const api = (method: string, rest = "", body?: unknown) => world.api(method, base + rest, body)
  const created = await api("POST", "", { notification_type, url: receiver.url(path) })
  const { uid, secret } = created.body
  const append = (subject: string, n = 0) =>
    server.current.run(transaction(appendMeeting(world.organisation_uid, subject, n)))
  const deliveries = async () => (await api("GET", `/${uid}/deliveries`)).body.data
  return { world, path, api, created, uid, secret, append, deliveries, got: () => receiver.at(path) }
}

// Shows: a forged webhook to a partner
test("a confirmation is delivered once, signed, with the whole record", async () => {
  const { world, created, secret, got, deliveries } = await listening()
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", active: true })
  const appointment = await world.booked(inDays(3, 9))
  const received = present((await arrived(got, 1))[0])
  expect(received.event).toMatchObject({
    type: "patient_doctor_meeting_updated",
    organisation_uid: world.organisation_uid,
    timestamp: expect.any(Number),
    data: { change: "confirmed", appointment: { uid: appointment, status: "confirmed" }, actor: { kind: "patient" } }
  })
  expect(received.id).toBe(received.event.id)
  expect(new Webhook(secret).verify(received.text, received.headers)).toEqual(received.event)
  const [delivery] = await eventually(deliveries, ([one]) => one?.status === "delivered")
  expect(delivery).toMatchObject({
    event_id: received.id,
    event_type: "patient_doctor_meeting_updated",
    attempts: [{ status_code: 204, error: null, at: expect.any(Number), latency_ms: expect.any(Number) }],
    next_attempt_at: null
  })
})

test("a hanging receiver does not delay others", async () => {
  const [dead, alive] = [await listening(), await listening()]
  receiver.answer((one, response) => (one.path === dead.path ? undefined : response.writeHead(204).end()))
  for (let n = 0; n < 40; n += 1) await dead.append(`apt_${n}`, n)
  await arrived(() => dead.got())
  await alive.append("apt_alive")
  await arrived(() => alive.got(), 1)
  expect((await dead.deliveries()).every((one) => one.status === "pending")).toBe(true)
  await dead.api("DELETE", `/${dead.uid}`)
})

test("410 disables the subscription; PATCH enables it again at another address", async () => {
  const { path, api, uid, append, got, deliveries } = await listening()
  receiver.answer((one, response) => response.writeHead(one.path === path ? 410 : 204).end())
  await append("apt_gone")
  await eventually(
    async () => (await api("GET", "")).body.data,
    ([one]) => one.active === false
  )
  expect(await deliveries()).toMatchObject([{ status: "failed", next_attempt_at: null }])
  await append("apt_unheard")
  expect(await deliveries()).toHaveLength(1)
  expect((await api("POST", `/${uid}/test`)).status).toBe(409)
  const moved = `${path}/moved`
  const patched = await api("PATCH", `/${uid}`, { active: true, url: receiver.url(moved) })
  expect([patched.status, patched.body.active, patched.body.url]).toEqual([200, true, receiver.url(moved)])
  await append("apt_heard")
  await arrived(() => receiver.at(moved), 1)
  expect(got()).toHaveLength(1)
})

// Shows: a forged webhook to a partner
test("after a rotation both secrets sign", async () => {
  const { api, uid, secret, append, got } = await listening()
  receiver.answer((_, response) => response.writeHead(204).end())
  const rotated = await api("POST", `/${uid}/rotate-secret`)
  expect(rotated.status).toBe(200)
  expect(rotated.body.secret).not.toBe(secret)
  await append("apt_r")
  const delivery = present((await arrived(got, 1))[0])
  for (const one of [secret, rotated.body.secret])
    expect(new Webhook(one).verify(delivery.text, delivery.headers)).toEqual(delivery.event)
})

test("a replay sends the same id again; a test sends an example that is not in the feed", async () => {
  const { world, api, uid, append, got, deliveries } = await listening("REBOOKED")
  receiver.answer((_, response) => response.writeHead(204).end())
  await append("apt_unsubscribed")
  expect((await api("POST", `/${uid}/test`)).status).toBe(202)
  const [example] = await arrived(got, 1)
  expect(example?.event).toMatchObject({ type: "rebooked", data: { example: true } })
  const [delivery] = await eventually(deliveries, ([one]) => one?.status === "delivered")
  const replayed = await api("POST", `/${uid}/deliveries/${delivery.uid}/replay`)
  expect([replayed.status, replayed.body.status]).toEqual([202, "pending"])
  const again = await arrived(got, 2)
  expect(again[1]?.id).toBe(example?.id as string)
  const feed = await world.api("GET", "/v1/management/events")
  expect(feed.body.data.map(({ type }) => type)).toEqual(["patient_doctor_meeting_updated"])
  expect((await api("POST", `/${uid}/deliveries/dlv_unknown/replay`)).status).toBe(404)
})

test("a delivery keeps its latest hundred attempts, however often it is replayed; Rule 6.4.7", async () => {
  const { api, uid, append, deliveries } = await listening()
  receiver.answer((_, response) => response.writeHead(204).end())
  await append("apt_again")
  const [delivery] = await eventually(deliveries, ([one]) => one?.status === "delivered")
  await server.current.sql`UPDATE webhook_deliveries SET attempts = (
      SELECT jsonb_agg(jsonb_build_object('at', n, 'status_code', 500, 'latency_ms', 1, 'error', NULL))
      FROM generate_series(1, 100) n)
    WHERE uid = ${delivery.uid}`
  await api("POST", `/${uid}/deliveries/${delivery.uid}/replay`)
  const [sent] = await eventually(
    deliveries,
    ([one]) => one?.status === "delivered" && Number(one.attempts.at(-1)?.at) > 100
  )
  expect([sent.attempts.length, sent.attempts[0].at]).toEqual([100, 2])
})

test("of a paused subscription a thousand deliveries fail in one transaction, the others soon after; Rule 6.3.6", async () => {
  const { world, api, uid } = await listening()
  await server.current
    .sql`INSERT INTO webhook_deliveries (owner_uid, uid, subscription_uid, event_id, event_type, subject, position,
      status, attempts, failed_attempts, next_attempt_at, created_at, updated_at)
    SELECT ${world.organisation_uid}, ${uid} || n, ${uid}, 'evt_' || n, 'patient_doctor_meeting_updated', 'apt_' || n, n, 'pending', '[]', 0,
      now() + interval '1 hour', now(), now() FROM generate_series(1, 1500) n`
  expect((await api("PATCH", `/${uid}`, { active: false })).status).toBe(200)
  const failed = () =>
    server.current.sql<{ count: number }>`SELECT count(*)::integer AS count FROM webhook_deliveries
      WHERE subscription_uid = ${uid} AND status = 'failed' GROUP BY xmin::text ORDER BY 1`
  const found = await eventually(failed, (parts) => parts.reduce((sum, { count }) => sum + count, 0) === 1_500)
  expect(found).toEqual([{ count: 500 }, { count: 1_000 }])
})

test("the feed has every event once and in order, by pages and by type", async () => {
  const { world, append } = await listening()
  receiver.answer((_, response) => response.writeHead(204).end())
  const feed = (query: string) => world.api("GET", `/v1/management/events${query}`)
  expect((await feed("")).body).toEqual({ data: [], next: null })
  const written = await Promise.all(Array.from({ length: 12 }, (_, n) => append(`apt_${n}`, n)))
  const read: Array<string> = []
  let page = await feed("?limit=5")
  for (;;) {
    read.push(...page.body.data.map(({ id }) => id))
    if (page.body.next === null) break
    expect(page.body.next).toBe(read.at(-1))
    page = await feed(`?limit=5&after=${page.body.next}`)
  }
  expect([...read].sort()).toEqual([...written].sort())
  const later = await append("apt_later")
  expect((await feed(`?after=${read.at(-1)}`)).body.data.map(({ id }) => id)).toEqual([later])
  expect((await feed("?type=rebooked")).body.data).toEqual([])
  for (const [name, value] of Object.entries({ type: "nothing", limit: 0, after: "evt_unknown" }))
    expect((await feed(`?${name}=${value}`)).body.error).toEqual([expect.stringContaining(`${name}: `)])
})

test("the feed stops before an event type that only the next release knows, and skips none", async () => {
  const { world, append } = await listening()
  const first = await append("apt_1")
  const unknown = await append("apt_2")
  const last = await append("apt_3")
  const retype = (type: string) => server.current.sql`UPDATE events SET type = ${type} WHERE id = ${unknown}`
  const feed = async () => {
    const { status, body } = await world.api("GET", "/v1/management/events")
    return [status, body.data.map(({ id }) => id), body.next]
  }
  await retype("patient_doctor_meeting.unheard_of")
  expect(await feed()).toEqual([200, [first], null])
  await retype("patient_doctor_meeting_updated")
  expect(await feed()).toEqual([200, [first, unknown, last], null])
})

test("an operator replays failed deliveries with one command", async () => {
  const { world, path, api, uid, append, got, deliveries } = await listening()
  receiver.answer((one, response) => response.writeHead(one.path === path ? 410 : 204).end())
  const id = await append("apt_lost")
  await eventually(deliveries, ([one]) => one?.status === "failed")
  receiver.answer((_, response) => response.writeHead(204).end())
  await api("PATCH", `/${uid}`, { active: true })
  const { databaseUrl, dataDir } = server.current
  const command = ["webhooks", "replay", "--owner", world.organisation_uid, "--subscription", uid]
  const { status, out } = await commandLine({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir })(...command)
  expect([status, out]).toEqual([0, "1 deliveries are sent again, under their old webhook-ids.\n"])
  const all = await arrived(got, 2)
  expect(all.map((one) => one.id)).toEqual([id, id])
})
