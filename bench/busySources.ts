/**
 * `bun bench/busySources.ts`: the processor time of reading 1,000 calendars kept elsewhere once, as the service does every ten minutes: where
 * an event of each has moved, and where nothing has changed. Each has 180 single events and 20 series, with a zone's definition; a tenth is read by
 * CalDAV. The calendars are served by this process, which is not counted.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DAY, MINUTE } from "../src/schemas/seconds.ts"
import { runFolder } from "../tests/support/postgres.ts"
import { startService } from "../tests/support/processes.ts"
import { startServer } from "../tests/support/server.ts"
import { makeWorld, type World } from "../tests/support/world.ts"
import { familyProcessorOf, inLanes, processorOf } from "./harness/measure.ts"

const [ORGANISATIONS, DOCTORS, SOURCES] = [5, 100, 1_000]
const [SINGLE, SERIES] = [180, 20]
/** Every so many sources one is read by CalDAV. */
const COLLECTION_EVERY = 10

const today = Math.floor(Date.now() / 1000 / DAY) * DAY
const utc = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, "")
const local = (seconds: number) => utc(seconds).slice(0, -1)

const ZONE = [
  "BEGIN:VTIMEZONE",
  "TZID:Europe/Berlin",
  "BEGIN:DAYLIGHT",
  "TZOFFSETFROM:+0100",
  "TZOFFSETTO:+0200",
  "DTSTART:19810329T020000",
  "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
  "END:DAYLIGHT",
  "BEGIN:STANDARD",
  "TZOFFSETFROM:+0200",
  "TZOFFSETTO:+0100",
  "DTSTART:19961027T030000",
  "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
  "END:STANDARD",
  "END:VTIMEZONE"
]
const calendarOf = (events: ReadonlyArray<string>) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Rota//EN", ...ZONE, ...events, "END:VCALENDAR", ""].join("\r\n")
const event = (uid: string, ...lines: ReadonlyArray<string>) => [
  "BEGIN:VEVENT",
  `UID:${uid}@rota.example`,
  `DTSTAMP:${utc(today)}`,
  ...lines,
  "SUMMARY:Dienst auf Station",
  "END:VEVENT"
]

/** The events of one calendar, each as its lines; they lie elsewhere in each calendar, and the first one in each version. */
const eventsOf = (source: number, version: number): ReadonlyArray<ReadonlyArray<string>> => {
  const minuteOf = (at: number) => 6 * 60 + ((at * 7 + source * 13 + (at === 0 ? version : 0)) % (12 * 12)) * 5
  const singles = Array.from({ length: SINGLE }, (_, at) => {
    const start = today + Math.round((at * 430) / SINGLE - 30) * DAY + minuteOf(at) * MINUTE
    return event(`${source}-${at}`, `DTSTART:${utc(start)}`, `DTEND:${utc(start + (at % 4) * 900 + 1_800)}`)
  })
  // begun a year ago; one in five on all working days, the others weekly; one date is left out, and of some another is moved
  const series = Array.from({ length: SERIES }, (_, at) => {
    const uid = `${source}-series-${at}`
    const first = today + (at - 365) * DAY + minuteOf(at) * MINUTE
    const zoned = (name: string, seconds: number) => `${name};TZID=Europe/Berlin:${local(seconds)}`
    const own = event(
      uid,
      zoned("DTSTART", first),
      zoned("DTEND", first + 2_700),
      `RRULE:FREQ=WEEKLY${at % 5 === 0 ? ";BYDAY=MO,TU,WE,TH,FR" : ""}`,
      zoned("EXDATE", first + 56 * 7 * DAY)
    )
    if (at % 4 !== 0) return own
    const moved = first + 60 * 7 * DAY
    const to = moved + DAY + 3_600
    return [...own, ...event(uid, zoned("RECURRENCE-ID", moved), zoned("DTSTART", to), zoned("DTEND", to + 2_700))]
  })
  return [...singles, ...series]
}

let version = 0
/** Requests, and those that were answered with a whole calendar. */
let [requests, sent] = [0, 0]
const XML = { "content-type": "application/xml; charset=utf-8" }
const multistatus = (content: string) =>
  new Response(
    `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/">${content}</d:multistatus>`,
    { status: 207, headers: XML }
  )
