/** Calendars that are made to hold the service: they are parsed in a thread of their own, within bounds. Rule 3.12.4. */
import { afterAll, expect, test } from "bun:test"
import { Effect, Either, Layer, ManagedRuntime } from "effect"
import { CalendarServersLive } from "../../../../src/capabilities/calendars/layers/reading/CalendarServersLive.ts"
import { CalendarServers } from "../../../../src/capabilities/calendars/services/CalendarServers.ts"
import { configuredAddresses } from "../../../../src/layers/outgoing/ConfiguredAddressesLive.ts"

/** What is answered to each method. */
let answers: Readonly<Record<string, string>> = {}
const web = Bun.serve({ port: 0, fetch: ({ method }) => new Response(answers[method] ?? "") })
const runtime = ManagedRuntime.make(Layer.provide(CalendarServersLive, configuredAddresses({ allowPrivate: true })))
afterAll(() => Promise.all([web.stop(true), runtime.dispose()]))

const request = {
  url: web.url.href,
  username: null,
  password: null,
  tag: null,
  timezone: "Europe/Berlin",
  from: 0,
  to: 100 * 86_400,
  now: 0,
  all_day_blocks: true
}
/** How many events a calendar has, or why it could not be read. */
const outcome = async (kind: "ics" | "caldav", given: Readonly<Record<string, string>>) => {
  answers = given
  const read = Effect.flatMap(CalendarServers, (reader) => Effect.either(reader.read({ kind, ...request })))
  return Either.match(await runtime.runPromise(read), {
    onLeft: ({ fault }) => fault,
    onRight: (content) => (content === "unchanged" ? content : content.events)
  })
}

const multistatus = (content: string) => `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:x">${content}</d:multistatus>`
const event = ["BEGIN:VEVENT", "UID:a", "DTSTART:19700105T090000Z", "DTEND:19700105T100000Z", "END:VEVENT"]
const file = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:a", ...event, "END:VCALENDAR"].join("\r\n")
const found = (text: string) => multistatus(`<d:response><c:calendar-data>${text}</c:calendar-data></d:response>`)
const PROPFIND = multistatus("<d:response><d:sync-token>1</d:sync-token></d:response>")

test("a collection is read", async () => {
  expect(await outcome("caldav", { PROPFIND, REPORT: found(file) })).toBe(1)
})

// Shows: a calendar made to exhaust the processor or the memory
test("XML of empty elements, of nested ones, with entities or of nothing but signs is refused within its bounds", async () => {
  const many = "<a/>".repeat(2_400_000)
  for (const hostile of [multistatus(many), many])
    for (const given of [
      { PROPFIND: hostile, REPORT: found(file) },
      { PROPFIND, REPORT: hostile }
    ])
      expect(await outcome("caldav", given)).toBe("too_large")
  const entities = `<!DOCTYPE a [<!ENTITY a "${"b".repeat(1_000)}">]>${found("&a;".repeat(100_000))}`
  const others = [
    entities,
    "<a>".repeat(100_000),
    `<${"a".repeat(9_000_000)}`,
    `<a ${"b ".repeat(4_000_000)}`,
    `<a>${"&".repeat(9_000_000)}</a>`,
    `<a>${"<!--".repeat(2_000_000)}</a>`,
    `<a>${"<![CDATA[".repeat(1_000_000)}</a>`
  ]
  // too large: on a busy machine the parser does not get through it in its time
  for (const REPORT of others)
    expect([REPORT.slice(0, 20), await outcome("caldav", { PROPFIND, REPORT })]).toEqual([
      REPORT.slice(0, 20),
      expect.stringMatching(/^(not_a_calendar|too_large)$/)
    ])
  expect(await outcome("caldav", { PROPFIND, REPORT: found(file) })).toBe(1)
}, 120_000)

// Shows: a calendar made to exhaust the processor or the memory
test("a file of very many lines is refused before it is parsed, and one of endless times ends", async () => {
  const lines = ["BEGIN:VCALENDAR", "A:1\r\n".repeat(1_900_000), "END:VCALENDAR"].join("\r\n")
  expect(await outcome("ics", { GET: lines })).toBe("too_large")
  const outcomeWith = (rule: string) => outcome("ics", { GET: file.replace("DTEND", `RRULE:${rule}\r\nDTEND`) })
  expect(await outcomeWith("FREQ=SECONDLY")).toBe("too_large")
  expect(await outcomeWith("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30")).toBe(1)
  expect(await outcome("ics", { GET: file })).toBe(1)
}, 120_000)
