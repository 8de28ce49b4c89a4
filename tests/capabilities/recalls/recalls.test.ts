/** Recalls: sent in time, ended by a booking or by the patient (Rule 3.13). */
import { expect, test } from "bun:test"
import { sendingTime } from "../../../src/capabilities/recalls/services/Recalls.ts"
import { mailTo } from "../../support/codes.ts"
import { sandboxServer } from "../../support/server.ts"
import { DAY, dayOf, inDays, makeWorld, random } from "../../support/world.ts"

const server = sandboxServer()
const PATH = "/v1/management/scheduling/recalls"
/** The page that the first mail to the address leads to. */
const pageFor = async (email: string) => {
  const { text = "" } = (await mailTo(server.current, email)) ?? {}
  return { text, page: /https?:\/\/\S+\/recall\/rcl_[\w-]+/.exec(text)?.[0] ?? "" }
}
const press = async (page: string, action: string) => {
  const { status, headers } = await fetch(page, {
    method: "POST",
    body: new URLSearchParams({ action }),
    redirect: "manual"
  })
  return [status, headers.get("location")]
}

test("the sending time is 9:00 of the zone, also across a clock change", () => {
  const utc = (iso: string) => Date.parse(iso) / 1000
  expect(sendingTime("2026-04-05", 14, "Europe/Berlin")).toBe(utc("2026-03-22T08:00Z"))
  expect(sendingTime("2026-04-05", 1, "Europe/Berlin")).toBe(utc("2026-04-04T07:00Z"))
})

const scene = async (profile: Readonly<Record<string, string>>) => {
  const world = await makeWorld(server.current)
  const patient_uid = await world.patient({ first_name: "Ada", last_name: "Meyer", ...profile })
  const now = await server.current.now()
  const due_date = dayOf(now + 30 * DAY)
  const create = (changes: Readonly<Record<string, unknown>> = {}) =>
    world.api("POST", PATH, { patient_uid, appointment_type_uid: world.type_uid, due_date, ...changes })
  const get = async (uid: string) => (await world.api("GET", `${PATH}/${uid}`)).body
  const advance = (advance_seconds: number) => world.api("POST", "/v1/sandbox/clock", { advance_seconds })
  return { world, patient_uid, create, get, advance, due_date }
}

test("a recall is sent once, by mail with a link, and a booking ends it", async () => {
  const email = `${random("ada")}@example.org`
  const { world, patient_uid, create, get, advance } = await scene({ email })
  const made = await create({ message_text: "Kontrolle" })
  expect(made).toMatchObject({
    status: 201,
    body: { status: "waiting", lead_days: 14, doctor_uid: null, message_text: "Kontrolle", appointment_uid: null }
  })
  const { uid } = made.body
  await advance(15 * DAY)
  expect(await get(uid)).toMatchObject({ status: "waiting" })
  await advance(2 * DAY)
  expect(await get(uid)).toMatchObject({ status: "sent" })
  const events = await world.api("GET", "/v1/management/events?type=recall.due")
  expect(events.body.data).toMatchObject([{ data: { recall: { uid, patient_uid } } }])
  const { text, page } = await pageFor(email)
  expect(text).toContain("Kontrolle")
  const shown = await fetch(page)
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining("Consultation")])
  expect(await get(uid)).toMatchObject({ status: "sent" })
  expect(await press(page, "book")).toEqual([303, expect.stringMatching(/^\/meet\/booking\/blc_/)])
  const start_date = inDays(40, 9)
  const booked = await world.bookByKey({ patient_uid, start_date })
  expect(booked.status).toBe(201)
  expect(await get(uid)).toMatchObject({ status: "booked", appointment_uid: booked.body.uid })
})

test("the patient ends a recall by its page, for good", async () => {
  const email = `${random("ada")}@example.org`
  const { create, get, advance } = await scene({ email })
  const { uid } = (await create({ lead_days: 30 })).body
  await advance(DAY)
  const { page } = await pageFor(email)
  for (let again = 0; again < 2; again++) {
    expect(await press(page, "stop")).toEqual([303, expect.any(String)])
    expect(await get(uid)).toMatchObject({ status: "cancelled" })
  }
  expect((await fetch(page)).status).toBe(200)
  // A form that is refused leads back to its page
  expect(await press(page, "book")).toEqual([303, expect.stringContaining("/recall/")])
  expect(await get(uid)).toMatchObject({ status: "cancelled" })
})

test("without an address there is the event alone", async () => {
  const { world, create, get, advance } = await scene({})
  const { uid } = (await create({ lead_days: 30 })).body
  await advance(DAY)
  expect(await get(uid)).toMatchObject({ status: "sent" })
  const messages = await world.api("GET", "/v1/management/messages")
  expect(messages.body.data).toEqual([])
})

test("a recall is changed, cancelled and deleted", async () => {
  const { world, create, due_date } = await scene({})
  const { uid } = (await create()).body
  const at = `${PATH}/${uid}`
  expect(await world.api("PATCH", at, { lead_days: 7 })).toMatchObject({
    status: 200,
    body: { lead_days: 7, due_date }
  })
  expect((await world.api("PATCH", at, { status: "sent" })).status).toBe(400)
  expect(await world.api("PATCH", at, { status: "cancelled" })).toMatchObject({ body: { status: "cancelled" } })
  const listed = await world.api("GET", `${PATH}?status=cancelled`)
  expect(listed.body).toMatchObject({ totalRegistries: 1, data: [{ uid }] })
  expect((await world.api("DELETE", at)).status).toBe(204)
  expect((await world.api("GET", at)).status).toBe(404)
  expect((await create({ due_date: "2035-13-01" })).status).toBe(400)
})

test("statistics count what was sent, booked and lost, by week", async () => {
  const { world, patient_uid, create, get, advance } = await scene({})
  const uids: Array<string> = []
  // of days of their own: of one day there is one
  for (let at = 0; at < 4; at++)
    uids.push(
      (await create({ due_date: dayOf((await server.current.now()) + (26 + at) * DAY), lead_days: 30 })).body.uid
    )
  await advance(DAY)
  for (const uid of uids) expect(await get(uid)).toMatchObject({ status: "sent" })
  await world.api("PATCH", `${PATH}/${uids[0]}`, { status: "cancelled" })
  const weeks = async () =>
    (await world.api("GET", "/v1/management/statistics/recalls")).body.data.map(
      ({ week_starts_at: _, ...counts }) => counts
    )
  expect((await weeks()).at(-1)).toEqual({ sent: 4, booked: 0, lost: 1 })
  const booked = await world.bookByKey({ patient_uid, start_date: inDays(100, 9) })
  expect(booked.status).toBe(201)
  expect((await weeks()).at(-1)).toEqual({ sent: 4, booked: 3, lost: 1 })
  expect((await weeks()).slice(0, -1)).toEqual(Array(12).fill({ sent: 0, booked: 0, lost: 0 }))
})
