/** Calendars of real servers: Radicale for CalDAV, a plain web server for a file (Rule 3.12). */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "../../support/eventually.ts"
import { freePort } from "../../support/ports.ts"
import { type Running, run, temporaryFolder } from "../../support/processes.ts"
import { ownServer } from "../../support/server.ts"
import { DAY, makeWorld, random } from "../../support/world.ts"

const server = ownServer({ SANDBOX: "true" })
const folder = temporaryFolder()
const [davPort, webPort] = [freePort(), freePort()]
const running: Array<Running> = []
const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false
  )
beforeAll(async () => {
  const users = join(folder.path, "users")
  writeFileSync(users, "ada:correct horse\n")
  mkdirSync(join(folder.path, "web"))
  running.push(
    run([
      "radicale",
      "--config=",
      `--server-hosts=127.0.0.1:${davPort}`,
      `--storage-filesystem-folder=${join(folder.path, "collections")}`,
      "--auth-type=htpasswd",
      `--auth-htpasswd-filename=${users}`,
      "--auth-htpasswd-encryption=plain"
    ]),
    run([
      "python3",
      "-m",
      "http.server",
      String(webPort),
      "--bind",
      "127.0.0.1",
      "--directory",
      join(folder.path, "web")
    ])
  )
  await eventually(
    async () => (await answers(`http://127.0.0.1:${davPort}/`)) && (await answers(`http://127.0.0.1:${webPort}/`)),
    (is) => is,
    60
  )
})
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()))
  folder.remove()
})

const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, "")
const calendarOf = (...events: ReadonlyArray<ReadonlyArray<string>>) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", ...events.flat(), "END:VCALENDAR", ""].join("\r\n")
const eventOf = (uid: string, start: number, ...more: ReadonlyArray<string>) => [
  "BEGIN:VEVENT",
  `UID:${uid}`,
  "DTSTAMP:20260101T000000Z",
  `DTSTART:${stamp(start)}`,
  "DURATION:PT30M",
  ...more,
  "END:VEVENT"
]

const scene = async (source: Readonly<Record<string, unknown>>) => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const base = `/v1/management/scheduling/doctors/${world.doctor}/busy-sources`
  const created = await world.api("POST", base, { name: "Hospital", ...source })
  expect(created.status).toBe(201)
  const at = `${base}/${created.body.uid}`
  const status = (wanted: string) =>
    eventually(
      async () => (await world.api("GET", at)).body,
      (found) => found.status === wanted
    )
  const starts = async () =>
    (
      await server.current.query<{ start: number }>(
        "SELECT extract(epoch FROM start_date)::int AS start FROM busy_ranges WHERE source_uid = $1 ORDER BY start_date",
        [created.body.uid]
      )
    ).map(({ start }) => start)
  /** Reads again, until these are the starts. */
  const becomes = async (expected: ReadonlyArray<number>) => {
    expect((await world.api("POST", `${at}/refresh`)).status).toBe(202)
    await eventually(starts, (found) => JSON.stringify(found) === JSON.stringify(expected))
  }
  return { world, at, status, starts, becomes }
}
const day = () => Math.floor(Date.now() / 1000 / DAY + 3) * DAY + 9 * 3600

test("Radicale: a collection is read with its series and exceptions, again when it changes, and not without the password", async () => {
  const collection = `http://127.0.0.1:${davPort}/ada/${random("rota")}/`
  const dav = (method: string, path: string, body: string) =>
    fetch(collection + path, {
      method,
      body,
      headers: { authorization: `Basic ${btoa("ada:correct horse")}`, "content-type": "text/calendar" }
    })
  expect((await dav("MKCALENDAR", "", "")).status).toBe(201)
  const start = day()
  const series = calendarOf(
    eventOf("series", start, "RRULE:FREQ=DAILY;COUNT=4", `EXDATE:${stamp(start + DAY)}`),
    eventOf("series", start + 2 * DAY + 7200, `RECURRENCE-ID:${stamp(start + 2 * DAY)}`)
  )
  expect((await dav("PUT", "series.ics", series)).status).toBe(201)
  expect((await dav("PUT", "single.ics", calendarOf(eventOf("single", start + 3600)))).status).toBe(201)
  const caldav = { kind: "caldav", url: collection, username: "ada", password: "correct horse" }
  const { status, starts, becomes, world, at } = await scene(caldav)
  expect(await status("current")).toMatchObject({ last_error: null, events: 4 })
  const four = [start, start + 3600, start + 2 * DAY + 7200, start + 3 * DAY]
  expect(await starts()).toEqual(four)
  // nothing has changed: the tag is the same
  await becomes(four)
  expect((await dav("PUT", "another.ics", calendarOf(eventOf("another", start + 9000)))).status).toBe(201)
  await becomes([start, start + 3600, start + 9000, ...four.slice(2)])
  expect((await dav("DELETE", "single.ics", "")).status).toBe(200)
  await becomes([start, start + 9000, ...four.slice(2)])
  await world.api("PATCH", at, { password: "wrong" })
  expect((await status("failing")).last_error).toMatch(/password/)
  expect(await starts()).toHaveLength(4)
})

test("a plain web server: a file is read, and again when it has changed", async () => {
  const name = `${random("calendar")}.ics`
  const path = join(folder.path, "web", name)
  const start = day()
  writeFileSync(path, calendarOf(eventOf("one", start)))
  const { status, starts, becomes } = await scene({ kind: "ics", url: `http://127.0.0.1:${webPort}/${name}` })
  await status("current")
  expect(await starts()).toEqual([start])
  writeFileSync(path, calendarOf(eventOf("one", start + 7200), eventOf("two", start + 3 * 3600)))
  await becomes([start + 7200, start + 3 * 3600])
})
