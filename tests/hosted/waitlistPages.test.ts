/** The patients' pages of the waiting list, as plain forms (section 19.3). */
import { describe, expect, test } from "bun:test"
import { issuedCode, mailsTo } from "../support/codes.ts"
import { eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random, type World } from "../support/world.ts"

const server = testServer()
const ENTRIES = "/v1/management/scheduling/waitlist-entries"
const listed = { doctors: 1, type: { waitlist: true } }

const read = async (path: string) => (await server.current.api("GET", path)).text
const press = async (path: string, fields: ReadonlyArray<readonly [string, string]>) => {
  const { status, headers } = await server.current.api("POST", path, {
    body: new URLSearchParams(fields.map(([name, value]) => [name, value]))
  })
  expect(status).toBe(303)
  return headers.get("location") ?? ""
}
const entriesOf = async (world: World) => (await world.api("GET", ENTRIES)).body.data

const codeTo = async (customer: string, pattern: RegExp) => {
  const mails = await eventually(
    async () =>
      (await mailsTo(server.current, `${customer}@example.org`)).filter(({ text }) => pattern.test(text ?? "")),
    (found) => found.length > 0
  )
  return pattern.exec(mails.at(-1)?.text ?? "")?.[0] ?? ""
}

/** A start within 24 hours, which is offered at once at any time of the day. */
const near = () => Math.ceil((Date.now() / 1000 + 6 * 3600) / 1200) * 1200

describe("the booking page", () => {
  test("leads to the waiting list where the type has one, and nowhere else; Rule 19.3.3", async () => {
    for (const waitlist of [true, false, null]) {
      const world = await makeWorld(server.current, { type: { waitlist } })
      const page = `/meet/booking/${await world.session("p")}`
      expect((await read(page)).includes("/waitlist")).toBe(waitlist === true)
      const { status } = await server.current.api("GET", `${page}/waitlist`)
      expect(status).toBe(waitlist === true ? 200 : 303)
      await press(`${page}/waitlist`, [["action", "ask"]])
      expect(await entriesOf(world)).toHaveLength(waitlist === true ? 1 : 0)
    }
  })

  test("takes a wish once, changes it, pauses it and ends it; nothing happens on GET; Rules 19.3.3, 19.3.4", async () => {
    const world = await makeWorld(server.current, { ...listed, doctors: 2 })
    const page = `/meet/booking/${await world.session("p")}/waitlist`
    await read(page)
    expect(await entriesOf(world)).toEqual([])
    const wish = [
      ["action", "ask"],
      ["doctor", world.doctor],
      ["weekday", "0"],
      ["weekday", "2"],
      ["part", "morning"],
      ["days", "30"]
    ] as const
    expect(await press(page, wish)).toContain("notice=saved")
    await press(page, wish)
    const [entry, ...others] = await entriesOf(world)
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      doctor_uids: [world.doctor],
      weekdays: [0, 2],
      times: [{ from: 0, to: 720 }],
      need: "routine",
      status: "waiting"
    })
    expect(await press(page, [["action", "ask"]])).toContain("notice=changed")
    expect(await entriesOf(world)).toMatchObject([{ uid: entry.uid, weekdays: [], times: [], doctor_uids: [] }])
    for (const [action, status] of [
      ["pause", "paused"],
      ["go-on", "waiting"]
    ] as const) {
      await press(page, [
        ["action", action],
        ["entry", entry.uid]
      ])
      expect(await entriesOf(world)).toMatchObject([{ uid: entry.uid, status }])
    }
    await press(page, [
      ["action", "leave"],
      ["entry", entry.uid]
    ])
    expect(await entriesOf(world)).toEqual([])
  })

  test("shows and steers the patient's own entries alone", async () => {
    const world = await makeWorld(server.current, listed)
    const theirs = `/meet/booking/${await world.session("q")}/waitlist`
    await press(theirs, [["action", "ask"]])
    const [entry] = await entriesOf(world)
    const own = `/meet/booking/${await world.session("p")}/waitlist`
    expect(await read(own)).not.toContain(entry.uid)
    await press(own, [
      ["action", "leave"],
      ["entry", entry.uid]
    ])
    expect(await entriesOf(world)).toHaveLength(1)
  })
})

test("the mail of an entry leads to its page, which pauses and ends it; Rule 19.3.4", async () => {
  const world = await makeWorld(server.current, listed)
  const customer = random("p")
  await press(`/meet/booking/${await world.session(customer)}/waitlist?lang=tr`, [["action", "ask"]])
  const path = `/meet${await codeTo(customer, /\/waitlist\/wle_[\w-]+/)}`
  const [mail] = await mailsTo(server.current, `${customer}@example.org`)
  expect(mail?.subject).toContain("Bekleme listesindesiniz")
  expect(await read(path)).toContain("Sie warten auf einen Termin.")
  await press(path, [["action", "pause"]])
  expect(await entriesOf(world)).toMatchObject([{ status: "paused" }])
  expect(await read(path)).toContain('value="go-on"')
  const left = await press(path, [["action", "leave"]])
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
  const customer = random("p")
  const start = near()
  const uid = await world.booked(start, random("q"))
  await press(`/meet/booking/${await world.session(customer)}/waitlist`, [["action", "ask"]])
  await world.api("POST", `/v1/management/scheduling/appointments/${uid}/cancel`, { reason: "Ill" })
  const path = `/meet${await codeTo(customer, /\/waitlist\/wlo_[\w-]+/)}`
  const shown = await read(path)
  expect(shown).toContain('value="accept"')
  expect(await entriesOf(world)).toMatchObject([{ status: "offered" }])
  await press(path, [["action", "accept"]])
  expect(await entriesOf(world)).toMatchObject([{ status: "booked" }])
  expect(await read(path)).toContain("Ihr Termin ist gebucht")
  const managed = await press(path, [["action", "cancel"]])
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
    const shown = [
      ["appointment_uid", uid],
      ["start", String(start)]
    ] as const
    return { world, uid, shown, path: `/meet/appointment/${await issuedCode(server.current, world, uid, "page")}` }
  }

  test("asks for an earlier time, once, and no longer; Rule 19.3.5", async () => {
    const { world, uid, shown, path } = await sooner({ waitlist: true })
    expect(await read(path)).toContain('value="sooner"')
    const wish = [["action", "sooner"], ["part", "morning"], ...shown] as const
    expect(await press(path, wish)).toContain("notice=waiting")
    await press(path, wish)
    const morning = [{ from: 0, to: 720 }]
    expect(await entriesOf(world)).toMatchObject([{ appointment_uid: uid, times: morning, need: "routine" }])
    expect(await read(path)).toContain('value="stay"')
    await press(path, [["action", "stay"], ...shown])
    expect(await entriesOf(world)).toEqual([])
  })

  test.each([{ waitlist: null }, { waitlist: false }, { waitlist: true, allow_patient_rebooking: false }])(
    "does not where it cannot be: %j",
    async (type) => {
      const { world, shown, path } = await sooner(type)
      expect(await read(path)).not.toContain('value="sooner"')
      expect(await press(path, [["action", "sooner"], ...shown])).toContain("notice=refused")
      expect(await entriesOf(world)).toEqual([])
    }
  )
})
