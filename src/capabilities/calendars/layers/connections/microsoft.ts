/** Calendars of Microsoft 365 and Outlook.com by Microsoft Graph, version 1.0. */
import { Effect, Schema } from "effect"
import type { SettingsShape } from "../../../../config.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { instantOfWall, zoneOf } from "../../../../services/scheduling/slots/zones.ts"
import {
  type Access,
  type CalendarProvider,
  ProviderFailed,
  type ReadEntry,
  type WrittenEntry
} from "../../services/connections/CalendarProviders.ts"
import { type Answer, asker, grantingBy, type Send } from "./calls.ts"

const SCOPE = "offline_access https://graph.microsoft.com/Calendars.ReadWrite"
/** The extended property with our key: a name in a namespace of our own. */
const PROPERTY = "String {7f0a1c52-3f0d-4d5e-9a64-0c5e6f6d2b11} Name sprechstunde"
/** Graph takes at most three days less ten minutes for subscriptions of calendars. */
const SUBSCRIBED = 2 * DAY

const text = Schema.optional(Schema.String)
const flag = Schema.optional(Schema.Boolean)
const Time = Schema.Struct({ dateTime: Schema.String })
const Item = Schema.Struct({
  id: Schema.String,
  "@removed": Schema.optional(Schema.Unknown),
  seriesMasterId: Schema.optional(Schema.NullOr(Schema.String)),
  ...{ type: text, showAs: text, isCancelled: flag, isAllDay: flag },
  responseStatus: Schema.optional(Schema.NullOr(Schema.Struct({ response: text }))),
  ...{ start: Schema.optional(Time), end: Schema.optional(Time) }
})
type Item = typeof Item.Type
const NEXT = "@odata.nextLink"
const Items = Schema.Struct({ value: Schema.Array(Item), [NEXT]: text, "@odata.deltaLink": text })
const Calendar = Schema.Struct({
  ...{ id: Schema.String, name: text, isDefaultCalendar: flag },
  owner: Schema.optional(Schema.NullOr(Schema.Struct({ address: Schema.optional(Schema.NullOr(Schema.String)) })))
})
const Calendars = Schema.Struct({ value: Schema.Array(Calendar), [NEXT]: text })
const Created = Schema.Struct({ id: Schema.String })
const Subscribed = Schema.Struct({ id: Schema.String, expirationDateTime: Schema.String })

/** Identifiers that stay the same, and times in UTC. */
const headers = { prefer: 'IdType="ImmutableId", outlook.timezone="UTC", odata.maxpagesize=200' }

/** Occurrences say only their times: the rest is their series'. */
const read =
  (timezone: string, masters: ReadonlyMap<string, Item>) =>
  (item: Item): ReadEntry => {
    const master = masters.get(item.seriesMasterId ?? "")
    const { showAs = "busy", isAllDay = false, responseStatus } = { ...master, ...item }
    const instant = (time: typeof Time.Type | undefined) => {
      const wall = Math.floor(Date.parse(`${time?.dateTime.replace(/Z$/, "") ?? "1970-01-01T00:00:00"}Z`) / 1000)
      return isAllDay ? instantOfWall(zoneOf(timezone), wall) : wall
    }
    return {
      id: item.id,
      key: null,
      isGone: item["@removed"] !== undefined || item.isCancelled === true,
      isBlocking: showAs !== "free" && showAs !== "workingElsewhere" && responseStatus?.response !== "declined",
      start: instant(item.start),
      end: instant(item.end)
    }
  }

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const utc = (seconds: number) => ({ dateTime: iso(seconds).slice(0, 19), timeZone: "UTC" })
const written = ({ key, title, url, start, end }: WrittenEntry) => ({
  subject: title,
  body: { contentType: "text", content: url },
  sensitivity: "private",
  showAs: "busy",
  isReminderOn: false,
  start: utc(start),
  end: utc(end),
  singleValueExtendedProperties: [{ id: PROPERTY, value: key }]
})

