/** The console's page of absences: an absence as one act. Section 17.5. */
import { expect, test } from "bun:test"
import { asAdmin, type ConsoleVisitor, hiddenField, unescaped } from "../../support/console.ts"
import { eventually } from "../../support/eventually.ts"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { dayOf, inDays, makeWorld } from "../../support/world.ts"

const server = testServer()

const enter = async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  const browser = await asAdmin(server.current, world)
  /** Sends the form of the page for this absence. */
  const settle = async (absence: Readonly<Record<string, string>>, fields: Readonly<Record<string, string>>) => {
    const page = `/console/practice/absences?${new URLSearchParams(absence)}`
    const { text } = await browser.ask(page)
    const own = ["doctor_uid", "from", "to", "kind", "any_specialty"].map((name) => [name, hiddenField(text, name)])
    return browser.send("POST /v1/management/scheduling/absences", {
      "@back": "/console/practice/absences?absence={uid}",
      "@page": page,
      ...Object.fromEntries(own),
      ...fields
    })
  }
  const free = async (day: number, doctor_uid = world.doctor) =>
    (await world.search({ from: inDays(day), to: inDays(day + 1), doctor_uid })).body.slots.length
  return { world, browser, settle, free }
}
/** The field of the choice for one appointment. */
const choiceOf = (uid: string | undefined) => `choices@each.appointment_uid.step.${uid}`
const statusOf = async (uid: string) => (await stored(server.current, uid)).status
/** The page of an absence, once this many appointments are settled. */
const settled = (browser: ConsoleVisitor, page: string, count: number) =>
  eventually(
    async () => (await browser.ask(page)).text,
    (html) => html.includes(`${count} of ${count} appointments settled`)
  )
/** A refusal of a page that is older than what it is about. */
const STALE = { status: 409, text: expect.stringContaining("The number of appointments has changed") }

test("an absence names the number, closes the time and settles what was counted, each as chosen; Rules 17.5.1 to 17.5.3", async () => {
  const { world, browser, settle, free } = await enter()
  const uids = [await world.booked(inDays(3, 9), "a"), await world.booked(inDays(3, 10), "b")]
  const other = await world.booked(inDays(3, 9), "c", { doctor_uid: world.doctors[1] })
  const day = dayOf(inDays(3))
  const absence = { doctor: world.doctor, kind: "illness", from: day, until: day }
  const { text } = await browser.ask(`/console/practice/absences?${new URLSearchParams(absence)}`)
  expect(text).toContain("2 booked appointments in this time")
  expect(hiddenField(text, "expected")).toBe("2")
  expect(text).toMatch(/<input[^>]* name="any_specialty" value="true"/)
  for (const uid of uids) expect(text).toContain(`name="choices@each.appointment_uid.step.${uid}"`)
  expect(await free(3)).toBeGreaterThan(0)

  const kept = await world.booked(inDays(3, 11), "d")
  const cancel = { appointments: "cancel", message: "ill" }
  expect(await settle(absence, { ...cancel, expected: "2" })).toMatchObject(STALE)
  expect(await free(3)).toBeGreaterThan(0)

  const done = await settle(absence, {
    ...cancel,
    expected: "3",
    [choiceOf(uids[0])]: "",
    [choiceOf(kept)]: "keep",
    [choiceOf(uids[1])]: "move"
  })
  expect(done.status).toBe(303)
  // closed at once, settled afterwards
  expect(await free(3)).toBe(0)
  const page = done.location.split("&done")[0] ?? ""
  expect(await settled(browser, page, 2)).toContain("1 moved, 0 asked, 1 cancelled, 0 not possible")
  const statuses = await Promise.all([...uids, other, kept].map(statusOf))
  expect(statuses).toEqual(["cancelled", "cancelled", "confirmed", "confirmed"])
  const { data } = (await world.api("GET", `/v1/management/scheduling/appointments`)).body
  expect(data).toContainEqual(expect.objectContaining({ previous_meeting_uid: uids[1] }))

  const [, uid = ""] = /absence=(\w+)/.exec(page) ?? []
  const path = `/v1/management/scheduling/absences/${uid}`
  // back at noon
  const form = { "@back": "/console/practice/absences" }
  const back = await browser.send(`PATCH ${path}`, { ...form, "@zone": "UTC", "to@local": `${day}T12:00` })
  expect([back.status, (await free(3)) > 0]).toEqual([303, true])
  expect((await browser.send(`DELETE ${path}`, form)).status).toBe(303)
  expect((await world.api("GET", path)).status).toBe(404)
  expect(await statusOf(kept)).toBe("confirmed")
})

