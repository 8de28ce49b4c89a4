/** Calendars of Microsoft 365 and Outlook.com by Microsoft Graph, version 1.0. */
import { Effect, Redacted, Schema } from "effect"
import type { SettingsShape } from "../../../../config.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { instantOfWall, zoneOf } from "../../../../services/scheduling/slots/zones.ts"
import {
  type CalendarProvider,
  type Granting,
  ProviderFailed,
  type ReadEntry,
  type WrittenEntry
} from "../../services/connections/CalendarProviders.ts"
import { type Answer, decodedBy, pagesOf, type Send, tokensBy } from "./calls.ts"

const SCOPE = "offline_access https://graph.microsoft.com/Calendars.ReadWrite"
/** The extended property with our key: a name in a namespace of our own. */
const PROPERTY = "String {7f0a1c52-3f0d-4d5e-9a64-0c5e6f6d2b11} Name sprechstunde"
/** Graph takes at most three days less ten minutes for subscriptions of calendars. */
const SUBSCRIBED = 2 * DAY

const Time = Schema.Struct({ dateTime: Schema.String })
const Item = Schema.Struct({
  id: Schema.String,
  "@removed": Schema.optional(Schema.Unknown),
  seriesMasterId: Schema.optional(Schema.NullOr(Schema.String)),
  type: Schema.optional(Schema.String),
  isCancelled: Schema.optional(Schema.Boolean),
  isAllDay: Schema.optional(Schema.Boolean),
  showAs: Schema.optional(Schema.String),
  responseStatus: Schema.optional(Schema.NullOr(Schema.Struct({ response: Schema.optional(Schema.String) }))),
  start: Schema.optional(Time),
  end: Schema.optional(Time)
})
type Item = typeof Item.Type
const itemsOf = decodedBy(
  Schema.Struct({
    value: Schema.Array(Item),
    "@odata.nextLink": Schema.optional(Schema.String),
    "@odata.deltaLink": Schema.optional(Schema.String)
  })
)
const calendarList = decodedBy(
  Schema.Struct({
    value: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        name: Schema.optional(Schema.String),
        isDefaultCalendar: Schema.optional(Schema.Boolean),
        owner: Schema.optional(Schema.NullOr(Schema.Struct({ address: Schema.optional(Schema.NullOr(Schema.String)) })))
      })
    )
  })
)
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

export const microsoftGranting = (
  { clientId, clientSecret, tenant, loginUrl }: SettingsShape["calendarProviders"]["microsoft"],
  send: Send
): Granting | undefined => {
  if (clientId === undefined || clientSecret === undefined) return undefined
  const base = `${loginUrl}/${tenant}/oauth2/v2.0`
  const client = { client_id: clientId, client_secret: Redacted.value(clientSecret), scope: SCOPE }
  const tokens = tokensBy(send, `${base}/token`, client)
  return {
    isStandIn: loginUrl !== "https://login.microsoftonline.com",
    authorizeUrl: ({ state, challenge, redirect }) =>
      `${base}/authorize?${new URLSearchParams({
        client_id: clientId,
        response_type: "code",
        response_mode: "query",
        redirect_uri: redirect,
        scope: SCOPE,
        state,
        code_challenge: challenge,
        code_challenge_method: "S256"
      })}`,
    exchange: (code, code_verifier, redirect_uri) =>
      tokens({ grant_type: "authorization_code", code, code_verifier, redirect_uri }),
    refresh: (refresh_token) => tokens({ grant_type: "refresh_token", refresh_token }),
    revoke: () => Effect.void
  }
}

