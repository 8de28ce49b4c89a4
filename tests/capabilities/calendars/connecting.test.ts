/** Connecting a calendar at the console, in the browser, with the presses counted: the provider is a stand-in that asks. */
import { afterAll, expect, test } from "bun:test"
import { calendarStandIn } from "../../../script/calendar/standIn.ts"
import { testBrowser } from "../../support/browser.ts"
import { eventually } from "../../support/eventually.ts"
import { ownServer } from "../../support/server.ts"
import { inDays, makeWorld } from "../../support/world.ts"
import { atConsole, desk } from "../console/support/consoleDesk.ts"

const there = calendarStandIn({ asks: true })
afterAll(() => there.stop())
const server = ownServer(there.settings)
const browser = testBrowser()

test("a doctor connects a calendar by three presses: it is read, and the appointments stand in it; Rule 3.15.2", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const start = inDays(2, 10)
  await world.booked(start)
  const { page, complaints } = await atConsole({ browser, at: server.current, world }, "doctor")
  const { at, press, link, button, send, action } = desk(page, server.current.url)
  await at("doctor/calendars")
  await action("Connect your calendar at Google or Microsoft", async () => {
    await press(link("Mit Google verbinden"))
    await press(button("Zulassen"))
    await page.waitForURL(/connected=ccn_/)
    await send("Speichern")
  })
  await eventually(
    async () => [...there.entries.values()],
    ([entry]) => entry?.start === start && entry.key !== null
  )
  there.set({ start: inDays(3, 9), end: inDays(3, 10) })
  await there.settled()
  await eventually(
    () => server.current.query("SELECT 1 FROM connected_times WHERE start_date = $1", [inDays(3, 9)]),
    (found) => found.length > 0
  )
  expect(complaints).toEqual([])
})
