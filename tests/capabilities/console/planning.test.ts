/** Pages for the calendar of a practice: series, recalls, holidays, the waiting list, and a week's hours as one form. */
import { expect, test } from "bun:test"
import { plannedStarts } from "../../../src/capabilities/series/pages/seriesPage.tsx"
import { asAdmin, hiddenField, unescaped } from "../../support/console.ts"
import { testServer } from "../../support/server.ts"
import { dayOf, inDays, makeWorld, type WorldOptions } from "../../support/world.ts"

const server = testServer()
const base = "/v1/management/scheduling"

const enter = async (options: WorldOptions = {}) => {
  const world = await makeWorld(server.current, { doctors: 2, ...options })
  const { ask, send } = await asAdmin(server.current, world)
  const page = async (path: string) => {
    const { status, text } = await ask(`/console/practice/${path}`)
    expect([path, status]).toEqual([path, 200])
    return text
  }
  const patient = await world.patient({ first_name: "Kim", last_name: "Wartend", email: "kim@example.org" })
  return { world, send, page, patient }
}

test("a plan names each regular start: free, moved, or why it is left out", () => {
  const found = {
    appointments: [
      { start_date: 100, overlaps: [] },
      { start_date: 350, overlaps: ["other"] }
    ],
    skipped: [{ start_date: 200, code: "slot_taken" as const }]
  }
  // of a record only the start matters, and what it overlaps
  expect(plannedStarts([100, 200, 300], found as never)).toEqual([
    { start: 100, outcome: "free", instead: null, overlaps: [] },
    { start: 200, outcome: "slot_taken", instead: null, overlaps: [] },
    { start: 300, outcome: "free", instead: 350, overlaps: ["other"] }
  ])
})

