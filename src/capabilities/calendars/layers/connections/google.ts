/** Google Calendar, version 3: only the fields that say when somebody is busy are asked for. */
import { Effect, Schema } from "effect"
import type { SettingsShape } from "../../../../config.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { instantOfWall, zoneOf } from "../../../../services/scheduling/slots/zones.ts"
import {
  type Access,
  type CalendarProvider,
  ifFailed,
  ProviderFailed,
  type ReadEntry,
  type WrittenEntry
} from "../../services/connections/CalendarProviders.ts"
import { asker, bodyOf, grantingBy, type Send } from "./calls.ts"

const SCOPES = [
  "https://www.googleapis.com/auth/calendar.events",
  "https://www.googleapis.com/auth/calendar.calendarlist.readonly"
]
const PROPERTY = "sprechstunde"

const text = Schema.optional(Schema.String)
const Time = Schema.Struct({ date: text, dateTime: text })
const Attendee = Schema.Struct({ self: Schema.optional(Schema.Boolean), responseStatus: text })
const Properties = Schema.Record({ key: Schema.String, value: Schema.String })
const Item = Schema.Struct({
  ...{ id: Schema.String, status: text, transparency: text, eventType: text },
  ...{ start: Schema.optional(Time), end: Schema.optional(Time) },
  attendees: Schema.optional(Schema.Array(Attendee)),
  extendedProperties: Schema.optional(Schema.Struct({ private: Schema.optional(Properties) }))
})
const Items = Schema.Struct({ items: Schema.optional(Schema.Array(Item)), nextPageToken: text, nextSyncToken: text })
const FIELDS =
  "nextPageToken,nextSyncToken,items(id,status,transparency,eventType,start,end,attendees(self,responseStatus),extendedProperties/private)"
const Calendar = Schema.Struct({ id: Schema.String, summary: text, primary: Schema.optional(Schema.Boolean) })
const Calendars = Schema.Struct({ items: Schema.Array(Calendar), nextPageToken: text })
const Created = Schema.Struct({ id: Schema.String })
const Channel = Schema.Struct({ id: Schema.String, resourceId: Schema.String, expiration: text })

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const instant = (time: typeof Time.Type | undefined, timezone: string) =>
  time?.dateTime !== undefined
    ? Math.floor(Date.parse(time.dateTime) / 1000)
    : time?.date !== undefined
      ? instantOfWall(zoneOf(timezone), Date.parse(`${time.date}T00:00:00Z`) / 1000)
      : 0

const read =
  (timezone: string) =>
  (item: typeof Item.Type): ReadEntry => ({
    id: item.id,
    key: item.extendedProperties?.private?.[PROPERTY] ?? null,
    isGone: item.status === "cancelled",
    isBlocking:
      item.transparency !== "transparent" &&
      item.eventType !== "workingLocation" &&
      item.attendees?.some(({ self, responseStatus }) => self === true && responseStatus === "declined") !== true,
    start: instant(item.start, timezone),
    end: instant(item.end, timezone)
  })

/** Also of one that was removed before: its identifier is taken for ever. */
const written = ({ key, title, url, start, end }: WrittenEntry) => ({
  status: "confirmed",
  summary: title,
  description: url,
  source: { title, url },
  visibility: "private",
  transparency: "opaque",
  start: { dateTime: iso(start) },
  end: { dateTime: iso(end) },
  extendedProperties: { private: { [PROPERTY]: key } }
})

export const googleGranting = (settings: SettingsShape["calendarProviders"]["google"], send: Send) =>
  grantingBy(send, {
    client: settings,
    authorizeUrl: `${settings.accountsUrl}/o/oauth2/v2/auth`,
    tokenUrl: settings.tokenUrl,
    scope: SCOPES.join(" "),
    asked: { access_type: "offline", prompt: "consent" },
    host: "oauth2.googleapis.com",
    revokeUrl: new URL("revoke", settings.tokenUrl).href
  })

export const google =
  (apiUrl: string, send: Send) =>
  ({ access_token }: Access): CalendarProvider => {
    const base = `${apiUrl}/calendar/v3`
    const eventsOf = (calendar: string) => `${base}/calendars/${encodeURIComponent(calendar)}/events`
    const eventOf = (calendar: string, id: string) => `${eventsOf(calendar)}/${encodeURIComponent(id)}`
    const { answer, ask, pages, remove } = asker(send, access_token)
    /** All pages of the list at this address, which has a query. */
    const pagesAt = <A extends { readonly nextPageToken?: string | undefined }, I>(
      schema: Schema.Schema<A, I>,
      first: string
    ) =>
      pages(
        schema,
        first,
        ({ nextPageToken: pageToken }) => pageToken && `${first}&${new URLSearchParams({ pageToken })}`,
        // of a list from a token on
        ({ status }) => status === 410
      )
    /** Fails with `gone` for one that was removed. */
    const find = (calendar: string, id: string) =>
      Effect.filterOrFail(
        ask(Item, "GET", eventOf(calendar, id)),
        ({ status }) => status !== "cancelled",
        () => new ProviderFailed({ reason: "gone" })
      )
    const change = (calendar: string, id: string, entry: WrittenEntry) =>
      Effect.asVoid(ask(Created, "PATCH", eventOf(calendar, id), written(entry)))
    return {
      calendars: Effect.map(pagesAt(Calendars, `${base}/users/me/calendarList?maxResults=250`), (pages) => {
        const all = pages.flatMap(({ items }) => items)
        const account = all.find(({ primary }) => primary)?.id ?? ""
        return all.map(({ id, summary: name = id, primary: isDefault = false }) => ({ id, name, account, isDefault }))
      }),
      changes: ({ calendar, token, from, to, timezone }) => {
        const range = token === null ? { timeMin: iso(from), timeMax: iso(to) } : { syncToken: token }
        const common = { singleEvents: "true", showDeleted: "true", maxResults: "2500", fields: FIELDS }
        const first = `${eventsOf(calendar)}?${new URLSearchParams({ ...common, ...range })}`
        return Effect.map(pagesAt(Items, first), (pages) => ({
          entries: pages.flatMap(({ items = [] }) => items.map(read(timezone))),
          isWhole: token === null,
          token: pages.at(-1)?.nextSyncToken ?? null
        }))
      },
      find: (calendar, key) => ifFailed(null, "gone")(Effect.map(find(calendar, key), ({ id }) => id)),
      // our key is the event's identifier, too: Google refuses a second one
      create: (calendar, entry) =>
        Effect.gen(function* () {
          const given = yield* answer("POST", eventsOf(calendar), { id: entry.key, ...written(entry) })
          if (given.status === 409) yield* change(calendar, entry.key, entry)
          else yield* bodyOf(Created)(given)
          return entry.key
        }),
      change: (calendar, id, entry) => Effect.zipRight(find(calendar, id), change(calendar, id, entry)),
      remove: (calendar, id) => remove(eventOf(calendar, id)),
      subscribe: (calendar, address, now) =>
        Effect.map(
          ask(Channel, "POST", `${eventsOf(calendar)}/watch`, { id: crypto.randomUUID(), type: "web_hook", address }),
          ({ id, resourceId: resource, expiration }) => {
            const until = expiration === undefined ? now + DAY : Math.floor(Number(expiration) / 1000)
            return { id, resource, until }
          }
        ),
      unsubscribe: ({ id, resource: resourceId }) =>
        Effect.asVoid(answer("POST", `${base}/channels/stop`, { id, resourceId }))
    }
  }