const propertyOf = (content: string) =>
  `<d:response><d:propstat><d:prop>${content}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
const web = Bun.serve({
  port: 0,
  fetch: ({ url, method, headers }) => {
    requests++
    const source = Number(new URL(url).pathname.slice(1))
    const tag = `"${version}"`
    if (method === "PROPFIND") return multistatus(propertyOf(`<cs:getctag>${version}</cs:getctag>`))
    if (headers.get("if-none-match") === tag) return new Response(null, { status: 304 })
    sent++
    const events = eventsOf(source, version)
    return method === "REPORT"
      ? multistatus(events.map((one) => propertyOf(`<c:calendar-data>${calendarOf(one)}</c:calendar-data>`)).join("\n"))
      : new Response(calendarOf(events.flat()), { headers: { etag: tag, "content-type": "text/calendar" } })
  }
})

const server = await startServer({ ROLE: "http" })
const postmaster = Number(readFileSync(join(runFolder(), "data", "postmaster.pid"), "utf8").split("\n")[0])
const worlds: Array<World> = []
for (let at = 0; at < ORGANISATIONS; at++) worlds.push(await makeWorld(server, { doctors: DOCTORS }))
await inLanes(SOURCES, 8, async (source) => {
  const world = worlds[source % ORGANISATIONS] as World
  const doctor = world.doctors[Math.floor(source / ORGANISATIONS) % DOCTORS]
  const { status } = await world.api("POST", `/v1/management/scheduling/doctors/${doctor}/busy-sources`, {
    kind: source % COLLECTION_EVERY === 0 ? "caldav" : "ics",
    name: "Rota",
    url: `http://127.0.0.1:${web.port}/${source}`
  })
  if (status !== 201) throw new Error(`A source was not made: ${status}`)
})

const service = await startService({
  DATABASE_URL: server.databaseUrl,
  DATA_DIR: join(runFolder(), "busy-sources"),
  ROLE: "worker",
  WEBHOOK_ALLOW_PRIVATE: "true"
})
const processor = () => [processorOf(service.pid), familyProcessorOf(postmaster)] as const

/** Until every source has been read since the moment. */
const allRead = async (moment: number) => {
  for (;;) {
    const [found] = await server.query<{ current: number; failing: number }>(
      `SELECT count(*) FILTER (WHERE last_success_at >= to_timestamp($1) AND next_read_at > now())::int AS current,
        count(*) FILTER (WHERE fault IS NOT NULL)::int AS failing FROM busy_sources`,
      [moment]
    )
    if (found === undefined || found.failing > 0) throw new Error(`${found?.failing} sources are failing`)
    if (found.current === SOURCES) return
    await Bun.sleep(500)
  }
}
/** Makes all due, as they are once in ten minutes, and waits until the job has read them. */
const round = async (name: string) => {
  await Bun.sleep(2_000)
  const [requestsBefore, sentBefore, begun] = [requests, sent, processor()]
  const moment = Math.floor(Date.now() / 1000)
  await server.query("UPDATE busy_sources SET next_read_at = to_timestamp($1)", [moment])
  await allRead(moment)
  const ended = processor()
  const [ofService, ofDatabase] = [0, 1].map((at) => ((ended[at] ?? 0) - (begun[at] ?? 0)) / 1000)
  console.log(
    `${name}: ${requests - requestsBefore} requests, ${sent - sentBefore} calendars, ${ofService?.toFixed(1)} + ${ofDatabase?.toFixed(1)} s of processor time (service + PostgreSQL)`
  )
}

// each is read once after it was made; the counted rounds begin where none is being read
await allRead(0)
console.log(`${SOURCES} sources were made and read`)
version++
await round(`${SOURCES} sources, an event of each moved`)
await round(`${SOURCES} sources, nothing changed`)
const [stored] = await server.query<{ ranges: number }>(
  "SELECT count(*)::int AS ranges FROM claims WHERE claimant = 'calendar'"
)
console.log(`${stored?.ranges} ranges are stored`)
await service.stop()
await server.stop()
web.stop(true)
process.exit(0)
