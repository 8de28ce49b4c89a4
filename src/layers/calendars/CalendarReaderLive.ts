/** Reads calendars over HTTP, only from checked addresses, within limits and without following redirects. Rule 3.12. */
import type { IncomingMessage } from "node:http"
import { Effect, Layer } from "effect"
import { XMLParser } from "fast-xml-parser"
import { Settings } from "../../config.ts"
import type { ReadingFault } from "../../schemas/scheduling/BusySource.ts"
import { outgoing } from "../../services/outgoing.ts"
import {
  type CalendarContent,
  CalendarFailed,
  CalendarReader,
  type CalendarRequest
} from "../../services/scheduling/calendar/CalendarReader.ts"
import { examineAddress, examined, type OutgoingSettings } from "../outgoing/addresses.ts"
import { exchange, type Outgoing } from "../outgoing/exchange.ts"
import { makeExpansions } from "./expansions.ts"

/** Bytes of a calendar. */
const BODY_MAX = 10_000_000
const call = outgoing({
  to: "calendar kept elsewhere",
  seconds: 15,
  bytes: BODY_MAX,
  atOnce: 16,
  ofOwner: 4,
  ofAddress: 2
})

interface Answer {
  readonly status: number
  readonly etag: string | null
  readonly body: string
  readonly fault?: ReadingFault
}

const readBody = (response: IncomingMessage, done: (answer: Answer) => void) => {
  const chunks: Array<Buffer> = []
  let size = 0
  const end = (body: string, fault?: ReadingFault) =>
    done({
      status: response.statusCode ?? 0,
      etag: response.headers.etag ?? null,
      body,
      ...(fault !== undefined && { fault })
    })
  response.on("data", (chunk: Buffer) => {
    size += chunk.byteLength
    chunks.push(chunk)
    if (size > BODY_MAX) {
      end("", "too_large")
      response.destroy()
    }
  })
  response.on("error", () => end("", "cut_short"))
  response.on("aborted", () => end("", "cut_short"))
  response.on("end", () => end(Buffer.concat(chunks).toString("utf8")))
}

const faultOf = (status: number): ReadingFault | undefined => {
  if (status >= 200 && status < 300) return undefined
  if (status === 401 || status === 403) return "unauthorised"
  if (status === 404 || status === 410) return "not_found"
  return status >= 300 && status < 400 ? "redirected" : "status"
}

const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, "")

const PROPERTIES = `<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:" xmlns:cs="http://calendarserver.org/ns/"><d:prop><d:sync-token/><cs:getctag/></d:prop></d:propfind>`

const report = ({ from, to }: Pick<CalendarRequest, "from" | "to">) => `<?xml version="1.0" encoding="utf-8"?>
<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><c:calendar-data/></d:prop>
<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">
<c:time-range start="${stamp(from)}" end="${stamp(to)}"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`

const xml = new XMLParser({ removeNSPrefix: true, ignoreAttributes: true, parseTagValue: false, trimValues: false })

/** The texts of all elements of this name. */
const textsOf = (node: unknown, name: string): ReadonlyArray<string> => {
  if (Array.isArray(node)) return node.flatMap((one) => textsOf(one, name))
  if (typeof node !== "object" || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === name ? [value].flat().map(String) : textsOf(value, name)
  )
}

const make = (settings: OutgoingSettings) =>
  Effect.gen(function* () {
    const expand = yield* makeExpansions

    const ask = Effect.fnUntraced(function* (
      { url, username, password }: CalendarRequest,
      { method, headers, body }: Outgoing
    ) {
      const credentials =
        username === null
          ? {}
          : { authorization: `Basic ${Buffer.from(`${username}:${password ?? ""}`, "utf8").toString("base64")}` }
      const answer = yield* examined(url, settings).pipe(
        Effect.flatMap((to) =>
          exchange<Answer>(to, { method, headers: { ...credentials, ...headers }, body }, settings.ca, readBody)
        ),
        Effect.mapError(
          ({ _tag }) => new CalendarFailed({ fault: _tag === "AddressRefused" ? "refused" : "unreachable" })
        ),
        call(() => new CalendarFailed({ fault: "slow" }), { address: url })
      )
      if (answer.status === 304) return answer
      const fault = faultOf(answer.status) ?? answer.fault
      if (fault !== undefined) return yield* new CalendarFailed({ fault })
      return answer
    })

    const expanded = (request: CalendarRequest, text: string, tag: string | null) =>
      Effect.map(expand({ ...request, text }), (content): CalendarContent => ({ ...content, tag }))

    const readFile = Effect.fnUntraced(function* (request: CalendarRequest) {
      const { tag } = request
      const headers = { accept: "text/calendar", ...(tag !== null && { "if-none-match": tag }) }
      const { status, etag, body } = yield* ask(request, { method: "GET", headers, body: "" })
      return status === 304 ? ("unchanged" as const) : yield* expanded(request, body, etag)
    })

    const parsed = (text: string) =>
      Effect.try({ try: (): unknown => xml.parse(text), catch: () => new CalendarFailed({ fault: "not_a_calendar" }) })

    const readCollection = Effect.fnUntraced(function* (request: CalendarRequest) {
      const headers = { "content-type": "application/xml; charset=utf-8" }
      const properties = yield* ask(request, {
        method: "PROPFIND",
        headers: { ...headers, depth: "0" },
        body: PROPERTIES
      })
      const found = yield* parsed(properties.body)
      const tag = [...textsOf(found, "sync-token"), ...textsOf(found, "getctag")].find((text) => text !== "") ?? null
      if (tag !== null && tag === request.tag) return "unchanged" as const
      const answer = yield* ask(request, {
        method: "REPORT",
        headers: { ...headers, depth: "1" },
        body: report(request)
      })
      const answered = yield* parsed(answer.body)
      if (textsOf(answered, "multistatus").length === 0) return yield* new CalendarFailed({ fault: "not_a_calendar" })
      const files = textsOf(answered, "calendar-data")
      const none: CalendarContent = { ranges: [], events: 0, all_day_events: 0, tag }
      if (files.length === 0) return none
      return yield* expanded(request, files.map((file) => file.trim()).join("\r\n"), tag)
    })

    return CalendarReader.of({
      examine: examineAddress(settings),
      read: Effect.fn("CalendarReader.read")((request: CalendarRequest) =>
        request.kind === "ics" ? readFile(request) : readCollection(request)
      )
    })
  })

export const calendarReader = (settings: OutgoingSettings) => Layer.scoped(CalendarReader, make(settings))

export const CalendarReaderLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ webhookAllowPrivate }) => calendarReader({ allowPrivate: webhookAllowPrivate }))
)
