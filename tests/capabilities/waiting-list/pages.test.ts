/** The patients' pages of the waiting list, as plain forms (section 19.3). */
import { describe, expect, test } from "bun:test"
import { offered, waiting } from "../../hosted/mailed.ts"
import { issuedCode, mailsTo } from "../../support/codes.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld, random, type World } from "../../support/world.ts"

const server = testServer()
const ENTRIES = "/v1/management/scheduling/waitlist-entries"
const listed = { doctors: 1, type: { waitlist: true } }

const read = async (path: string) => (await server.current.api("GET", path)).text
const press = async (path: string, action: string, fields: Readonly<Record<string, string>> | string = "") => {
  const body = new URLSearchParams(fields)
  body.set("action", action)
  const { status, headers } = await server.current.api("POST", path, { body })
  expect(status).toBe(303)
  return headers.get("location") ?? ""
}
const entriesOf = async (world: World) => (await world.api("GET", ENTRIES)).body.data

describe("the booking page", () => {
  test("leads to the waiting list where the type has one, and nowhere else; Rule 19.3.3", async () => {
    for (const waitlist of [true, false, null]) {
      const world = await makeWorld(server.current, { type: { waitlist } })
      const page = `/meet/booking/${await world.session("p")}`
      expect((await read(page)).includes("/waitlist")).toBe(waitlist === true)
      const { status } = await server.current.api("GET", `${page}/waitlist`)
      expect(status).toBe(waitlist === true ? 200 : 303)
      await press(`${page}/waitlist`, "ask")
      expect(await entriesOf(world)).toHaveLength(waitlist === true ? 1 : 0)
    }
  })

  test("takes a wish once, changes it, pauses it and ends it; nothing happens on GET; Rules 19.3.3, 19.3.4", async () => {
    const world = await makeWorld(server.current, { ...listed, doctors: 2 })
    const page = `/meet/booking/${await world.session("p")}/waitlist`
    await read(page)
    expect(await entriesOf(world)).toEqual([])
    const wish = `doctor=${world.doctor}&weekday=0&weekday=2&part=morning&days=30`
    expect(await press(page, "ask", wish)).toContain("notice=saved")
    await press(page, "ask", wish)
    const [entry, ...others] = await entriesOf(world)
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      doctor_uids: [world.doctor],
      weekdays: [0, 2],
      times: [{ from: 0, to: 720 }],
      need: "routine",
      status: "waiting"
    })
    expect(await press(page, "ask")).toContain("notice=changed")
    expect(await entriesOf(world)).toMatchObject([{ uid: entry.uid, weekdays: [], times: [], doctor_uids: [] }])
    for (const [action, status] of [
      ["pause", "paused"],
      ["go-on", "waiting"]
    ] as const) {
      await press(page, action, { entry: entry.uid })
      expect(await entriesOf(world)).toMatchObject([{ uid: entry.uid, status }])
    }
    await press(page, "leave", { entry: entry.uid })
    expect(await entriesOf(world)).toEqual([])
  })

  test("shows and steers the patient's own entries alone", async () => {
    const world = await makeWorld(server.current, listed)
    const theirs = `/meet/booking/${await world.session("q")}/waitlist`
    await press(theirs, "ask")
    const [entry] = await entriesOf(world)
    const own = `/meet/booking/${await world.session("p")}/waitlist`
    expect(await read(own)).not.toContain(entry.uid)
    await press(own, "leave", { entry: entry.uid })
    expect(await entriesOf(world)).toHaveLength(1)
  })
})

test("the mail of an entry leads to its page, which pauses and ends it; Rule 19.3.4", async () => {
  const world = await makeWorld(server.current, listed)
  const customer = random("p")
  const path = await waiting(server.current, world, customer, "?lang=tr")
  const [mail] = await mailsTo(server.current, `${customer}@example.org`)
  expect(mail?.subject).toContain("Bekleme listesindesiniz")
  expect(await read(path)).toContain("Sie warten auf einen Termin.")
  await press(path, "pause")
  expect(await entriesOf(world)).toMatchObject([{ status: "paused" }])
  expect(await read(path)).toContain('value="go-on"')
  const left = await press(path, "leave")
  expect(await entriesOf(world)).toEqual([])
  const page = await read(left)
  expect(page).toContain("Sie stehen nicht mehr auf der Warteliste")
  // in another language it is the same page, although the link is no longer valid
  const [, english = ""] = /href="([^"]*)"[^>]*hreflang="en"/.exec(page) ?? []
  expect(english).toContain("left")
  expect((await server.current.api("GET", path)).status).toBe(404)
})

test("the page of an offer accepts by one press and leads to what it has booked; Rules 19.3.2, 19.3.6", async () => {
  const world = await makeWorld(server.current, listed)
  const { page: path } = await offered(server.current, world)
  expect(await read(path)).toContain('value="accept"')
  expect(await entriesOf(world)).toMatchObject([{ status: "offered" }])
  await press(path, "accept")
  expect(await entriesOf(world)).toMatchObject([{ status: "booked" }])
  expect(await read(path)).toContain("Ihr Termin ist gebucht")
  const managed = await press(path, "cancel")
  expect(await read(managed)).toContain("Termin absagen")
  const kinds = await server.current.query(
    "SELECT kind FROM action_links WHERE organisation_uid = $1 ORDER BY created_at DESC LIMIT 1",
    [world.organisation_uid]
  )
  expect(kinds).toEqual([{ kind: "cancel" }])
})

describe("the appointment's page", () => {
  const sooner = async (options: Readonly<Record<string, unknown>>) => {
    const world = await makeWorld(server.current, { type: options })
    const start = inDays(5, 9)
    const uid = await world.booked(start, "p")
    const shown = { appointment_uid: uid, start: String(start) }
    return { world, uid, shown, path: `/meet/appointment/${await issuedCode(server.current, world, uid, "page")}` }
  }

  test("asks for an earlier time, once, and no longer; Rule 19.3.5", async () => {
    const { world, uid, shown, path } = await sooner({ waitlist: true })
    expect(await read(path)).toContain('value="sooner"')
    for (const _ of ["once", "again"])
      expect(await press(path, "sooner", { ...shown, part: "morning" })).toContain("notice=waiting")
    const morning = [{ from: 0, to: 720 }]
    expect(await entriesOf(world)).toMatchObject([{ appointment_uid: uid, times: morning, need: "routine" }])
    expect(await read(path)).toContain('value="stay"')
    await press(path, "stay", shown)
    expect(await entriesOf(world)).toEqual([])
  })

  test.each([{ waitlist: null }, { waitlist: false }, { waitlist: true, allow_patient_rebooking: false }])(
    "does not where it cannot be: %j",
    async (type) => {
      const { world, shown, path } = await sooner(type)
      expect(await read(path)).not.toContain('value="sooner"')
      expect(await press(path, "sooner", shown)).toContain("notice=refused")
      expect(await entriesOf(world)).toEqual([])
    }
  )
})
