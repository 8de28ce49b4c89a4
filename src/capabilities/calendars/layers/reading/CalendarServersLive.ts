/** Servers of calendars over HTTP, only at checked addresses, within limits and without following redirects. Rule 3.12. */
import { HttpBody, HttpClientRequest, type HttpMethod } from "@effect/platform"
import { Effect, Layer, Struct } from "effect"
import { ConfiguredAddresses } from "../../../../services/addresses.ts"
import { AnswerTooLong, outgoing } from "../../../../services/outgoing.ts"
import type { ReadingFault } from "../../schemas/BusySource.ts"
import {
  type CalendarAccess,
  CalendarFailed,
  type CalendarRequest,
  CalendarServers,
  type ServerAnswer,
  type ServerRequest
} from "../../services/CalendarServers.ts"
import { restOf } from "../retryAfter.ts"
import { decoded, ENCODINGS } from "./decoded.ts"
import { digestFor } from "./digest.ts"
import { makeExpansions } from "./expansions.ts"

/** Bytes of an answer. */
export const BODY_MAX = 10_000_000
const call = outgoing({
  to: "calendar kept elsewhere",
  seconds: 15,
  bytes: BODY_MAX,
  atOnce: 16,
  ofOwner: 4,
  ofAddress: 2
})

const faultOf = (status: number): ReadingFault | undefined => {
  if (status >= 200 && status < 300) return undefined
  if (status === 401 || status === 403) return "unauthorised"
  if (status === 404 || status === 410) return "not_found"
  return status >= 300 && status < 400 ? "redirected" : "status"
}

const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, "")

const XML = { "content-type": "application/xml; charset=utf-8" }
/** Asks for properties of a collection, or of all in it. */
const propertiesOf = (depth: "0" | "1", names: string): ServerRequest => ({
  method: "PROPFIND",
  headers: { ...XML, depth },
  body: `<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:" xmlns:cs="http://calendarserver.org/ns/"><d:prop>${names}</d:prop></d:propfind>`
})
const TAGS = propertiesOf("0", "<d:sync-token/><cs:getctag/>")
const NAMES = propertiesOf("1", "<d:resourcetype/><d:displayname/>")

const eventsIn = ({ from, to }: Pick<CalendarRequest, "from" | "to">): ServerRequest => ({
  method: "REPORT",
  headers: { ...XML, depth: "1" },
  body: `<?xml version="1.0" encoding="utf-8"?>
<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><c:calendar-data/></d:prop>
<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">
<c:time-range start="${stamp(from)}" end="${stamp(to)}"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`
})

const make = Effect.gen(function* () {
  const addresses = yield* ConfiguredAddresses
  const read = yield* makeExpansions

  /** Why there was no answer, or not all of it. */
  const unanswered = (url: string, error: { readonly _tag: string; readonly cause?: unknown }) => {
    if (error._tag === "ResponseError")
      return new CalendarFailed({ fault: error.cause instanceof AnswerTooLong ? "too_large" : "cut_short" })
    return Effect.matchEffect(addresses.examine(url, true), {
      onFailure: () => new CalendarFailed({ fault: "refused" }),
      onSuccess: () => new CalendarFailed({ fault: "unreachable" })
    })
  }

  const answerTo = (url: string, { method, headers = {}, body }: ServerRequest, authorization: string | undefined) => {
    // the cast: PROPFIND and REPORT are methods of WebDAV
    const request = HttpClientRequest.make(method as HttpMethod.HttpMethod)(url, {
      headers: { "accept-encoding": ENCODINGS, ...(authorization !== undefined && { authorization }), ...headers },
      body: body === undefined ? HttpBody.empty : HttpBody.text(body, headers["content-type"])
    })
    return addresses.execute(request).pipe(
      Effect.flatMap(({ status, headers, arrayBuffer }) =>
        Effect.map(arrayBuffer, (bytes) => ({ status, headers, bytes: new Uint8Array(bytes) }))
      ),
      Effect.scoped,
      call(() => new CalendarFailed({ fault: "slow" }), { address: url }),
      Effect.catchIf(
        (error) => error._tag !== "CalendarFailed",
        (error) => unanswered(url, error)
      ),
      Effect.flatMap(({ status, headers, bytes }) =>
        Effect.map(
          decoded(bytes, headers["content-encoding"], BODY_MAX),
          (text): ServerAnswer => ({ status, headers, text })
        )
      )
    )
  }

  /** Signs in as the server asks: by Basic at once, by Digest (RFC 7616) after its challenge. */
  const send = Effect.fn("CalendarServers.send")(function* (
    { url, username, password }: CalendarAccess,
    request: ServerRequest
  ) {
    const user = { username: username ?? "", password: password ?? "" }
    const basic = `Basic ${Buffer.from(`${user.username}:${user.password}`, "utf8").toString("base64")}`
    let answer = yield* answerTo(url, request, username === null ? undefined : basic)
    const challenge = answer.headers["www-authenticate"] ?? ""
    if (answer.status === 401 && challenge !== "") {
      const digest = digestFor(challenge, { method: request.method, url, ...user })
      if (digest !== undefined && username !== null) answer = yield* answerTo(url, request, digest)
      else if (digest === undefined && !/\bbasic\b/i.test(challenge))
        return yield* new CalendarFailed({ fault: "sign_in" })
    }
    const { status } = answer
    if (status === 401) return yield* new CalendarFailed({ fault: "unauthorised", status })
    if (status === 429 || status >= 500)
      return yield* new CalendarFailed({ fault: "status", status, rest: restOf(answer) })
    return answer
  })
  const succeeded = Effect.fnUntraced(function* (access: CalendarAccess, request: ServerRequest) {
    const answer = yield* send(access, request)
    const fault = answer.status === 304 ? undefined : faultOf(answer.status)
    if (fault !== undefined) return yield* new CalendarFailed({ fault, status: answer.status })
    return answer
  })

  const expanded = (what: "file" | "collection", request: CalendarRequest, text: string, tag: string | null) => {
    const period = Struct.pick(request, "timezone", "from", "to", "now", "all_day_blocks", "own")
    return Effect.map(read(what, { ...period, text }), (content) => ({ ...content, tag }))
  }

  const readFile = Effect.fnUntraced(function* (request: CalendarRequest) {
    const { tag } = request
    const headers = { accept: "text/calendar", ...(tag !== null && { "if-none-match": tag }) }
    const answer = yield* succeeded(request, { method: "GET", headers })
    if (answer.status === 304) return "unchanged" as const
    return yield* expanded("file", request, answer.text, answer.headers.etag ?? null)
  })

  const readCollection = Effect.fnUntraced(function* (request: CalendarRequest) {
    const tag = yield* read("tag", (yield* succeeded(request, TAGS)).text)
    if (tag !== null && tag === request.tag) return "unchanged" as const
    return yield* expanded("collection", request, (yield* succeeded(request, eventsIn(request))).text, tag)
  })

  return CalendarServers.of({
    examine: addresses.examine,
    send,
    read: Effect.fn("CalendarServers.read")((request: CalendarRequest) =>
      request.kind === "ics" ? readFile(request) : readCollection(request)
    ),
    collections: Effect.fn("CalendarServers.collections")((access: CalendarAccess) =>
      Effect.flatMap(succeeded(access, NAMES), ({ text }) => read("calendars", text))
    )
  })
})

export const CalendarServersLive = Layer.scoped(CalendarServers, make)
