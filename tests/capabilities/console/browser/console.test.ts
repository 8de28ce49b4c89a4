/** Live parts of the console's pages: updates without a reload, a lost connection, dragging. */
import { expect, onTestFinished, test } from "bun:test"
import { accessibilityFaults, testBrowser } from "../../../support/browser.ts"
import { pageLink } from "../../../support/codes.ts"
import { cuttable } from "../../../support/cuttable.ts"
import { connect, openAppointment } from "../../../support/meetings.ts"
import { place } from "../../../support/provisioned.ts"
import { isLong } from "../../../support/scale.ts"
import { testServer } from "../../../support/server.ts"
import { dayOf, inDays, makeWorld, type World } from "../../../support/world.ts"
import { atConsole } from "../support/consoleDesk.ts"

const server = testServer()
const browser = testBrowser()

const enter = (world: World, role: "admin" | "doctor") =>
  atConsole({ browser, at: server.current, world }, role, { locale: "en-GB" })
const weekOf = (start: number) => `/console/practice?view=week&day=${new Date(start * 1000).toISOString().slice(0, 10)}`

if (isLong)
  test("a lost connection is shown, reconnects, and shows what was booked in between; Rule 17.3.1", async () => {
    const world = await makeWorld(server.current, { doctors: 1 })
    const { page } = await enter(world, "admin")
    const way = await cuttable(Number(new URL(server.current.url).port))
    onTestFinished(way.stop)
    const start = inDays(8, 9)
    const cut = page.getByText("No connection")
    // a gateway whose service is being replaced
    const stream = /\/live\?/
    await page.route(stream, (route) => route.fulfill({ status: 502 }))
    await page.goto(way.url + weekOf(start))
    await cut.waitFor()
    await page.unroute(stream)
    await cut.waitFor({ state: "hidden" })
    way.cut()
    await cut.waitFor()
    await world.booked(start)
    way.mend()
    await page.getByRole("link", { name: /Testa/ }).waitFor()
    await cut.waitFor({ state: "hidden" })
  })

if (isLong)
  test("an update keeps the focus on its record, and drops it when the record is gone; Rule 17.3.1", async () => {
    const world = await makeWorld(server.current, { doctors: 1 })
    const now = Math.floor(Date.now() / 1000)
    await openAppointment(world, "Anna")
    const berta = await openAppointment(world, "Berta", { start_date: now - 700, end_date: now - 100 })
    const carl = await openAppointment(world, "Carl", { start_date: now - 1400, end_date: now - 800 })
    const complete = (uid: string) => world.api("POST", `/v1/management/scheduling/appointments/${uid}/complete`)
    const { page, complaints } = await enter(world, "doctor")
    const button = (name: string) => page.getByRole("link", { name: `Took place: ${name} Patient` })
    await button("Berta").focus()
    expect((await complete(carl)).status).toBe(200)
    await button("Carl").waitFor({ state: "detached" })
    expect(await button("Berta").evaluate((one) => one === document.activeElement)).toBe(true)
    await complete(berta)
    await button("Berta").waitFor({ state: "detached" })
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("content")
    await button("Anna").waitFor()
    expect(complaints).toEqual([])
  })

test("a change that comes while the mouse is pressed is shown after its release where the page was scrolled to; Rule 17.3.1", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const start = inDays(8, 9)
  const uid = await world.booked(start)
  const { page } = await enter(world, "admin")
  await page.goto(server.current.url + weekOf(start))
  const other = await page.context().newPage()
  await other.goto(server.current.url + weekOf(start))
  const times = (of: typeof page) => of.locator("[data-move]")
  const pressed = times(page).first()
  await pressed.hover()
  await page.mouse.down()
  await pressed.evaluate((one) => one.setAttribute("data-probe", ""))
  // the first has reached both pages when the other one shows the second
  for (const booked of [2, 3]) {
    await world.booked(start + booked * 3600, `customer-${booked}`)
    await times(other)
      .nth(booked - 1)
      .waitFor()
  }
  expect(await page.locator(`[data-move="${uid}"][data-probe]`).count()).toBe(1)
  await page.mouse.move(0, 0)
  const scrolled = page.locator(".table-scroll")
  const height = await scrolled.evaluate((one) => {
    one.scrollTo(0, 120)
    return one.scrollTop
  })
  expect(height).toBe(120)
  await page.mouse.up()
  await times(page).nth(2).waitFor()
  // the calendar stays where it was scrolled to
  expect(await scrolled.evaluate((one) => one.scrollTop)).toBe(height)
})

