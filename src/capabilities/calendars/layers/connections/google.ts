/** Google Calendar, version 3: only the fields that say when somebody is busy are asked for. */
import { Effect, Redacted, Schema } from "effect"
import type { SettingsShape } from "../../../../config.ts"
import { instantOfWall, zoneOf } from "../../../../services/scheduling/slots/zones.ts"
import {
  type CalendarProvider,
  type Granting,
  ProviderFailed,
  type ReadEntry,
  type WrittenEntry
} from "../../services/connections/CalendarProviders.ts"
import { decodedBy, pagesOf, type Send, tokensBy } from "./calls.ts"

const SCOPES = [
  "https://www.googleapis.com/auth/calendar.events",
  "https://www.googleapis.com/auth/calendar.calendarlist.readonly"
]
const PROPERTY = "sprechstunde"

const Time = Schema.Struct({ date: Schema.optional(Schema.String), dateTime: Schema.optional(Schema.String) })
const Item = Schema.Struct({
  id: Schema.String,
  status: Schema.optional(Schema.String),
  transparency: Schema.optional(Schema.String),
  eventType: Schema.optional(Schema.String),
  start: Schema.optional(Time),
  end: Schema.optional(Time),
  attendees: Schema.optional(
    Schema.Array(
      Schema.Struct({ self: Schema.optional(Schema.Boolean), responseStatus: Schema.optional(Schema.String) })
    )
  ),
  extendedProperties: Schema.optional(
    Schema.Struct({ private: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })) })
  )
})
const Items = Schema.Struct({
  items: Schema.optional(Schema.Array(Item)),
  nextPageToken: Schema.optional(Schema.String),
  nextSyncToken: Schema.optional(Schema.String)
})
const FIELDS =
  "nextPageToken,nextSyncToken,items(id,status,transparency,eventType,start,end,attendees(self,responseStatus),extendedProperties/private)"
const calendarList = decodedBy(
  Schema.Struct({
    items: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        summary: Schema.optional(Schema.String),
        primary: Schema.optional(Schema.Boolean)
      })
    )
  })
)
const itemsOf = decodedBy(Items)
const itemOf = decodedBy(Item)
const created = decodedBy(Schema.Struct({ id: Schema.String }))
const channel = decodedBy(
  Schema.Struct({ id: Schema.String, resourceId: Schema.String, expiration: Schema.optional(Schema.String) })
)

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

export const googleGranting = (
  { clientId, clientSecret, accountsUrl, tokenUrl }: SettingsShape["calendarProviders"]["google"],
  send: Send
): Granting | undefined => {
  if (clientId === undefined || clientSecret === undefined) return undefined
  const tokens = tokensBy(send, tokenUrl, { client_id: clientId, client_secret: Redacted.value(clientSecret) })
  return {
    isStandIn: new URL(tokenUrl).host !== "oauth2.googleapis.com",
    authorizeUrl: ({ state, challenge, redirect }) =>
      `${accountsUrl}/o/oauth2/v2/auth?${new URLSearchParams({
        client_id: clientId,
        response_type: "code",
        redirect_uri: redirect,
        scope: SCOPES.join(" "),
        access_type: "offline",
        prompt: "consent",
        state,
        code_challenge: challenge,
        code_challenge_method: "S256"
      })}`,
    exchange: (code, code_verifier, redirect_uri) =>
      tokens({ grant_type: "authorization_code", code, code_verifier, redirect_uri }),
    refresh: (refresh_token) => tokens({ grant_type: "refresh_token", refresh_token }),
    revoke: (token) => Effect.asVoid(send("POST", new URL("revoke", tokenUrl).href, { form: { token } }))
  }
}

