/** Calendars of Microsoft 365 and Outlook.com by Microsoft Graph, version 1.0. */
import { Effect, Schema } from "effect"
import type { SettingsShape } from "../../../../config.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { instantOfWall, zoneOf } from "../../../../services/scheduling/slots/zones.ts"
import {
  type CalendarProvider,
  ProviderFailed,
  type ReadEntry,
  type WrittenEntry
} from "../../services/connections/CalendarProviders.ts"
import { type Answer, asker, decodedBy, grantingBy, pagesOf, removed, type Send } from "./calls.ts"

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
const itemsOf = decodedBy(
  Schema.Struct({ value: Schema.Array(Item), "@odata.nextLink": text, "@odata.deltaLink": text })
)
const Owner = Schema.Struct({ address: Schema.optional(Schema.NullOr(Schema.String)) })
const Calendar = Schema.Struct({
  ...{ id: Schema.String, name: text, isDefaultCalendar: flag },
  owner: Schema.optional(Schema.NullOr(Owner))
})
const calendarList = decodedBy(Schema.Struct({ value: Schema.Array(Calendar) }))
const created = decodedBy(Schema.Struct({ id: Schema.String }))
const subscription = decodedBy(Schema.Struct({ id: Schema.String, expirationDateTime: Schema.String }))

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

const written = ({ key, title, url, start, end }: WrittenEntry) => ({
  subject: title,
  body: { contentType: "text", content: url },
  sensitivity: "private",
  showAs: "busy",
  isReminderOn: false,
  start: { dateTime: new Date(start * 1000).toISOString().slice(0, 19), timeZone: "UTC" },
  end: { dateTime: new Date(end * 1000).toISOString().slice(0, 19), timeZone: "UTC" },
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
    host: "login.microsoftonline.com",
    revoke: () => Effect.void
  })
}

export const microsoft = (apiUrl: string, send: Send): CalendarProvider => {
  const base = `${apiUrl}/v1.0`
  const calendarOf = (id: string) => `${base}/me/calendars/${encodeURIComponent(id)}`
  const eventOf = (id: string) => `${base}/me/events/${encodeURIComponent(id)}`
  const ask = asker(send)
  const isLost = ({ status, text }: Answer) =>
    status === 410 || (status >= 400 && /syncState|resyncRequired|ErrorInvalidSyncState/i.test(text))
  return {
    calendars: ({ access_token: bearer }) =>
      Effect.map(ask(calendarList, "GET", `${base}/me/calendars`, { bearer }), ({ value }) =>
        value.map(({ id, name = id, isDefaultCalendar: isDefault = false, owner }) => ({
          ...{ id, name, isDefault, account: owner?.address ?? "" }
        }))
      ),
    changes: ({ access_token: bearer }, { calendar, token, from, to, timezone }) => {
      const [startDateTime, endDateTime] = [new Date(from * 1000).toISOString(), new Date(to * 1000).toISOString()]
      const period = new URLSearchParams({ startDateTime, endDateTime })
      const first = token ?? `${calendarOf(calendar)}/calendarView/delta?${period}`
      // the token is an address that the provider named: nothing is sent elsewhere
      if (!first.startsWith(`${apiUrl}/`)) return new ProviderFailed({ reason: "token_lost" })
      const pages = pagesOf(
        first,
        (url) =>
          url.startsWith(`${apiUrl}/`)
            ? Effect.flatMap(send("GET", url, { bearer, headers }), (answer) =>
                isLost(answer) ? new ProviderFailed({ reason: "token_lost" }) : itemsOf(answer)
              )
            : new ProviderFailed({ reason: "refused" }),
        (page) => page["@odata.nextLink"]
      )
      return Effect.map(pages, (pages) => {
        const items = pages.flatMap(({ value }) => value)
        const masters = new Map(items.flatMap((one) => (one.type === "seriesMaster" ? [[one.id, one] as const] : [])))
        return {
          entries: items.filter(({ type }) => type !== "seriesMaster").map(read(timezone, masters)),
          isWhole: token === null,
          token: pages.at(-1)?.["@odata.deltaLink"] ?? null
        }
      })
    },
    find: ({ access_token: bearer }, calendar, key) => {
      const $filter = `singleValueExtendedProperties/Any(ep: ep/id eq '${PROPERTY}' and ep/value eq '${key}')`
      const url = `${calendarOf(calendar)}/events?${new URLSearchParams({ $filter, $select: "id" })}`
      return Effect.map(ask(itemsOf, "GET", url, { bearer, headers }), ({ value }) => value[0]?.id ?? null)
    },
    create: ({ access_token: bearer }, calendar, entry) => {
      const json = { ...written(entry), transactionId: entry.attempt }
      const url = `${calendarOf(calendar)}/events`
      return Effect.map(ask(created, "POST", url, { bearer, headers, json }), ({ id }) => id)
    },
    change: ({ access_token: bearer }, _, id, entry) =>
      Effect.asVoid(ask(created, "PATCH", eventOf(id), { bearer, headers, json: written(entry) })),
    remove: ({ access_token: bearer }, _, id) => ask(removed, "DELETE", eventOf(id), { bearer, headers }),
    subscribe: ({ access_token: bearer }, calendar, address, now) => {
      const json = {
        changeType: "created,updated,deleted",
        notificationUrl: address,
        resource: `/me/calendars/${calendar}/events`,
        expirationDateTime: new Date((now + SUBSCRIBED) * 1000).toISOString()
      }
      return Effect.map(
        ask(subscription, "POST", `${base}/subscriptions`, { bearer, headers, json }),
        ({ id, expirationDateTime }) => ({ id, resource: "", until: Math.floor(Date.parse(expirationDateTime) / 1000) })
      )
    },
    unsubscribe: ({ access_token: bearer }, { id }) =>
      Effect.asVoid(send("DELETE", `${base}/subscriptions/${encodeURIComponent(id)}`, { bearer }))
  }
}
