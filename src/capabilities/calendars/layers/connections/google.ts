/** Google Calendar, version 3: only the fields that say when somebody is busy are asked for. */
import { Effect, Schema } from "effect"
import type { SettingsShape } from "../../../../config.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { instantOfWall, zoneOf } from "../../../../services/scheduling/slots/zones.ts"
import {
  type CalendarProvider,
  ifAbsent,
  ProviderFailed,
  type ReadEntry,
  type WrittenEntry
} from "../../services/connections/CalendarProviders.ts"
import { asker, decodedBy, grantingBy, pagesOf, removed, type Send } from "./calls.ts"

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
  id: Schema.String,
  ...{ status: text, transparency: text, eventType: text },
  ...{ start: Schema.optional(Time), end: Schema.optional(Time) },
  attendees: Schema.optional(Schema.Array(Attendee)),
  extendedProperties: Schema.optional(Schema.Struct({ private: Schema.optional(Properties) }))
})
const Items = Schema.Struct({ items: Schema.optional(Schema.Array(Item)), nextPageToken: text, nextSyncToken: text })
const FIELDS =
  "nextPageToken,nextSyncToken,items(id,status,transparency,eventType,start,end,attendees(self,responseStatus),extendedProperties/private)"
const Calendar = Schema.Struct({ id: Schema.String, summary: text, primary: Schema.optional(Schema.Boolean) })
const calendarList = decodedBy(Schema.Struct({ items: Schema.Array(Calendar) }))
const itemsOf = decodedBy(Items)
const itemOf = decodedBy(Item)
const created = decodedBy(Schema.Struct({ id: Schema.String }))
const channel = decodedBy(Schema.Struct({ id: Schema.String, resourceId: Schema.String, expiration: text }))

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
  start: { dateTime: new Date(start * 1000).toISOString() },
  end: { dateTime: new Date(end * 1000).toISOString() },
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
    revoke: (token) => Effect.asVoid(send("POST", new URL("revoke", settings.tokenUrl).href, { form: { token } }))
  })

export const google = (apiUrl: string, send: Send): CalendarProvider => {
  const base = `${apiUrl}/calendar/v3`
  const eventsOf = (calendar: string) => `${base}/calendars/${encodeURIComponent(calendar)}/events`
  const eventOf = (calendar: string, id: string) => `${eventsOf(calendar)}/${encodeURIComponent(id)}`
  const ask = asker(send)
  return {
    calendars: ({ access_token: bearer }) =>
      Effect.map(ask(calendarList, "GET", `${base}/users/me/calendarList`, { bearer }), ({ items }) => {
        const account = items.find(({ primary }) => primary)?.id ?? ""
        return items.map(({ id, summary: name = id, primary: isDefault = false }) => ({ id, name, account, isDefault }))
      }),
    changes: ({ access_token: bearer }, { calendar, token, from, to, timezone }) => {
      const period = { timeMin: new Date(from * 1000).toISOString(), timeMax: new Date(to * 1000).toISOString() }
      const common = { singleEvents: "true", showDeleted: "true", maxResults: "2500", fields: FIELDS }
      const query = new URLSearchParams({ ...common, ...(token === null ? period : { syncToken: token }) })
      const first = `${eventsOf(calendar)}?${query}`
      const pages = pagesOf(
        first,
        (url) =>
          Effect.flatMap(send("GET", url, { bearer }), (answer) =>
            answer.status === 410 ? new ProviderFailed({ reason: "token_lost" }) : itemsOf(answer)
          ),
        ({ nextPageToken }) => nextPageToken && `${first}&${new URLSearchParams({ pageToken: nextPageToken })}`
      )
      return Effect.map(pages, (pages) => ({
        entries: pages.flatMap(({ items = [] }) => items.map(read(timezone))),
        isWhole: token === null,
        token: pages.at(-1)?.nextSyncToken ?? null
      }))
    },
    find: ({ access_token: bearer }, calendar, key) =>
      ask(itemOf, "GET", eventOf(calendar, key), { bearer }).pipe(
        Effect.map(({ id, status }) => (status === "cancelled" ? null : id)),
        ifAbsent(null)
      ),
    // our key is the event's identifier, too: Google refuses a second one
    create: ({ access_token: bearer }, calendar, entry) =>
      Effect.gen(function* () {
        const json = written(entry)
        const answer = yield* send("POST", eventsOf(calendar), { bearer, json: { id: entry.key, ...json } })
        if (answer.status !== 409) return (yield* created(answer)).id
        yield* ask(created, "PATCH", eventOf(calendar, entry.key), { bearer, json })
        return entry.key
      }),
    change: ({ access_token: bearer }, calendar, id, entry) =>
      Effect.gen(function* () {
        const { status } = yield* ask(itemOf, "GET", eventOf(calendar, id), { bearer })
        if (status === "cancelled") return yield* new ProviderFailed({ reason: "absent" })
        yield* ask(created, "PATCH", eventOf(calendar, id), { bearer, json: written(entry) })
      }),
    remove: ({ access_token: bearer }, calendar, id) => ask(removed, "DELETE", eventOf(calendar, id), { bearer }),
    subscribe: ({ access_token: bearer }, calendar, address, now) => {
      const json = { id: crypto.randomUUID(), type: "web_hook", address }
      return Effect.map(
        ask(channel, "POST", `${eventsOf(calendar)}/watch`, { bearer, json }),
        ({ id, resourceId: resource, expiration }) => {
          const until = expiration === undefined ? now + DAY : Math.floor(Number(expiration) / 1000)
          return { id, resource, until }
        }
      )
    },
    unsubscribe: ({ access_token: bearer }, { id, resource }) =>
      Effect.asVoid(send("POST", `${base}/channels/stop`, { bearer, json: { id, resourceId: resource } }))
  }
}
