/** Reads calendars over HTTP, only from checked addresses, within limits and without following redirects. Rule 3.12. */
import type { IncomingMessage } from "node:http"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { outgoing } from "../../services/outgoing.ts"
import {
  type CalendarContent,
  CalendarFailed,
  CalendarReader,
  type CalendarRequest,
  type ReadingFault
} from "../../services/scheduling/calendar/CalendarReader.ts"
import { examineAddress, examined, type OutgoingSettings } from "../outgoing/addresses.ts"
import { exchange, type Outgoing } from "../outgoing/exchange.ts"
import { decoded, ENCODINGS } from "./decoded.ts"
import { digestFor } from "./digest.ts"
import { makeExpansions } from "./expansions.ts"

/** Bytes of a calendar. */
export const BODY_MAX = 10_000_000
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
  /** `WWW-Authenticate` */
  readonly challenge: string
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
      challenge: response.headers["www-authenticate"] ?? "",
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
  response.on("end", () => decoded(Buffer.concat(chunks), response.headers["content-encoding"], BODY_MAX, end))
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

const make = (settings: OutgoingSettings) =>
  Effect.gen(function* () {
    const { expand, tagIn } = yield* makeExpansions

    const answerTo = (url: string, { method, headers, body }: Outgoing, authorization: string | undefined) => {
      const credentials = { "accept-encoding": ENCODINGS, ...(authorization !== undefined && { authorization }) }
      return examined(url, settings).pipe(
        Effect.flatMap((to) =>
          exchange<Answer>(to, { method, headers: { ...credentials, ...headers }, body }, settings.ca, readBody)
        ),
        Effect.mapError(
          ({ _tag }) => new CalendarFailed({ fault: _tag === "AddressRefused" ? "refused" : "unreachable" })
        ),
        call(() => new CalendarFailed({ fault: "slow" }), { address: url })
      )
    }

    const ask = Effect.fnUntraced(function* ({ url, username, password }: CalendarRequest, outgoing: Outgoing) {
      const user = { username: username ?? "", password: password ?? "" }
      const basic = `Basic ${Buffer.from(`${user.username}:${user.password}`, "utf8").toString("base64")}`
      let answer = yield* answerTo(url, outgoing, username === null ? undefined : basic)
      if (answer.status === 401 && answer.challenge !== "") {
        const digest = digestFor(answer.challenge, { ...outgoing, ...user, url })
        if (digest !== undefined && username !== null) answer = yield* answerTo(url, outgoing, digest)
        else if (digest === undefined && !/\bbasic\b/i.test(answer.challenge))
          return yield* new CalendarFailed({ fault: "sign_in" })
      }
      if (answer.status === 304) return answer
      const fault = faultOf(answer.status) ?? answer.fault
      if (fault !== undefined) return yield* new CalendarFailed({ fault })
      return answer
    })

    const expanded = (
      what: "file" | "collection",
      { timezone, from, to, now, all_day_blocks, own = [] }: CalendarRequest,
      text: string,
      tag: string | null
    ) =>
      Effect.map(
        expand({ what, timezone, from, to, now, all_day_blocks, own, text }),
        (content): CalendarContent => ({ ...content, tag })
      )

    const readFile = Effect.fnUntraced(function* (request: CalendarRequest) {
      const { tag } = request
      const headers = { accept: "text/calendar", ...(tag !== null && { "if-none-match": tag }) }
      const { status, etag, body } = yield* ask(request, { method: "GET", headers, body: "" })
      return status === 304 ? ("unchanged" as const) : yield* expanded("file", request, body, etag)
    })

    const readCollection = Effect.fnUntraced(function* (request: CalendarRequest) {
      const headers = { "content-type": "application/xml; charset=utf-8" }
      const properties = yield* ask(request, {
        method: "PROPFIND",
        headers: { ...headers, depth: "0" },
        body: PROPERTIES
      })
      const tag = yield* tagIn(properties.body)
      if (tag !== null && tag === request.tag) return "unchanged" as const
      const answer = yield* ask(request, {
        method: "REPORT",
        headers: { ...headers, depth: "1" },
        body: report(request)
      })
      return yield* expanded("collection", request, answer.body, tag)
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
