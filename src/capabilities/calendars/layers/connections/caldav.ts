/** Calendars of a CalDAV server (RFC 4791): read as a whole when their tag has changed, written by PUT and DELETE with `If-Match`. */
import { Array, type Context, Effect } from "effect"
import ical, { ICalEventClass, ICalEventTransparency } from "ical-generator"
import type { ReadingFault } from "../../schemas/BusySource.ts"
import type { ConnectionFault } from "../../schemas/connections/CalendarConnection.ts"
import type { CalendarFailed, CalendarServers, ServerRequest } from "../../services/CalendarServers.ts"
import {
  type Access,
  type CalendarProvider,
  ifFailed,
  ProviderFailed,
  type WrittenEntry
} from "../../services/connections/CalendarProviders.ts"

const reasons: Partial<Record<ReadingFault, ConnectionFault>> = {
  unauthorised: "grant",
  sign_in: "grant",
  not_found: "gone",
  unreachable: "unreachable",
  slow: "unreachable"
}
const reasonOf = ({ fault, status = 0 }: CalendarFailed): ConnectionFault =>
  status >= 500 ? "unreachable" : status === 403 ? "refused" : (reasons[fault] ?? "refused")
const failed = (why: CalendarFailed) =>
  new ProviderFailed(why.rest === undefined ? { reason: reasonOf(why) } : { reason: "throttled", after: why.rest })

const fileOf = ({ key, title, url, start, end }: WrittenEntry) => {
  const from = new Date(start * 1000)
  const calendar = ical({ prodId: { company: "Sprechstunde", product: "Appointments" } })
  calendar.createEvent({
    ...{ id: key, summary: title, url, stamp: from, start: from, end: new Date(end * 1000) },
    ...{ class: ICalEventClass.PRIVATE, transparency: ICalEventTransparency.OPAQUE }
  })
  return calendar.toString()
}
const entryOf = (calendar: string, key: string) => new URL(`${key}.ics`, calendar.replace(/\/?$/, "/")).href

export const caldav =
  (servers: Context.Tag.Service<CalendarServers>) =>
  (access: Access): CalendarProvider => {
    /** The answer of a success. */
    const send = (url: string, request: ServerRequest) =>
      servers.send({ ...access, url }, request).pipe(
        Effect.mapError(failed),
        Effect.filterOrFail(
          ({ status }) => status >= 200 && status < 300,
          ({ status }) => new ProviderFailed({ reason: status === 404 || status === 410 ? "gone" : "refused" })
        )
      )
    const tagOf = (id: string) => Effect.map(send(id, { method: "GET" }), ({ headers }) => headers.etag ?? "*")
    const put = (id: string, entry: WrittenEntry, condition: Readonly<Record<string, string>> = {}) => {
      const headers = { "content-type": "text/calendar; charset=utf-8", ...condition }
      return Effect.asVoid(send(id, { method: "PUT", headers, body: fileOf(entry) }))
    }
    return {
      calendars: Effect.map(Effect.mapError(servers.collections(access), failed), (found) =>
        found.flatMap(({ href, name }) => {
          const id = URL.parse(href, access.url)
          // credentials are for the server that they were entered for
          if (id === null || id.origin !== new URL(access.url).origin) return []
          return [{ id: id.href, name: name || id.pathname, account: access.username, isDefault: false }]
        })
      ),
      changes: ({ calendar: url, token, ...period }) =>
        Effect.map(
          Effect.mapError(
            servers.read({ ...access, ...period, kind: "caldav", url, tag: token, all_day_blocks: true }),
            failed
          ),
          (content) => {
            if (content === "unchanged") return { entries: [], isWhole: false, token }
            const foreign = Array.chunksOf(content.ranges, 2).map(([start, end = start]) => ({
              ...{ id: `from:${start}`, key: null, isGone: false, isBlocking: true, start, end }
            }))
            const ours = content.own.map(({ uid: key, start }) => ({
              ...{ id: entryOf(url, key), key, isGone: false, isBlocking: false, start, end: start }
            }))
            return { entries: [...foreign, ...ours], isWhole: true, token: content.tag }
          }
        ),
      find: (calendar, key) => {
        const id = entryOf(calendar, key)
        return ifFailed(null, "gone")(Effect.as(tagOf(id), id))
      },
      // our key is its name, too: a second one has the place of the first
      create: (calendar, entry) => {
        const id = entryOf(calendar, entry.key)
        return Effect.as(put(id, entry), id)
      },
      change: (_, id, entry) => Effect.flatMap(tagOf(id), (tag) => put(id, entry, { "if-match": tag })),
      remove: (_, id) =>
        tagOf(id).pipe(
          Effect.flatMap((tag) => send(id, { method: "DELETE", headers: { "if-match": tag } })),
          Effect.asVoid,
          ifFailed(undefined, "gone")
        ),
      subscribe: () => Effect.succeed(null),
      unsubscribe: () => Effect.void
    }
  }
