import { expect, test } from "bun:test"
import { using } from "../support/postgres.ts"
import { ownServer } from "../support/server.ts"
import { DAY, HOUR, makeWorld, random, type World, type WorldOptions } from "../support/world.ts"

const server = ownServer({ SANDBOX: "true", ROLE: "http" })

const now = () => server.current.now()
const advance = (world: World, advance_seconds: number) => world.api("POST", "/v1/sandbox/clock", { advance_seconds })
const advanceTo = (world: World, at: number) => world.api("POST", "/v1/sandbox/clock", { now: at })

const reminderBase = (world: World) => `/v1/management/scheduling/appointment-types/${world.type_uid}/reminders`
const addReminder = async (world: World, body: Record<string, unknown>) => {
  const made = await world.api("POST", reminderBase(world), body)
  expect(made.status).toBe(201)
  return made.body.uid as string
}

const reminded = async (world: World) =>
  (await world.api("GET", "/v1/management/events?type=scheduling.appointment_reminder_due&limit=500")).body.data

/** A confirmed appointment `hours` after the service's current time. */
const bookedIn = async (world: World, hours: number, customer?: string, body: Parameters<World["booked"]>[2] = {}) => {
  const start = (Math.floor((await now()) / HOUR) + hours) * HOUR
  return { uid: await world.booked(start, customer, body), start }
}

const organised = (options: WorldOptions = {}) => makeWorld(server.current, options)

test("each recipient gets one reminder, at its time and not before, with links only for patients", async () => {
  const admins = [
    { uid: random("adm"), display_name: "Empfang", email: "empfang@example.org" },
    { uid: random("adm"), display_name: "Leitung" }
  ]
  const world = await organised({ organisation: { admins } })
  const roles = ["patient", "doctor", "admin"]
  for (const recipient_role of roles) await addReminder(world, { recipient_role, minutes_before: 120 })
  const { uid, start } = await bookedIn(world, 30, "c1", { visit_reason: "Husten" })
  await advanceTo(world, start - 2 * HOUR - 30)
  expect(await reminded(world)).toEqual([])
  await advance(world, 60)
  const remindedEvents = await reminded(world)
  expect(remindedEvents.map(({ data }) => [data.recipient.role, data.recipient.uid]).sort()).toEqual(
    [
      ["admin", admins[0]?.uid],
      ["admin", admins[1]?.uid],
      ["doctor", world.doctor],
      ["patient", expect.any(String)]
    ].sort() as never
  )
  for (const { data } of remindedEvents) expect([data.appointment.uid, data.visit_reason]).toEqual([uid, "Husten"])
  const patient = remindedEvents.find(({ data }) => data.recipient.role === "patient")
  expect(patient?.data.recipient.email).toBe("c1@example.org")
  expect(patient?.data.action_links.map(({ action }) => action).sort()).toEqual(["cancel", "join", "rebook"])
  const others = remindedEvents.filter((one) => one !== patient)
  expect(others.flatMap(({ data }) => data.action_links)).toEqual([])
  for (const { code, action, url } of patient?.data.action_links ?? []) {
    const link = await server.current.api("GET", `/v1/scheduling/appointment-actions/${code}`)
    expect([link.status, link.body.action, url.endsWith(code)]).toEqual([200, action, true])
  }
  await advance(world, 300)
  expect(await reminded(world)).toHaveLength(4)
})

test("is published while a row is added that refers to the appointment; Rule 6.6.4", async () => {
  const world = await organised()
  await addReminder(world, { recipient_role: "doctor", minutes_before: 1 })
  const { uid, start } = await bookedIn(world, 30)
  await using(server.current.databaseUrl, async (other) => {
    await other.query("BEGIN")
    // What the check of a foreign key takes
    const shared = await other.query("SELECT FROM appointments WHERE uid = $1 FOR KEY SHARE", [uid])
    expect(shared.rowCount).toBe(1)
    await advanceTo(world, start - 30)
    expect(await reminded(world)).toHaveLength(1)
    await other.query("COMMIT")
  })
})

test("the reminder of a patient whose data is restricted has no address and no links; Rules 6.6.10 and 12.2.9", async () => {
  const world = await organised()
  await addReminder(world, { recipient_role: "patient", minutes_before: 120 })
  const { start } = await bookedIn(world, 30)
  const [{ uid }] = (await world.api("GET", "/v1/management/patients")).body.data
  const restrict = `/v1/management/patients/${uid}/restrict`
  const restricted = await world.api("POST", restrict, { restricted: true })
  expect(restricted.status).toBe(200)
  await advanceTo(world, start - 2 * HOUR)
  expect(await reminded(world)).toMatchObject([{ data: { recipient: { email: null, phone: null }, action_links: [] } }])
})

