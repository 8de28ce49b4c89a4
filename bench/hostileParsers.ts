/**
 * How long hostile input holds the event loop of the process that parses it: `bun bench/hostileParsers.ts`. Each input is parsed up to three
 * times, since other work on the machine only adds; the shortest of the longest pauses counts. Exits with 1 for one over the goal. Bounds:
 * SECURITY.md.
 */
import { Effect, Layer, ManagedRuntime } from "effect"
import { CalendarServersLive } from "../src/capabilities/calendars/layers/reading/CalendarServersLive.ts"
import { CalendarServers } from "../src/capabilities/calendars/services/CalendarServers.ts"
import { namesIn, readStock } from "../src/capabilities/console/pages/pharmacy/stockImport.ts"
import { readResource } from "../src/capabilities/fhir/http/serialise.ts"
import { SignatureExaminerLive } from "../src/capabilities/signatures/layers/SignatureExaminerLive.ts"
import { SignatureExaminer } from "../src/capabilities/signatures/services/SignatureExaminer.ts"
import { ensureFewValues, parseLargeJson } from "../src/http/admission/largeJson.ts"
import { configuredAddresses } from "../src/layers/outgoing/ConfiguredAddressesLive.ts"
import { decodePdf } from "../src/services/prescriptions/decodePdf.ts"
import { withoutOwner } from "../src/services/tenancy/Tenancy.ts"

/** Milliseconds. */
const GOAL = 100
const TRIES = 3
const [KIB, MIB] = [1024, 1024 * 1024]

/** Text of so many bytes. */
const filled = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length))
const json = (text: string) => {
  const bytes = Buffer.from(text)
  return () => parseLargeJson(bytes, 20_000)
}
const small = (text: string) => () => {
  ensureFewValues(Buffer.from(text), 20_000)
  return JSON.parse(text)
}
const fhir = (text: string) => () => Effect.runSync(readResource(text))
const stock = (text: string) => () => [namesIn(text), readStock(text, [], "de")]

const files = ManagedRuntime.make(SignatureExaminerLive)
const pdf = (text: string) => () =>
  files.runPromise(
    withoutOwner(Effect.flatMap(SignatureExaminer, (one) => Effect.either(one.examine(Buffer.from(text, "latin1")))))
  )

/** What the calendars' server answers. */
let body = ""
const web = Bun.serve({ port: 0, fetch: () => new Response(body) })
const calendars = ManagedRuntime.make(Layer.provide(CalendarServersLive, configuredAddresses({ allowPrivate: true })))
const calendar = (kind: "ics" | "caldav", text: string) => () => {
  body = text
  const access = { url: web.url.href, username: null, password: null, tag: null }
  const period = { timezone: "Europe/Berlin", from: 0, to: 100 * 86_400, now: 0, all_day_blocks: true }
  const read = Effect.flatMap(CalendarServers, (reader) => Effect.either(reader.read({ kind, ...access, ...period })))
  return calendars.runPromise(read)
}
const event = "BEGIN:VEVENT\r\nUID:a\r\nDTSTART:19700105T090000Z\r\n"
const vcalendar = (content: string) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${content}END:VCALENDAR`

const FHIR = 256 * KIB - 100
const XML = 9_900_000
const attacks: Readonly<Record<string, () => unknown>> = {
  "JSON of 1 MiB: empty objects": small(`[${filled("{},", MIB - 4)}{}]`),
  "JSON of 1 MiB: one escaped text": small(`"${filled("\\u0041", MIB - 8)}"`),
  "JSON of 50 MiB: base64": json(`{"a":"${filled("QUJD", 48 * MIB)}"}`),
  "JSON of 50 MiB: 700 files": json(`[${filled(`"${"a".repeat(65_537)}",`, 48 * MIB)}1]`),
  "JSON of 50 MiB: escaped quotes": json(`{"a":"${filled('\\"', 48 * MIB)}"}`),
  "JSON of 50 MiB: short texts": json(`[${filled('"a",', 48 * MIB)}1]`),
  "JSON of 50 MiB: quotes": json(filled('"', 48 * MIB)),
  "base64 of 10 MiB": () => decodePdf(filled("JVBE", 14_000_000)),
  "FHIR in XML: empty elements": fhir(`<Patient>${filled("<a/>", FHIR)}</Patient>`),
  "FHIR in XML: nested elements": fhir(filled("<part>", FHIR)),
  "FHIR in XML: attributes without values": fhir(`<Patient ${filled("a ", FHIR)}/>`),
  "FHIR in XML: many names": fhir(
    `<Patient>${Array.from({ length: 4_900 }, (_, at) => `<a${at}/>`).join("")}</Patient>`
  ),
  "FHIR in XML: ampersands": fhir(`<Patient>${filled("&", FHIR)}</Patient>`),
  "FHIR in JSON: empty objects": fhir(`{"resourceType":"Patient","contact":[${filled("{},", FHIR)}{}]}`),
  "FHIR in JSON: nested lists": fhir(`{"resourceType":"Patient","contact":${filled("[", FHIR)}`),
  "stock list: a line of tabs": stock(`a${filled("\t", 8 * MIB)}b`),
  "stock list: a line of quotes": stock(filled('"', 8 * MIB)),
  "stock list: 1,000 lines of quotes": stock(filled(`${'"'.repeat(8_000)}\n`, 8_001_000)),
  "stock list: a price of spaces": stock(`a;1;1${filled(" ", 8 * MIB)}x`),
  "PDF: objects": pdf(`%PDF-1.7\n${filled("1 0 obj<<>>endobj\n", 10 * MIB)}`),
  "PDF: nested lists": pdf(`%PDF-1.7\n1 0 obj ${filled("[", 10 * MIB)}`),
  "CalDAV: empty elements": calendar("caldav", `<d:multistatus>${filled("<a/>", XML)}</d:multistatus>`),
  "CalDAV: nested elements": calendar("caldav", filled("<a>", XML)),
  "CalDAV: one long name": calendar("caldav", `<${filled("a", XML)}`),
  "CalDAV: ampersands": calendar("caldav", `<a>${filled("&", XML)}</a>`),
  "ICS: short lines": calendar("ics", vcalendar(filled("A:1\r\n", XML))),
  "ICS: events": calendar("ics", vcalendar(filled(`${event}END:VEVENT\r\n`, XML))),
  "ICS: a rule that never applies": calendar(
    "ics",
    vcalendar(`${event}RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30\r\nEND:VEVENT\r\n`)
  )
}

/** The longest time between two turns of the event loop while the input is parsed. Refusals are expected. */
const pauseOf = async (attack: () => unknown) => {
  Bun.gc(true)
  let [longest, last] = [0, performance.now()]
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const looks = setInterval(look, 1)
  await Bun.sleep(20)
  longest = 0
  last = performance.now()
  await Promise.try(attack).catch(() => undefined)
  look()
  clearInterval(looks)
  return longest
}

let isMissed = false
for (const [name, attack] of Object.entries(attacks)) {
  const pauses: Array<number> = []
  while (pauses.length < TRIES && Math.min(...pauses) > GOAL) pauses.push(await pauseOf(attack))
  const pause = Math.min(...pauses)
  isMissed ||= pause > GOAL
  console.info(`${name.padEnd(42)} ${pause.toFixed(0).padStart(6)} ms${pause > GOAL ? "  over the goal" : ""}`)
}
await Promise.all([web.stop(true), files.dispose(), calendars.dispose()])
process.exit(isMissed ? 1 : 0)