export const microsoft = (apiUrl: string, send: Send): CalendarProvider => {
  const base = `${apiUrl}/v1.0`
  const calendarOf = (id: string) => `${base}/me/calendars/${encodeURIComponent(id)}`
  const eventOf = (id: string) => `${base}/me/events/${encodeURIComponent(id)}`
  const isLost = ({ status, text }: Answer) =>
    status === 410 || (status >= 400 && /syncState|resyncRequired|ErrorInvalidSyncState/i.test(text))
  return {
    calendars: ({ access_token: bearer }) =>
      Effect.map(Effect.flatMap(send("GET", `${base}/me/calendars`, { bearer }), calendarList), ({ value }) =>
        value.map(({ id, name = id, isDefaultCalendar = false, owner }) => ({
          id,
          name,
          account: owner?.address ?? "",
          isDefault: isDefaultCalendar
        }))
      ),
    changes: ({ access_token: bearer }, { calendar, token, from, to, timezone }) => {
      const period = {
        startDateTime: new Date(from * 1000).toISOString(),
        endDateTime: new Date(to * 1000).toISOString()
      }
      const first = token ?? `${calendarOf(calendar)}/calendarView/delta?${new URLSearchParams(period)}`
      // the token is an address that the provider named: nothing is sent elsewhere
      if (!first.startsWith(`${apiUrl}/`)) return new ProviderFailed({ reason: "token_lost" })
      return pagesOf(
        first,
        (url) =>
          url.startsWith(`${apiUrl}/`)
            ? Effect.flatMap(send("GET", url, { bearer, headers }), (answer) =>
                isLost(answer) ? new ProviderFailed({ reason: "token_lost" }) : itemsOf(answer)
              )
            : new ProviderFailed({ reason: "refused" }),
        (page) => page["@odata.nextLink"]
      ).pipe(
        Effect.map((pages) => {
          const items = pages.flatMap(({ value }) => value)
          const masters = new Map(items.flatMap((one) => (one.type === "seriesMaster" ? [[one.id, one] as const] : [])))
          return {
            entries: items.filter(({ type }) => type !== "seriesMaster").map(read(timezone, masters)),
            isWhole: token === null,
            token: pages.at(-1)?.["@odata.deltaLink"] ?? null
          }
        })
      )
    },
    find: ({ access_token: bearer }, calendar, key) => {
      const filter = `singleValueExtendedProperties/Any(ep: ep/id eq '${PROPERTY}' and ep/value eq '${key}')`
      return Effect.map(
        Effect.flatMap(
          send("GET", `${calendarOf(calendar)}/events?${new URLSearchParams({ $filter: filter, $select: "id" })}`, {
            bearer,
            headers
          }),
          itemsOf
        ),
        ({ value }) => value[0]?.id ?? null
      )
    },
    create: ({ access_token: bearer }, calendar, entry) =>
      Effect.map(
        Effect.flatMap(
          send("POST", `${calendarOf(calendar)}/events`, {
            bearer,
            headers,
            json: { ...written(entry), transactionId: entry.attempt }
          }),
          created
        ),
        ({ id }) => id
      ),
    change: ({ access_token: bearer }, _, id, entry) =>
      Effect.asVoid(Effect.flatMap(send("PATCH", eventOf(id), { bearer, headers, json: written(entry) }), created)),
    remove: ({ access_token: bearer }, _, id) =>
      Effect.flatMap(send("DELETE", eventOf(id), { bearer, headers }), ({ status }) =>
        status < 300 || status === 404 || status === 410 ? Effect.void : new ProviderFailed({ reason: "refused" })
      ),
    subscribe: ({ access_token: bearer }, calendar, address, now) =>
      Effect.map(
        Effect.flatMap(
          send("POST", `${base}/subscriptions`, {
            bearer,
            headers,
            json: {
              changeType: "created,updated,deleted",
              notificationUrl: address,
              resource: `/me/calendars/${calendar}/events`,
              expirationDateTime: new Date((now + SUBSCRIBED) * 1000).toISOString()
            }
          }),
          subscription
        ),
        ({ id, expirationDateTime }) => ({ id, resource: "", until: Math.floor(Date.parse(expirationDateTime) / 1000) })
      ),
    unsubscribe: ({ access_token: bearer }, { id }) =>
      Effect.asVoid(send("DELETE", `${base}/subscriptions/${encodeURIComponent(id)}`, { bearer }))
  }
}