test("the practice moves an appointment by dragging it to a free time, and is asked first; Rule 17.6.7", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const start = inDays(8, 9)
  const uid = await world.booked(start)
  const { page, complaints } = await enter(world, "admin")
  await page.goto(server.current.url + weekOf(start))
  const place = page.locator(`[data-drop="${start + 1200}.${world.doctor}"]`)
  // the calendar opens at the time of day at which the test runs
  await place.evaluate((one) => one.scrollIntoView({ block: "center" }))
  await page.locator(`[data-move="${uid}"]`).hover()
  await page.mouse.down()
  // twice: a drag that begins with the last movement never comes to its place
  await place.hover()
  await place.hover()
  await page.mouse.up()
  // a question, before which nothing is changed
  await page.getByText(/^Move to /).waitFor()
  const before = await world.api("GET", "/v1/management/scheduling/appointments")
  expect(before.body.data.map((one: { start_date: number }) => one.start_date)).toEqual([start])
  await page.getByRole("button", { name: "Move", exact: true }).click()
  await page.locator("[data-done]").waitFor()
  const { body } = await world.api("GET", "/v1/management/scheduling/appointments")
  expect(body.data.map((one: { start_date: number }) => one.start_date)).toEqual([start + 1200])
  expect(complaints).toEqual([])
})

test("a doctor moves an own appointment by dragging it within the week, and is asked first; Rule 17.6.33", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const start = inDays(8, 9)
  const uid = await world.booked(start)
  const { page, complaints } = await enter(world, "doctor")
  await page.goto(`${server.current.url}/console/doctor/week?week=${dayOf(start)}`)
  const place = page.locator(`[data-drop="${start + 1200}.${world.doctor}"]`)
  await place.evaluate((one) => one.scrollIntoView({ block: "center" }))
  await page.locator(`[data-move="${uid}"]`).hover()
  await page.mouse.down()
  // twice: a drag that begins with the last movement never comes to its place
  await place.hover()
  await place.hover()
  await page.mouse.up()
  await page.getByText(/^Move to /).waitFor()
  const starts = async () =>
    (await world.api("GET", "/v1/management/scheduling/appointments")).body.data.map(
      (one: { start_date: number }) => one.start_date
    )
  expect(await starts()).toEqual([start])
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole("button", { name: "Move", exact: true }).click()
  await page.locator("[data-done]").waitFor()
  expect(await starts()).toEqual([start + 1200])
  expect(complaints).toEqual([])
})

test("a day from 8 to 18 h fits 1440 × 900, and a visit of ten minutes shows its name; Rule 17.6.6", async () => {
  const world = await makeWorld(server.current, { doctors: 1, type: { duration_minutes: 10 }, hours: [480, 1080] })
  const start = inDays(8, 9)
  await world.booked(start)
  const { page } = await enter(world, "admin")
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${server.current.url}${weekOf(start)}`)
  const name = page.locator(".entry-at b")
  expect(await name.textContent()).toMatch(/ Testa/)
  const seen = await page.evaluate(() => {
    const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
    const grid = document.querySelector(".table-scroll")
    const [entry, lines] = [box(".entry-at .entry-booked"), box(".entry-at .lines")]
    return {
      page: document.documentElement.scrollHeight,
      hidden: (grid?.scrollHeight ?? 0) - (grid?.clientHeight ?? 0),
      line: Math.min(lines.height, entry.bottom - lines.top)
    }
  })
  expect(seen.page).toBe(900)
  expect(seen.hidden).toBe(0)
  expect(seen.line).toBeGreaterThan(9)
})

test("a patient's card with a long history is below 2,000 pixels at 1440 × 900", async () => {
  const world = await makeWorld(server.current, { doctors: 2 })
  const patient = await world.patient({ first_name: "Ada", last_name: "Kern" })
  for (let week = 1; week <= 12; week++)
    await place(world, patient, { status: "completed", start_date: inDays(-7 * week, 9) })
  const { page } = await enter(world, "admin")
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${server.current.url}/console/practice/patients/${patient}`)
  expect(await page.locator("[aria-labelledby=history] li").count()).toBe(12)
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2_000)
})

