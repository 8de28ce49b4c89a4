/** A failing subscription is reported to its owner, and a delivery shows its payload. Rules 6.4.8 and 6.4.9. */
import { afterAll, expect, test } from "bun:test"
import { eventually } from "../support/eventually.ts"
import { ownServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"
import { HOUR, makeWorld, random } from "../support/world.ts"
import { appendMeeting } from "./meetingEvent.ts"
import { startReceiver } from "./receiver.ts"

const server = ownServer({ SANDBOX: "true" })
const receiver = await startReceiver()
afterAll(() => receiver.stop())

const base = "/v1/management/notification-subscriptions"

const scene = async (notification_types: ReadonlyArray<string>) => {
  const world = await makeWorld(server.current)
  const path = `/${random("hook")}`
  const call = world.api
  const { uid } = (await call("POST", base, { notification_types, url: receiver.url(path) })).body
  const attempts = async () => {
    const [newest] = (await call("GET", `${base}/${uid}/deliveries`)).body.data
    return newest?.attempts.length ?? 0
  }
  /** Appends an event, and waits for its first attempt: an attempt in progress while the clock moves would be counted from the new time. */
  const append = async (subject: string) => {
    const before = (await call("GET", `${base}/${uid}/deliveries`)).body.totalRegistries
    await server.current.run(transaction(appendMeeting(world.organisation_uid, subject, 0)))
    await eventually(
      async () => [(await call("GET", `${base}/${uid}/deliveries`)).body.totalRegistries, await attempts()],
      ([total = 0, made = 0]) => total > before && made > 0
    )
  }
  const advance = (advance_seconds: number) => call("POST", "/v1/sandbox/clock", { advance_seconds })
  /** At least this many: the feed shows an event only after all transactions that began before it have ended. */
  const failureEvents = (count: number) =>
    eventually(
      async () => (await call("GET", "/v1/management/events?type=subscription.failing")).body.data,
      (data) => data.length >= count
    )
  return { world, path, uid, call, append, advance, failureEvents }
}

test("the failure event is sent once per hour-long failure, and not again before a delivery was accepted", async () => {
  const { path, uid, append, advance, failureEvents } = await scene(["PATIENT_DOCTOR_MEETING_UPDATED"])
  let status = 503
  receiver.answer((got, response) => response.writeHead(got.path === path ? status : 204).end())
  await append("apt_one")
  await advance(10)
  await advance(HOUR - 60)
  expect(await failureEvents(0)).toEqual([])
  await advance(3 * HOUR)
  expect(await failureEvents(1)).toMatchObject([
    { data: { subscription_uid: uid, url: receiver.url(path), active: true, status_code: 503, error: "status 503" } }
  ])
  const [{ timestamp, data }] = await failureEvents(1)
  expect(timestamp - data.failing_since).toBeGreaterThanOrEqual(HOUR)
  await append("apt_two")
  await advance(6 * HOUR)
  expect(await failureEvents(1)).toHaveLength(1)
  status = 204
  await advance(30 * HOUR)
  status = 500
  await append("apt_three")
  await advance(10)
  await advance(HOUR)
  await advance(3 * HOUR)
  expect(await failureEvents(2)).toHaveLength(2)
})

test("the failure event is sent once more when the receiver ends the subscription, however many deliveries that ends", async () => {
  const { path, uid, append, advance, failureEvents } = await scene(["PATIENT_DOCTOR_MEETING_UPDATED"])
  let status = 503
  receiver.answer((got, response) => response.writeHead(got.path === path ? status : 204).end())
  await append("apt_one")
  await append("apt_two")
  await append("apt_three")
  await advance(3 * HOUR)
  expect(await failureEvents(1)).toMatchObject([{ data: { subscription_uid: uid, active: true } }])
  status = 410
  await advance(6 * HOUR)
  expect(await failureEvents(2)).toMatchObject([
    { data: { subscription_uid: uid, active: true } },
    { data: { subscription_uid: uid, active: false, status_code: 410 } }
  ])
})

test("a subscription to failure events gets other subscriptions' failures, and its own only once", async () => {
  const { world, path, uid, call, append, advance, failureEvents } = await scene([
    "PATIENT_DOCTOR_MEETING_UPDATED",
    "SUBSCRIPTION_FAILING"
  ])
  receiver.answer((got, response) => response.writeHead(got.path === path ? 500 : 204).end())
  const watching = `${path}/watching`
  await call("POST", base, { notification_type: "SUBSCRIPTION_FAILING", url: receiver.url(watching) })
  await append("apt_one")
  for (let hours = 0; hours < 40; hours += 8) await advance(8 * HOUR)
  expect(await failureEvents(1)).toHaveLength(1)
  expect(receiver.at(watching).map(({ event }) => event.data.subscription_uid)).toEqual([uid])
  expect(world.organisation_uid).toBe((await failureEvents(1))[0].organisation_uid)
})

// Shows: a read-only key, used to act for patients
// Shows: codes of patients' links in the feed of a read-only key
test("a delivery shows the event as it was sent, and as the feed its codes only to keys that may act for patients", async () => {
  const { world, path, uid, call, advance } = await scene(["APPOINTMENT_REMINDER_DUE"])
  receiver.answer((_, response) => response.writeHead(204).end())
  const reminder = { recipient_role: "patient", minutes_before: 1440 }
  await call("POST", `/v1/management/scheduling/appointment-types/${world.type_uid}/reminders`, reminder)
  const now = await server.current.now()
  const start = Math.floor(now / 86_400 + 3) * 86_400 + 9 * HOUR
  const appointment = await world.booked(start)
  await advance(start - 24 * HOUR - now)
  const [sent] = receiver.at(path)
  expect(sent?.event.data.appointment.uid).toBe(appointment)
  const [{ uid: delivery_uid }] = (await call("GET", `${base}/${uid}/deliveries`)).body.data
  const at = `${base}/${uid}/deliveries/${delivery_uid}`
  // the receiver answers before its answer is recorded
  const shown = await eventually(
    () => call("GET", at),
    ({ body }) => body.status === "delivered"
  )
  expect(shown.body).toMatchObject({ uid: delivery_uid, attempts: [{ status_code: 204 }] })
  expect(shown.body.payload).toEqual(sent?.event)
  const seenBy = async (...permissions: ReadonlyArray<string>) => {
    const key = await world.keyWith("scheduling:read", ...permissions)
    const feed = await server.current.api("GET", "/v1/management/events?type=scheduling.appointment_reminder_due", {
      key
    })
    const { payload } = (await server.current.api("GET", at, { key })).body
    return [payload, ...feed.body.data]
  }
  const withLinks = (action_links: unknown) => Array(2).fill({ data: { action_links } })
  expect(await seenBy()).toMatchObject(withLinks(null))
  const links = [{ code: expect.stringMatching(/^aac_/) }, {}, {}]
  for (const permission of ["scheduling:write", "scheduling:admin"])
    expect(await seenBy(permission)).toMatchObject(withLinks(links))
  expect((await call("GET", `${base}/${uid}/deliveries/unknown`)).status).toBe(404)
})
