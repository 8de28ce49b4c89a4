/**
 * `bun run pagespeed [--runs 9]`: the transfer size of the booking page, and its largest contentful paint on a slow
 * phone: slow 4G as in Lighthouse (150 ms, 1.6 Mbit/s down, 750 kbit/s up), a CPU slowed down four times, an empty
 * cache. Prints the table of docs/performance.md; exits with 1 above 12 kB or 1.2 s.
 */
import { parseArgs } from "node:util"
import { launchBrowser } from "../tests/support/browser.ts"
import { startServer } from "../tests/support/server.ts"
import { inDays, makeWorld } from "../tests/support/world.ts"

const { values } = parseArgs({ options: { runs: { type: "string", default: "9" } } })
const [MOST_BYTES, MOST_MS] = [12_000, 1_200]

const server = await startServer({ RATE_LIMIT_PER_SECOND: "0" })
const world = await makeWorld(server, { doctors: 3, organisation: { timezone: "Europe/Berlin" } })
const code = await world.session("patient", { from: inDays(1), to: inDays(30) })
const browser = await launchBrowser()

const visit = async (language: string) => {
  const context = await browser.newContext({ locale: language, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send("Network.enable")
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true })
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 1.6e6 / 8,
    uploadThroughput: 750e3 / 8
  })
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 })
  let bytes = 0
  let requests = 0
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests++
  })
  await page.goto(`${server.url}/meet/booking/${code}`, { waitUntil: "networkidle" })
  const painted = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
          type: "largest-contentful-paint",
          buffered: true
        })
      })
  )
  await context.close()
  return { bytes, requests, painted }
}

const median = (numbers: ReadonlyArray<number>) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

let failed = false
console.info("| language | requests | over the wire | largest paint, median | worst |\n| --- | --- | --- | --- | --- |")
for (const language of ["de", "ar"]) {
  await visit(language) // warm-up: one-time work of the server is not measured
  const runs: Array<Awaited<ReturnType<typeof visit>>> = []
  for (let run = 0; run < Number(values.runs); run++) runs.push(await visit(language))
  const painted = runs.map((run) => run.painted)
  const [bytes, middle] = [Math.max(...runs.map((run) => run.bytes)), median(painted)]
  failed ||= bytes > MOST_BYTES || !(middle <= MOST_MS)
  const ms = (time: number) => `${Math.round(time)} ms`
  console.info(
    `| ${language} | ${runs[0]?.requests} | ${(bytes / 1000).toFixed(1)} kB | ${ms(middle)} | ${ms(Math.max(...painted))} |`
  )
}
await browser.close()
await server.stop()
process.exit(failed ? 1 : 0)