test("in a narrow column the name of who waits stays beside its time", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await openAppointment(world, "Wilhelmine-Charlotte")
  const code = (await pageLink(server.current, uid, "join")).split("/").at(-1)
  const { body } = await server.current.api("POST", `/v1/scheduling/appointment-actions/${code}/join`)
  const patient = connect(server.current, body.room_name, body.token)
  onTestFinished(() => patient.close())
  const { page } = await enter(world, "admin")
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto(server.current.url + weekOf(Math.floor(Date.now() / 1000)))
  const name = page.locator(".entry-booked.waiting b")
  await name.waitFor()
  const { y: top = 0, height = 0 } = (await name.boundingBox()) ?? {}
  const entry = (await page.locator(".entry-booked.waiting").boundingBox()) ?? { y: 0, height: 0 }
  expect(top + height).toBeLessThanOrEqual(entry.y + entry.height + 1)
})

test("on a phone the calendar begins in the upper third", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const { page } = await enter(world, "admin")
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.current.url}/console/practice`)
  expect((await page.locator(".table-scroll:has([data-grid])").boundingBox())?.y).toBeLessThan(844 / 3)
})

test("a patient who enters the waiting room is counted in the window's title, with a tone on wish; Rule 17.6.10", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await openAppointment(world)
  const { page, complaints } = await enter(world, "doctor")
  await page.evaluate(() => {
    Object.assign(window, { tones: 0 })
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (...at) {
      Reflect.set(window, "tones", Reflect.get(window, "tones") + 1)
      start.apply(this, at)
    }
  })
  const title = await page.title()
  await page.getByRole("button", { name: "Play a sound when somebody waits" }).click()
  const code = (await pageLink(server.current, uid, "join")).split("/").at(-1)
  const { body } = await server.current.api("POST", `/v1/scheduling/appointment-actions/${code}/join`)
  const patient = connect(server.current, body.room_name, body.token)
  await page.getByText("waiting since").waitFor()
  expect(await page.title()).toBe(`(1) ${title}`)
  // one for the press, one for the patient
  expect(await page.evaluate(() => Reflect.get(window, "tones"))).toBe(2)
  patient.close()
  await page.getByText("Nobody is waiting.").waitFor()
  expect(await page.title()).toBe(title)
  expect(complaints).toEqual([])
})

test("patients who fit appear from the third letter on, without a press; Rule 17.6.2", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await world.patient({ first_name: "Ottilie", last_name: "Kern" })
  await world.patient({ first_name: "Bruno", last_name: "Vogt" })
  const { page, complaints } = await enter(world, "admin")
  await page.goto(`${server.current.url}/console/practice/patients`)
  await page.clock.install()
  const searches: Array<string | null> = []
  page.on("request", (request) => searches.push(new URL(request.url()).searchParams.get("search")))
  const field = page.locator("main").getByRole("searchbox")
  const found = page.locator("[data-found] a.grow")
  expect(await found.count()).toBe(2)
  await field.fill("ke")
  await page.clock.runFor(2_000)
  await field.fill("ker")
  await page.clock.runFor(2_000)
  await found.nth(1).waitFor({ state: "detached" })
  expect(await found.allTextContents()).toEqual(["Ottilie Kern"])
  expect(searches.filter((search) => search !== null)).toEqual(["ker"])
  expect(complaints).toEqual([])
})

test("on a phone a doctor's week opens at today and now", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await openAppointment(world)
  const { page } = await enter(world, "doctor")
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.current.url}/console/doctor/week`)
  // at once: the page is live, and may be replaced in between
  const [grid, ...boxes] = await page.evaluate(() =>
    [".table-scroll:has([data-grid])", ".time-now", ".time-column.today"].map((selector) => {
      const box = document.querySelector(selector)?.getBoundingClientRect()
      return { from: box?.left ?? -1, to: box?.right ?? -1 }
    })
  )
  for (const { from, to } of boxes) {
    expect(from).toBeGreaterThanOrEqual(grid?.from ?? 0)
    expect(to).toBeLessThanOrEqual((grid?.to ?? 0) + 1)
  }
})
