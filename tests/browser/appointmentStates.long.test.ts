import { describe, test } from "bun:test"
import { testBrowser } from "../support/browser.ts"
import { pageLink } from "../support/codes.ts"
import { examiner, looks, withLook } from "../support/examine.ts"
import { openAppointment } from "../support/meetings.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, type WorldOptions } from "../support/world.ts"

const server = testServer()
const browser = testBrowser()

const practice = (type: WorldOptions["type"] = {}) => makeWorld(server.current, { type })
const link = (uid: string, action: "join" | "cancel" | "rebook") => pageLink(server.current, uid, action)

/** An appointment that starts this many seconds from now, alone in its practice, so that none overlaps another. */
const starting = async (seconds: number) => {
  const world = await practice()
  const start_date = Math.floor(Date.now() / 1000) + seconds
  return { world, uid: await openAppointment(world, "Testa", { start_date, end_date: start_date + 1200 }) }
}

describe.each(looks)("every state of the appointment page %s", (_, look) => {
  const open = withLook(browser, look)

  test("is accessible: before the appointment, while its room is open, and afterwards", async () => {
    const examine = examiner(look)
    const soon = await starting(1500)
    const { page } = await open(await link(soon.uid, "join"))
    await examine(page, "opens within the hour")
    const now = await starting(0)
    await page.goto(await link(now.uid, "join"))
    await examine(page, "open")
    const past = await starting(-9_000)
    await page.goto(await link(past.uid, "join"))
    await examine(page, "over")
    await page.goto(`${server.current.url}/meet/appointment/aac_unknown`)
    await examine(page, "unknown")
  })

  test("is accessible: days before the appointment, and while cancelling", async () => {
    const examine = examiner(look)
    const world = await practice()
    const uid = await world.booked(inDays(2, 10), "p")
    const { page } = await open(await link(uid, "join"))
    await examine(page, "opens on a later day")
    await page.goto(await link(uid, "cancel"))
    await examine(page, "cancel")
    await page.locator("button[value=cancel]").click()
    await page.locator(".done").waitFor()
    await examine(page, "cancelled")
  })

  test("is accessible: while moving, and when it can no longer be moved or cancelled", async () => {
    const examine = examiner(look)
    const lenient = await practice()
    const { page } = await open(await link(await lenient.booked(inDays(2, 10), "p"), "rebook"))
    await examine(page, "move")
    const strict = await practice({ cancellation_min_notice_minutes: 10_000, rebooking_min_notice_minutes: 10_000 })
    const uid = await strict.booked(inDays(2, 10), "p")
    await page.goto(await link(uid, "rebook"))
    await examine(page, "not to be moved")
    await page.goto(await link(uid, "cancel"))
    await examine(page, "not to be cancelled")
  })
})