test("times at which the patient has another appointment say so before the press; Rule 4.9.7", async () => {
  const { world, page, patient } = await enter()
  const start = inDays(3, 9)
  expect(
    (await world.bookByKey({ patient_uid: patient, doctor_uid: world.doctors[1], start_date: start })).status
  ).toBe(201)
  const other = new RegExp(`at the same time: .*Dr\\. ${world.doctors[1]}`)
  const times = { type: world.type_uid, doctor: world.doctor, day: dayOf(start), part: "morning" }
  const shown = await page(`patients/${patient}?${new URLSearchParams(times)}`)
  const buttons = [...shown.matchAll(/<button[^>]*name="@slot" value="(\d+)\.[^>]*>(.*?)<\/button>/g)]
  expect(buttons.length).toBeGreaterThan(10)
  for (const [, at, text] of buttons) expect([at, other.test(text ?? "")]).toEqual([at, Number(at) === start])
  const chosen = await page(`patients/${patient}?${new URLSearchParams({ ...times, start: String(start) })}`)
  expect(chosen).toMatch(other)
  const of = { patient, plan: "1", type: world.type_uid, doctor: world.doctor, day: dayOf(start), time: "09:00" }
  const planned = await page(`series?${new URLSearchParams({ ...of, count: "2", weeks: "1" })}`)
  expect(planned.match(/at the same time: /g)?.length).toBe(1)
})

test("a series is planned, a date left out, booked, and cancelled from a date on; Rule 17.6.12", async () => {
  const { world, send, page, patient } = await enter()
  const first = inDays(3, 9)
  const of = { patient, plan: "1", type: world.type_uid, doctor: world.doctor }
  const query = new URLSearchParams({ ...of, day: dayOf(first), time: "09:00", count: "3", weeks: "1" })
  const planned = await page(`series?${query}`)
  const starts = [...planned.matchAll(/name="except" value="(\d+)"/g)].map(([, start]) => Number(start))
  expect(starts.length).toBe(3)
  const wanted = { appointment_type_uid: world.type_uid, doctor_uid: world.doctor, shop_uid: world.shop_uid }
  const dates = { start_date: String(starts[0]), count: "3", interval_weeks: "1", except: String(starts[1]) }
  const series = { ...wanted, ...dates, patient_uid: patient, on_conflict: "skip" }
  expect((await send(`POST ${base}/appointment-series`, series)).status).toBe(303)
  const listed = async () =>
    (await world.api("GET", `${base}/appointments?patient_uid=${patient}&status=confirmed&from=0`)).body.data
  const booked = await listed()
  expect(booked).toMatchObject([{ start_date: starts[0] }, { start_date: starts[2] }])
  const [{ series_uid }] = booked
  const shown = await page(`series?series=${series_uid}&patient=${patient}`)
  expect(shown).toContain(`name="from" value="${starts[2]}"`)
  const cancel = { from: String(starts[2]), reason: "Genesen" }
  expect((await send(`POST ${base}/appointment-series/${series_uid}/cancel`, cancel)).status).toBe(303)
  expect((await listed()).length).toBe(1)
})

test("a recall is set from an appointment by one press, listed with the patient's name, and counted; Rule 7.8.4", async () => {
  const { world, send, page, patient } = await enter()
  const { body: one } = await world.bookByKey({ patient_uid: patient, start_date: inDays(2, 9) })
  const due_date = hiddenField(await page(`appointments/${one.uid}`), "due_date")
  const recall = { patient_uid: patient, appointment_type_uid: world.type_uid, due_date, message_text: "" }
  expect((await send(`POST ${base}/recalls`, recall)).status).toBe(303)
  const list = await page("recalls")
  expect(list).toContain("Kim Wartend")
  // weeks without any have no rows
  expect(list).not.toContain("<caption>")
  const { body } = await world.api("GET", "/v1/management/statistics/recalls")
  expect(body.data.at(-1)).toMatchObject({ sent: 0, booked: 0, lost: 0 })
  expect(body.data.length).toBeGreaterThanOrEqual(12)
})

test("holidays are previewed before they are saved; Rule 3.11.5", async () => {
  const { world, send, page } = await enter()
  const day = dayOf(inDays(2, 12))
  const uid = await world.booked(inDays(2, 9))
  const shown = await page(`holidays?region=DE-BE&date=${day}&name=Betriebsausflug`)
  expect(shown).toContain(`/console/practice/appointments/${uid}`)
  expect(shown).toContain("Internationaler Frauentag")
  const saved = await send("PATCH /v1/management/organisation", {
    holiday_region: "DE-BE",
    "extra_holidays.0.date": day,
    "extra_holidays.0.name": "Betriebsausflug"
  })
  expect(saved.status).toBe(303)
  const { body } = await world.api("GET", "/v1/management/organisation")
  expect(body).toMatchObject({ holiday_region: "DE-BE", extra_holidays: [{ date: day, name: "Betriebsausflug" }] })
})

test("an entry by telephone, its need with a reason, and its offers; the list is paused; Rules 19.1.4 and 19.2.12", async () => {
  const { world, send, page, patient } = await enter()
  const entry = {
    patient_uid: patient,
    appointment_type_uid: world.type_uid,
    doctor_uids: "",
    need: "soon",
    need_reason: "Schmerzen",
    weekdays: "0",
    "times@ranges": "0-720"
  }
  expect((await send(`POST ${base}/waitlist-entries`, entry)).status).toBe(303)
  const entries = async () => (await world.api("GET", `${base}/waitlist-entries`)).body.data
  const [made] = await entries()
  expect(made).toMatchObject({ weekdays: [0], times: [{ from: 0, to: 720 }], need: "soon", need_reason: "Schmerzen" })
  expect(await page("waitlist")).toContain("Kim Wartend")
  const urgent = { need: "urgent", need_reason: "Fieber" }
  expect((await send(`PATCH ${base}/waitlist-entries/${made.uid}`, urgent)).status).toBe(303)
  expect(await page(`waitlist/${made.uid}`)).toContain("Fieber")
  const anyTime = { weekdays: [], times: [], from: inDays(0), to: inDays(20) }
  await world.api("PATCH", `${base}/waitlist-entries/${made.uid}`, anyTime)

  expect((await send("PATCH /v1/management/organisation", { waitlist_paused: "true" })).status).toBe(303)
  const cancelled = async (days: number) => world.run(world.practice.cancel(await world.booked(inDays(days, 9))))
  await cancelled(4)
  expect((await world.api("GET", `${base}/waitlist-entries/${made.uid}/offers`)).body.offers).toEqual([])
  expect((await send("PATCH /v1/management/organisation", { waitlist_paused: "false" })).status).toBe(303)
  await cancelled(5)
  const { body } = await world.api("GET", `${base}/waitlist-entries/${made.uid}/offers`)
  expect(body.offers).toMatchObject([{ start_date: inDays(5, 9), status: "offered" }])
})

test("a new doctor's week starts empty; a colleague's is copied by choice and saved as a whole; Rule 7.5.4", async () => {
  const { world, send, page } = await enter()
  const { body: doctor } = await world.api("POST", "/v1/management/doctors", { display_name: "Dr. Neu" })
  const windowsIn = async (query: string) => {
    const form = await page(`hours?doctor=${doctor.uid}${query}`)
    return [...form.matchAll(/<input type="time" name="((?:from|to)\.\d\.\d)"[^>]*value="(\d\d:\d\d)"/g)]
  }
  expect(await windowsIn("")).toEqual([])
  const windows = await windowsIn(`&like=${world.doctor}`)
  expect(windows.length).toBeGreaterThan(0)
  const fields = Object.fromEntries(windows.map(([, name = "", value = ""]) => [name, value]))
  const path = `${base}/doctors/${doctor.uid}/availability-rules`
  const save = (week: object) => send(`PUT ${path}`, { doctor: doctor.uid, ...week }, "hours")
  const saved = await save({ ...fields, buffer: "5" })
  expect([saved.status, saved.location]).toEqual([303, `/console/practice/hours?doctor=${doctor.uid}&done=1`])
  const rules = async () => (await world.api("GET", path)).body.data
  expect((await rules()).length).toBe(windows.length / 2)
  expect((await save({ "from.0.0": "12:00", "to.0.0": "09:00" })).status).toBe(400)
  // a form whose record is another than the operation's writes to neither
  expect((await save({ "from.0.0": "08:00", "to.0.0": "09:00", doctor: world.doctor })).status).toBe(403)
  const scoped = { weekday: 6, start_time: 540, end_time: 600, appointment_type_uid: world.type_uid }
  await world.api("POST", path, scoped)
  expect((await save({ "from.1.0": "08:00", "to.1.0": "10:00" })).status).toBe(303)
  expect(await rules()).toMatchObject([{ weekday: 1 }, { weekday: 6 }])
})

test("a patient is squeezed in beside a taken time: the page asks, and the calendar marks it; Rule 17.6.11", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const start = inDays(8, 9)
  const uid = await world.booked(start)
  const other = await world.patient({ first_name: "Zora", last_name: "Zweite" })
  const { ask } = await asAdmin(server.current, world)
  const day = dayOf(start)
  const opened = await ask(`/console/practice?day=${day}&appointment=${uid}`)
  const [, link = ""] = /href="([^"]+squeeze=true[^"]*)"/.exec(opened.text) ?? []
  const found = await ask(`${unescaped(link)}&search=Zweite`)
  const [, patient = ""] = new RegExp(`href="([^"]+${other}[^"]*)"`).exec(found.text) ?? []
  const page = await ask(unescaped(patient))
  const form = page.text.slice(0, page.text.indexOf('name="squeeze_in"'))
  const fields = [...form.slice(form.lastIndexOf("<form")).matchAll(/name="([^"]+)" value="([^"]*)"/g)]
  expect(page.text).toContain("Squeeze")
  const sent = Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, unescaped(value)]))
  expect((await ask("/console/practice/do", { ...sent, squeeze_in: "true" })).status).toBe(303)
  const marked = await ask(`/console/practice?day=${day}`)
  expect(marked.text).toMatch(/Zora Zweite[^<]* · squeezed in/)
})
