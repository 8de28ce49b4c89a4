/** Calendars of a CalDAV server (RFC 4791): read as a whole when their tag has changed, written by PUT and DELETE with `If-Match`. */

import type { Context } from "effect"
import { Effect } from "effect"
import { XMLParser } from "fast-xml-parser"
import type { CalendarReader, ReadingFault } from "../../../../services/scheduling/calendar/CalendarReader.ts"
import type { ConnectionFault } from "../../schemas/connections/CalendarConnection.ts"
import {
  type Access,
  type CalendarProvider,
  ProviderFailed,
  type WrittenEntry
} from "../../services/connections/CalendarProviders.ts"
import type { Send } from "./calls.ts"

/** Characters of an answer about a collection: it has some hundred for each calendar. */
const ANSWER_MAX = 200_000
const xml = new XMLParser({ removeNSPrefix: true, ignoreAttributes: true, parseTagValue: false })

const PROPERTIES = `<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:"><d:prop><d:resourcetype/><d:displayname/></d:prop></d:propfind>`

const reasons: Partial<Record<ReadingFault, ConnectionFault>> = {
  unauthorised: "grant",
  sign_in: "grant",
  not_found: "gone",
  unreachable: "unreachable",
  slow: "unreachable"
}
const refused = () => new ProviderFailed({ reason: "refused" })
type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null
/** The values at the end of this path of elements. */
const at = (node: unknown, [name, ...rest]: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  if (name === undefined) return [node]
  const found = isNode(node) && Object.hasOwn(node, name) ? [node[name]].flat() : []
  return found.flatMap((one) => at(one, rest))
}
const responsesIn = (text: string) =>
  Effect.try({
    try: () => {
      if (text.length > ANSWER_MAX || /<!(DOCTYPE|ENTITY)/i.test(text)) throw refused()
      return at(xml.parse(text), ["multistatus", "response"])
    },
    catch: refused
  })

const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, "")
const escaped = (text: string) => text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n")
const fileOf = ({ key, title, url, start, end }: WrittenEntry) =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Sprechstunde//EN",
    "BEGIN:VEVENT",
    `UID:${key}`,
    `DTSTAMP:${stamp(start)}`,
    `DTSTART:${stamp(start)}`,
    `DTEND:${stamp(end)}`,
    `SUMMARY:${escaped(title)}`,
    `URL:${url}`,
    "CLASS:PRIVATE",
    "TRANSP:OPAQUE",
    "END:VEVENT",
    "END:VCALENDAR",
    ""
  ].join("\r\n")

export const caldav = (send: Send, reader: Context.Tag.Service<CalendarReader>): CalendarProvider => {
  const headersOf = ({ username, password }: Access, more: Readonly<Record<string, string>> = {}) => ({
    authorization: `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`,
    ...more
  })
  const propertiesOf = (access: Access, url: string, text: string) =>
    Effect.flatMap(
      send("PROPFIND", url, {
        headers: headersOf(access, { depth: "1", "content-type": "application/xml; charset=utf-8" }),
        text
      }),
      (answer) =>
        answer.status === 404 || answer.status === 410
          ? new ProviderFailed({ reason: "gone" })
          : answer.status === 207
            ? responsesIn(answer.text)
            : refused()
    )
  const entryOf = (calendar: string, key: string) => new URL(`${key}.ics`, calendar.replace(/\/?$/, "/")).href
  const tagOf = (access: Access, id: string) =>
    Effect.flatMap(send("GET", id, { headers: headersOf(access) }), ({ status, headers, text }) =>
      status === 404 || status === 410
        ? new ProviderFailed({ reason: "absent" })
        : status === 200
          ? Effect.succeed({ tag: headers.etag ?? "*", text })
          : refused()
    )
  const put = (access: Access, id: string, entry: WrittenEntry, condition: Readonly<Record<string, string>>) =>
    Effect.flatMap(
      send("PUT", id, {
        headers: headersOf(access, { "content-type": "text/calendar; charset=utf-8", ...condition }),
        text: fileOf(entry)
      }),
      ({ status }) => (status >= 200 && status < 300 ? Effect.void : refused())
    )
  return {
    calendars: (access) =>
      Effect.map(propertiesOf(access, access.url, PROPERTIES), (found) =>
        found.flatMap((response) => {
          if (at(response, ["propstat", "prop", "resourcetype", "calendar"]).length === 0) return []
          const [href = ""] = at(response, ["href"])
          const id = new URL(String(href), access.url)
          // credentials are for the server that they were entered for
          if (id.origin !== new URL(access.url).origin) return []
          const [name = ""] = at(response, ["propstat", "prop", "displayname"])
          const shown = typeof name === "string" && name !== "" ? name : id.pathname
          return [{ id: id.href, name: shown, account: access.username, isDefault: false }]
        })
      ),
    changes: (access, { calendar, token, from, to, now, timezone, own }) => {
      const { username, password } = access
      const request = {
        kind: "caldav",
        url: calendar,
        username,
        password,
        tag: token,
        timezone,
        from,
        to,
        now
      } as const
      return Effect.map(
        Effect.mapError(
          reader.read({ ...request, all_day_blocks: true, own }),
          ({ fault }) => new ProviderFailed({ reason: reasons[fault] ?? "refused" })
        ),
        (content) => {
          if (content === "unchanged") return { entries: [], isWhole: false, token }
          const { ranges } = content
          const foreign = ranges.flatMap((start, at) =>
            at % 2 === 0
              ? [
                  {
                    id: `from:${start}`,
                    key: null,
                    isGone: false,
                    isBlocking: true,
                    start,
                    end: ranges[at + 1] ?? start
                  }
                ]
              : []
          )
          const ours = content.own.map(({ uid: key, start }) => ({
            key,
            id: entryOf(calendar, key),
            isGone: false,
            isBlocking: false,
            start,
            end: start
          }))
          return { entries: [...foreign, ...ours], isWhole: true, token: content.tag }
        }
      )
    },
    find: (access, calendar, key) =>
      tagOf(access, entryOf(calendar, key)).pipe(
        Effect.as(entryOf(calendar, key)),
        Effect.catchIf(
          ({ reason }) => reason === "absent",
          () => Effect.succeed(null)
        )
      ),
    // our key is its name, too: a second one has the place of the first
    create: (access, calendar, entry) => {
      const id = entryOf(calendar, entry.key)
      return Effect.as(put(access, id, entry, {}), id)
    },
    change: (access, _, id, entry) =>
      Effect.flatMap(tagOf(access, id), ({ tag }) => put(access, id, entry, { "if-match": tag })),
    remove: (access, _, id) =>
      tagOf(access, id).pipe(
        Effect.flatMap(({ tag }) => send("DELETE", id, { headers: headersOf(access, { "if-match": tag }) })),
        Effect.flatMap(({ status }) => (status < 300 || status === 404 || status === 410 ? Effect.void : refused())),
        Effect.catchIf(
          ({ reason }) => reason === "absent",
          () => Effect.void
        )
      ),
    subscribe: () => Effect.succeed(null),
    unsubscribe: () => Effect.void
  }
}
