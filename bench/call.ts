/**
 * `bun bench/call.ts`: what a call costs with two, three and four participants, each with the browser's own fake camera (640 × 480): what one
 * sends and receives, how busy their page is, and the time from the doctor's press to the newcomer's first pictures of all others. All
 * browsers and the service share this machine: compare rows of one run.
 */
import type { Page } from "playwright-core"
import { launchBrowser } from "../tests/support/browser.ts"
import { enterWaitingRoom } from "../tests/support/callers.ts"
import { pageLink } from "../tests/support/codes.ts"
import { callFigures, doctorsMeeting, openAppointment, watchCalls } from "../tests/support/meetings.ts"
import { startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { makeWorld } from "../tests/support/world.ts"

/** For how long traffic and processor time are counted, seconds. */
const SECONDS = 20
/** After which somebody's pictures do not come any more. */
const LONGEST_WAIT_MS = 60_000

await startTestServer()
const server = await startServer()
const world = await makeWorld(server)
const uid = await openAppointment(world)
// each participant's process is their own
const browsers = await Promise.all(Array.from({ length: 4 }, () => launchBrowser()))
const people: Array<Page> = []

const enter = async (address: string, press: (page: Page) => Promise<unknown>) => {
  const context = await browsers[people.length]?.newContext({ locale: "de-DE", viewport: { width: 1280, height: 800 } })
  const page = await context?.newPage()
  if (page === undefined) throw new Error("no page")
  await watchCalls(page)
  await page.goto(address)
  await press(page)
  people.push(page)
  return page
}

/** Milliseconds until the page has the pictures of all others. */
const untilPictures = async (page: Page, others: number) => {
  const start = performance.now()
  while ((await callFigures(page)).frames.filter((count) => count > 0).length < others) {
    if (performance.now() - start > LONGEST_WAIT_MS) throw new Error(`no pictures of all ${others} others`)
    await Bun.sleep(20)
  }
  return performance.now() - start
}

/** Bytes sent and received so far, and the page's seconds of work. */
const count = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send("Performance.enable")
  const { metrics } = await session.send("Performance.getMetrics")
  const seconds = metrics.find(({ name }) => name === "ProcessTime")?.value ?? 0
  const [sent = 0, received = 0] = await page.evaluate(async () => {
    const calls: ReadonlyArray<RTCPeerConnection> = Reflect.get(window, "calls")
    const reports = await Promise.all(calls.map((call) => call.getStats()))
    const pairs = reports.flatMap((report) => [...report.values()].filter(({ type }) => type === "transport"))
    return [
      pairs.reduce((sum, { bytesSent }) => sum + bytesSent, 0),
      pairs.reduce((sum, { bytesReceived }) => sum + bytesReceived, 0)
    ]
  })
  return { sent, received, seconds }
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const measure = async (waited: number) => {
  await Bun.sleep(10_000)
  const before = await Promise.all(people.map(count))
  await Bun.sleep(SECONDS * 1_000)
  const after = await Promise.all(people.map(count))
  const rate = (of: (figures: (typeof after)[number]) => number, per: number) =>
    median(after.map((figures, at) => (of(figures) - of(before[at] ?? figures)) * per))
  const kbit = (of: (figures: (typeof after)[number]) => number) => rate(of, 8 / 1_000 / SECONDS).toFixed(0)
  const busy = rate(({ seconds }) => seconds, 100 / SECONDS)
  console.log(
    `| ${people.length} | ${kbit(({ sent }) => sent)} | ${kbit(({ received }) => received)} | ${busy.toFixed(0)} | ${waited.toFixed(0)} |`
  )
}

const patient = await enter(await pageLink(server, uid, "join"), enterWaitingRoom)
const doctor = await enter(await doctorsMeeting(server, world, uid), (page) =>
  page.getByRole("button", { name: "Sprechzimmer öffnen" }).click()
)
console.log(
  "| people | each sends, kbit/s | each receives, kbit/s | processor of one's page, % of a core | first pictures, ms |"
)
console.log("| --- | --- | --- | --- | --- |")
await doctor.getByRole("button", { name: "Hereinbitten" }).click()
await measure(await untilPictures(patient, 1))
for (const name of ["Ana", "Bo"]) {
  const guest = await world.api("POST", `/v1/management/scheduling/appointments/${uid}/guests`, {
    role: "relative",
    name
  })
  const page = await enter(guest.body.url, async (entering) => {
    await entering.getByRole("button", { name: "Ich behalte alles für mich und trete ein" }).click()
    await entering.getByRole("button", { name: "Wartezimmer betreten" }).click()
  })
  await patient.getByRole("button", { name: `Einverstanden: ${name}` }).click()
  await doctor.getByRole("button", { name: `Hereinbitten: ${name}` }).click()
  await measure(await untilPictures(page, people.length - 1))
}
await Promise.all(browsers.map((browser) => browser.close()))
await server.stop()
process.exit(0)
