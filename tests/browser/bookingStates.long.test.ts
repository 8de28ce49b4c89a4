import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { testBrowser } from "../support/browser.ts"
import { eventually } from "../support/eventually.ts"
import { examiner, looks, withLook } from "../support/examine.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const pageOf = (code: string) => `${server.current.url}/meet/booking/${code}`
const range = { from: inDays(1), to: inDays(9) }

const PARTNER = "https://partner.example"

/** Long names, and few times. */
const aPractice = async (doctors = 2, type = {}) => {
  const world = await makeWorld(server.current, {
    doctors,
    organisation: { embed_origins: [PARTNER] },
    type: { name: "Erstgespräch Schlafmedizin und Atmungsstörungen", duration_minutes: 180, ...type }
  })
  const { organisation_uid } = world
  const names = ["Dr. med. Maximiliane Freifrau von Hohenstein-Ludwigsburg", "Dr. Ünal"]
  await world.provision({
    doctors: world.doctors.map((uid, index) => ({
      uid,
      organisation_uid,
      display_name: names[index],
      email: `${uid}@example.org`
    }))
  })
  return world
}

const take = async (page: Page) => {
  await page.locator(".next button").click()
  await page.locator(".held").waitFor()
}
const confirm = (page: Page) => page.locator(".actions .primary").click()

/** Another patient takes the time that a page still shows as held, though its hold has expired. */
const takeAway = async (world: World, start_date: number) => {
  const otherSession = await world.session("rival")
  const held = await eventually(
    () => world.hold(otherSession, start_date),
    (answer) => answer.status === 200
  )
  await world.confirm(otherSession, held.body.hold_uid)
}

const expire = (world: World) =>
  server.current
    .sql`UPDATE booking_sessions SET expires_at = to_timestamp(0) WHERE organisation_uid = ${world.organisation_uid}`

describe.each(looks)("every state of the booking page %s", (_, look) => {
  const open = withLook(browser, look)

  test("is accessible: from the times to the confirmed appointment", async () => {
    const world = await aPractice()
    const examine = examiner(look)
    await world.booked(inDays(1), "p") // at the same time with the other doctor
    const { page } = await open(pageOf(await world.session("p", { ...range, return_url: "https://shop.example/" })))
    await examine(page, "times")
    await page.goto(`${page.url()}&parent=${encodeURIComponent(PARTNER)}`)
    expect(await page.locator("html.embedded").count()).toBe(1)
    await examiner(look)(page, "times, as the widget shows them")
    await take(page)
    await page.locator(".notice.warn button").waitFor()
    await examine(page, "details, with a warning")
    await page.goto(`${page.url().replace(/\?.*/, "")}?step=times`)
    await page.locator(".notice.held").waitFor()
    await examiner(look)(page, "times, while one is held")
    await page.locator(".notice.held a").click()
    await page.locator("textarea").waitFor()
    await confirm(page)
    await page.locator(".done").waitFor()
    await examine(page, "done")
  })

  test("is accessible: an expired hold, a taken time, no times left, an expired link", async () => {
    const world = await aPractice(1, { hold_ttl_seconds: 1 })
    const examine = examiner(look)
    const address = pageOf(await world.session("p", range))
    const { page } = await open(address)
    await take(page)
    await page.locator("[data-over]:visible").waitFor()
    await examine(page, "lapsed")
    await takeAway(world, inDays(1))
    await confirm(page)
    await page.locator(".notice[role=alert]").waitFor()
    await examine(page, "taken")
    await page.goto(pageOf(await world.session("q", { from: inDays(1) + 60, to: inDays(1) + 120 })))
    await page.locator(".empty").waitFor()
    await examine(page, "none left")
    const gone = pageOf(await world.session("gone", { ...range, return_url: "https://shop.example/" }))
    await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { active: false })
    await page.goto(gone)
    await examine(page, "type gone")
    await expire(world)
    await page.goto(gone)
    await examiner(look)(page, "expired, with a way back")
    await page.goto(address)
    await examine(page, "expired")
  })

  test("is accessible: while an appointment is moved", async () => {
    const world = await aPractice()
    const examine = examiner(look)
    const appointment_uid = await world.booked(inDays(2, 9), "mover")
    const { page } = await open(pageOf(await world.session("mover", { mode: "rebooking", appointment_uid })))
    await examine(page, "new times")
    await take(page)
    await examine(page, "new time")
    await confirm(page)
    await page.locator(".done").waitFor()
    await examine(page, "moved")
  })
})