export const microsoftGranting = (settings: SettingsShape["calendarProviders"]["microsoft"], send: Send) => {
  const base = `${settings.loginUrl}/${settings.tenant}/oauth2/v2.0`
  return grantingBy(send, {
    client: settings,
    authorizeUrl: `${base}/authorize`,
    tokenUrl: `${base}/token`,
    scope: SCOPE,
    asked: { response_mode: "query" },
    host: "login.microsoftonline.com"
  })
}

const isLost = ({ status, text }: Answer) =>
  status === 410 || (status >= 400 && /syncState|resyncRequired|ErrorInvalidSyncState/i.test(text))

export const microsoft =
  (apiUrl: string, send: Send) =>
  ({ access_token }: Access): CalendarProvider => {
    const base = `${apiUrl}/v1.0`
    const calendarOf = (id: string) => `${base}/me/calendars/${encodeURIComponent(id)}`
    const eventOf = (id: string) => `${base}/me/events/${encodeURIComponent(id)}`
    // addresses of pages and tokens are the provider's: nothing is sent elsewhere
    const { ask, answer, pages, remove } = asker(
      (method, url, ...sent) =>
        url.startsWith(`${apiUrl}/`) ? send(method, url, ...sent) : new ProviderFailed({ reason: "token_lost" }),
      access_token,
      headers
    )
    return {
      calendars: Effect.map(
        pages(Calendars, `${base}/me/calendars?$top=100`, (page) => page[NEXT]),
        (pages) =>
          pages
            .flatMap(({ value }) => value)
            .map(({ id, name = id, isDefaultCalendar: isDefault = false, owner }) => ({
              ...{ id, name, isDefault, account: owner?.address ?? "" }
            }))
      ),
      changes: ({ calendar, token, from, to, timezone }) => {
        const period = new URLSearchParams({ startDateTime: iso(from), endDateTime: iso(to) })
        const first = token ?? `${calendarOf(calendar)}/calendarView/delta?${period}`
        return Effect.map(
          pages(Items, first, (page) => page[NEXT], isLost),
          (pages) => {
            const items = pages.flatMap(({ value }) => value)
            const masters = new Map(
              items.flatMap((one) => (one.type === "seriesMaster" ? [[one.id, one] as const] : []))
            )
            return {
              entries: items.filter(({ type }) => type !== "seriesMaster").map(read(timezone, masters)),
              isWhole: token === null,
              token: pages.at(-1)?.["@odata.deltaLink"] ?? null
            }
          }
        )
      },
      find: (calendar, key) => {
        const $filter = `singleValueExtendedProperties/Any(ep: ep/id eq '${PROPERTY}' and ep/value eq '${key}')`
        const url = `${calendarOf(calendar)}/events?${new URLSearchParams({ $filter, $select: "id" })}`
        return Effect.map(ask(Items, "GET", url), ({ value }) => value[0]?.id ?? null)
      },
      create: (calendar, entry) =>
        Effect.map(
          ask(Created, "POST", `${calendarOf(calendar)}/events`, { ...written(entry), transactionId: entry.attempt }),
          ({ id }) => id
        ),
      change: (_, id, entry) => Effect.asVoid(ask(Created, "PATCH", eventOf(id), written(entry))),
      remove: (_, id) => remove(eventOf(id)),
      subscribe: (calendar, address, now) =>
        Effect.map(
          ask(Subscribed, "POST", `${base}/subscriptions`, {
            changeType: "created,updated,deleted",
            notificationUrl: address,
            resource: `/me/calendars/${calendar}/events`,
            expirationDateTime: iso(now + SUBSCRIBED)
          }),
          ({ id, expirationDateTime }) => ({
            id,
            resource: "",
            until: Math.floor(Date.parse(expirationDateTime) / 1000)
          })
        ),
      unsubscribe: ({ id }) => Effect.asVoid(answer("DELETE", `${base}/subscriptions/${encodeURIComponent(id)}`))
    }
  }