test("the codes of a stored event are nowhere in clear text", async () => {
  const world = await organised()
  await addReminder(world, { recipient_role: "patient", minutes_before: 60 })
  const { start } = await bookedIn(world, 5)
  await advanceTo(world, start - HOUR)
  const [event] = await reminded(world)
  const codes = event?.data.action_links.map(({ code }) => code) ?? []
  expect(codes).toHaveLength(3)
  const rows = await server.current.sql`SELECT e::text AS text FROM events e WHERE id = ${event?.id ?? ""}`
  expect(rows).toHaveLength(1)
  for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code)
})

test("after downtime it is still sent, but not once the appointment has started", async () => {
  const world = await organised()
  await addReminder(world, { recipient_role: "doctor", minutes_before: 180 })
  const late = await bookedIn(world, 40)
  const over = await bookedIn(world, 20)
  await advanceTo(world, late.start - HOUR)
  expect((await reminded(world)).map(({ data }) => data.appointment.uid)).toEqual([late.uid])
  expect(over.start).toBeLessThan(await now())
})

test("an appointment confirmed after the time, cancelled, or with an inactive or deleted reminder gets none", async () => {
  const world = await organised()
  const inactive = await addReminder(world, { recipient_role: "doctor", minutes_before: 60, active: false })
  const deleted = await addReminder(world, { recipient_role: "patient", minutes_before: 60 })
  await world.api("DELETE", `${reminderBase(world)}/${deleted}`)
  await addReminder(world, { recipient_role: "patient", minutes_before: 7 * 24 * 60 })
  const cancelled = await bookedIn(world, 200)
  await bookedIn(world, 3, "c2")
  const path = `/v1/management/scheduling/appointments/${cancelled.uid}/cancel`
  expect((await world.api("POST", path, { reason: "krank" })).status).toBe(200)
  await advance(world, 2 * HOUR)
  await advance(world, 2 * DAY)
  expect(await reminded(world)).toEqual([])
  const { start } = await bookedIn(world, 10, "c3")
  const activated = await world.api("PATCH", `${reminderBase(world)}/${inactive}`, { active: true })
  expect(activated.status).toBe(200)
  await advanceTo(world, start - HOUR)
  expect((await reminded(world)).map(({ data }) => data.reminder.uid)).toEqual([inactive])
})

const change = async (world: World, reminder: string, body: Record<string, unknown>) => {
  const changed = await world.api("PATCH", `${reminderBase(world)}/${reminder}`, body)
  expect(changed.status).toBe(200)
}

test("a reminder that is created or enabled after its time is not sent", async () => {
  const world = await organised()
  await bookedIn(world, 48)
  const inactive = await addReminder(world, { recipient_role: "doctor", minutes_before: 47 * 60, active: false })
  await advance(world, 46 * HOUR)
  await addReminder(world, { recipient_role: "doctor", minutes_before: 24 * 60 })
  await change(world, inactive, { active: true })
  await advance(world, HOUR)
  expect(await reminded(world)).toEqual([])
  const { start } = await bookedIn(world, 72, "c2")
  await advanceTo(world, start - 24 * HOUR)
  expect(await reminded(world)).toHaveLength(2)
})

test("a reminder whose time is changed is sent once at its new time, even if it was sent before", async () => {
  const world = await organised()
  const reminder = await addReminder(world, { recipient_role: "doctor", minutes_before: 600 })
  const { start } = await bookedIn(world, 24)
  await advanceTo(world, start - 9 * HOUR)
  expect(await reminded(world)).toHaveLength(1)
  await change(world, reminder, { minutes_before: 60 })
  await advance(world, 7.5 * HOUR)
  expect(await reminded(world)).toHaveLength(1)
  await advance(world, 0.75 * HOUR)
  await change(world, reminder, { minutes_before: 600 })
  await change(world, reminder, { minutes_before: 60 })
  await advance(world, 600)
  expect((await reminded(world)).map(({ data }) => data.reminder)).toMatchObject([
    { uid: reminder, minutes_before: 600 },
    { uid: reminder, minutes_before: 60 }
  ])
})

test("a change that leaves the time loses no reminder", async () => {
  const world = await organised()
  const reminder = await addReminder(world, { recipient_role: "doctor", minutes_before: 60 })
  const { start } = await bookedIn(world, 5)
  await server.current.advance(start - HOUR + 30 - (await now()))
  await change(world, reminder, { send_sms: true, active: true, minutes_before: 60 })
  await advance(world, 0)
  expect(await reminded(world)).toHaveLength(1)
})