export const google = (apiUrl: string, send: Send): CalendarProvider => {
  const base = `${apiUrl}/calendar/v3`
  const eventsOf = (calendar: string) => `${base}/calendars/${encodeURIComponent(calendar)}/events`
  const eventOf = (calendar: string, id: string) => `${eventsOf(calendar)}/${encodeURIComponent(id)}`
  return {
    calendars: ({ access_token: bearer }) =>
      Effect.map(
        Effect.flatMap(send("GET", `${base}/users/me/calendarList`, { bearer }), calendarList),
        ({ items }) => {
          const account = items.find(({ primary }) => primary)?.id ?? ""
          return items.map(({ id, summary = id, primary = false }) => ({
            id,
            name: summary,
            account,
            isDefault: primary
          }))
        }
      ),
    changes: ({ access_token: bearer }, { calendar, token, from, to, timezone }) => {
      const period = { timeMin: new Date(from * 1000).toISOString(), timeMax: new Date(to * 1000).toISOString() }
      const common = { singleEvents: "true", showDeleted: "true", maxResults: "2500", fields: FIELDS }
      const query = new URLSearchParams({ ...common, ...(token === null ? period : { syncToken: token }) })
      const first = `${eventsOf(calendar)}?${query}`
      return pagesOf(
        first,
        (url) =>
          Effect.flatMap(send("GET", url, { bearer }), (answer) =>
            answer.status === 410 ? new ProviderFailed({ reason: "token_lost" }) : itemsOf(answer)
          ),
        ({ nextPageToken }) => nextPageToken && `${first}&${new URLSearchParams({ pageToken: nextPageToken })}`
      ).pipe(
        Effect.map((pages) => ({
          entries: pages.flatMap(({ items = [] }) => items.map(read(timezone))),
          isWhole: token === null,
          token: pages.at(-1)?.nextSyncToken ?? null
        }))
      )
    },
    find: ({ access_token: bearer }, calendar, key) =>
      Effect.catchIf(
        Effect.map(Effect.flatMap(send("GET", eventOf(calendar, key), { bearer }), itemOf), ({ id, status }) =>
          status === "cancelled" ? null : id
        ),
        ({ reason }) => reason === "absent",
        () => Effect.succeed(null)
      ),
    // our key is the event's identifier, too: Google refuses a second one
    create: ({ access_token: bearer }, calendar, entry) =>
      Effect.flatMap(
        send("POST", eventsOf(calendar), { bearer, json: { id: entry.key, ...written(entry) } }),
        (answer) =>
          answer.status === 409
            ? Effect.as(
                Effect.flatMap(send("PATCH", eventOf(calendar, entry.key), { bearer, json: written(entry) }), created),
                entry.key
              )
            : Effect.map(created(answer), ({ id }) => id)
      ),
    change: ({ access_token: bearer }, calendar, id, entry) =>
      Effect.gen(function* () {
        const { status } = yield* Effect.flatMap(send("GET", eventOf(calendar, id), { bearer }), itemOf)
        if (status === "cancelled") return yield* new ProviderFailed({ reason: "absent" })
        yield* Effect.flatMap(send("PATCH", eventOf(calendar, id), { bearer, json: written(entry) }), created)
      }),
    remove: ({ access_token: bearer }, calendar, id) =>
      Effect.flatMap(send("DELETE", eventOf(calendar, id), { bearer }), ({ status }) =>
        status < 300 || status === 404 || status === 410 ? Effect.void : new ProviderFailed({ reason: "refused" })
      ),
    subscribe: ({ access_token: bearer }, calendar, address, now) =>
      Effect.map(
        Effect.flatMap(
          send("POST", `${eventsOf(calendar)}/watch`, {
            bearer,
            json: { id: crypto.randomUUID(), type: "web_hook", address }
          }),
          channel
        ),
        ({ id, resourceId, expiration }) => ({
          id,
          resource: resourceId,
          until: expiration === undefined ? now + 86_400 : Math.floor(Number(expiration) / 1000)
        })
      ),
    unsubscribe: ({ access_token: bearer }, { id, resource }) =>
      Effect.asVoid(send("POST", `${base}/channels/stop`, { bearer, json: { id, resourceId: resource } }))
  }
}