test("an absence leads to what became of its appointments, to its day, and to whom to call; Rule 17.5.3", async () => {
  const { world, browser, settle } = await enter()
  await world.booked(inDays(3, 9), "a")
  const day = dayOf(inDays(3))
  const fields = { appointments: "cancel", expected: "1" }
  const made = await settle({ doctor: world.doctor, kind: "illness", from: day, until: day }, fields)
  const page = made.location.split("&done")[0] ?? ""
  const list = await browser.ask("/console/practice/absences")
  expect(list.text).toContain(`href="${page}"`)
  const text = await settled(browser, page, 1)
  const shown = text.slice(text.indexOf('id="shown"'), text.indexOf('id="new"'))
  const [calendar, calls] = ["Show in the calendar", "Calls to make"].map((name) =>
    unescaped(new RegExp(`href="([^"]*)">${name}`).exec(shown)?.[1])
  )
  expect(calendar).toBe(`/console/practice?day=${day}`)
  const { text: dayText } = await browser.ask(calendar ?? "")
  expect(dayText).toMatch(/class="time-busy[^"]*">[^<]*Illness/)
  expect((await browser.ask(calls ?? "")).text).toContain("<h1>Calls to make")
})

test("those who did not answer are asked again by a button that names their number; Rule 3.14.6", async () => {
  const { world, browser, settle } = await enter()
  const [, answered] = [await world.booked(inDays(3, 9), "silent"), await world.booked(inDays(3, 10), "answered")]
  const day = dayOf(inDays(3))
  const made = await settle({ doctor: world.doctor, from: day, until: day }, { appointments: "offer", expected: "2" })
  const page = made.location.split("&done")[0] ?? ""
  const before = await settled(browser, page, 2)
  expect(before).toContain("Ask 2 patients without an answer again")
  await world.api("POST", `/v1/management/scheduling/appointments/${answered}/cancel`, { reason: "another day" })

  const operation = /POST [^"]+\/ask-again/.exec(before)?.[0] ?? ""
  const ask = (html: string) => {
    const form = html.split("<form").find((text) => text.includes(operation)) ?? ""
    return browser.send(operation, { "@back": page, expected: hiddenField(form, "expected") })
  }
  // the page of before somebody answered
  const stale = await ask(before)
  const { text } = stale // before it is compared: what a matcher fits is replaced by it
  expect(text).toContain("Ask 1 patient without an answer again")
  expect(stale).toMatchObject(STALE)
  expect((await ask(text)).status).toBe(303)
  await settled(browser, page, 2)
  const { data } = (await world.api("GET", "/v1/management/events?type=scheduling.times_offered")).body
  expect(data.length).toBe(3)
})

test("three weeks of vacation are one step, and its appointments are moved to whom the box allows; Rules 3.14.7 and 17.5.2", async () => {
  const { world, settle, free } = await enter()
  const [, colleague] = world.doctors
  await world.api("PATCH", `/v1/management/doctors/${colleague}`, { specialty_code: "AUGE" })
  const uid = await world.booked(inDays(5, 9))
  const absence = { doctor: world.doctor, kind: "vacation", from: dayOf(inDays(4)), until: dayOf(inDays(24)) }
  expect((await settle({ ...absence, any_specialty: "true" }, { appointments: "move", expected: "1" })).status).toBe(
    303
  )
  const { data } = await eventually(
    async () => (await world.api("GET", "/v1/management/scheduling/appointments")).body,
    (body) => body.data[0]?.previous_meeting_uid === uid
  )
  expect(await statusOf(uid)).toBe("cancelled")
  expect([data[0].doctor_uid, data[0].start_date]).toEqual([colleague, inDays(5, 9)])
  expect([await free(4), await free(24), (await free(25)) > 0]).toEqual([0, 0, true])
})
