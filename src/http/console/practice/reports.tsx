/** Pages of sent messages, statistics and branding, and the mail preview. */
import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { BrandingPage } from "../../../pages/console/practice/BrandingPage.tsx"
import { MessagesPage } from "../../../pages/console/practice/MessagesPage.tsx"
import { StatisticsPage } from "../../../pages/console/practice/StatisticsPage.tsx"
import { csvOf } from "../../../pages/console/practice/weeks.ts"
import { dayIn, isDay, zonedInstant } from "../../../pages/console/zoned.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { PageNotFound } from "../../../schemas/hosted/errors.ts"
import { MessagePreview } from "../../../schemas/notifications/Message.ts"
import { Listed } from "../../../schemas/paging.ts"
import { DoctorsWeek } from "../../../schemas/scheduling/Statistics.ts"
import { canonicalZone } from "../../../schemas/timeZones.ts"
import type { Visitor } from "../serving/content.ts"
import type { InProcessApi } from "../serving/InProcessApi.ts"
import { pageOf, queryOf } from "../serving/query.ts"
import { answerOf } from "../serving/refusals.ts"
import { choicesOf } from "./choices.ts"
import { patientNames } from "./names.ts"
import { framed } from "./texts.tsx"

type Send = InProcessApi["send"]

const PAGE_SIZE = 50
const statuses = ["pending", "sent", "failed", "skipped"] as const

export const messages = Effect.fn("console.messages")(function* (visitor: Visitor) {
  const { api, query, texts } = visitor
  const page = pageOf(query)
  const status = statuses.find((one) => one === query.get("status")) ?? null
  const { timezone } = yield* api["organisation.settings"].one({})
  const { data, totalPages } = yield* api["management.reports"].messages({
    urlParams: { page, limit: PAGE_SIZE, ...(status !== null && { status }) }
  })
  const names = yield* patientNames(
    visitor,
    data.map(({ patient_uid }) => patient_uid)
  )
  return {
    title: texts.practice.pages.messages,
    zone: timezone,
    body: <MessagesPage messages={data} names={names} status={status} page={page} pages={totalPages} />
  }
})

/** The query's range of days; an invalid day is ignored. */
const rangeOf = (query: URLSearchParams, zone: string) => {
  const secondOf = (name: string) => {
    const day = query.get(name)
    return isDay(day) ? zonedInstant(`${day}T12:00`, zone) : undefined
  }
  const [from, to] = [secondOf("from"), secondOf("until")]
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

export const statistics = Effect.fn("console.statistics")(function* (visitor: Visitor) {
  const { api, query, texts } = visitor
  const { doctors, zone } = yield* choicesOf(visitor)
  const { from, to } = rangeOf(query, zone)
  const urlParams = {
    ...(from !== undefined && { from: UnixSeconds.make(from) }),
    ...(to !== undefined && { to: UnixSeconds.make(to) })
  }
  const { data } = yield* api["management.reports"].statistics({ urlParams })
  const { data: use } = yield* api["management.reports"].resource_statistics({ urlParams })
  const asked = new URLSearchParams({
    zone,
    ...Object.fromEntries(Object.entries({ from, to }).flatMap(([name, at]) => (at ? [[name, String(at)]] : [])))
  })
  return {
    title: texts.practice.pages.statistics,
    zone,
    body: (
      <StatisticsPage
        rows={data}
        use={use}
        doctors={doctors}
        doctor={query.get("doctor") ?? ""}
        from={query.get("from") ?? ""}
        until={query.get("until") ?? ""}
        csv={`/console/practice/statistics.csv?${asked}`}
      />
    )
  }
})

const Weeks = Listed(DoctorsWeek)

/** The statistics as CSV, one line per doctor and week. */
export const statisticsFile = Effect.fnUntraced(function* (send: Send) {
  const query = yield* queryOf
  const named = query.get("zone") ?? ""
  const zone = canonicalZone(named) ?? "Europe/Berlin"
  query.delete("zone")
  const response = yield* send("GET", `/v1/management/statistics?${query}`, null)
  if (response.status >= 300) return yield* new PageNotFound()
  const { data } = yield* Effect.flatMap(answerOf(response), Schema.decodeUnknown(Weeks))
  return HttpServerResponse.text(
    csvOf(data, (week) => dayIn(week, zone)),
    {
      contentType: "text/csv; charset=utf-8",
      headers: {
        "content-disposition": 'attachment; filename="statistics.csv"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff"
      }
    }
  )
})

/** Previews a mail. */
export const mailPreview = Effect.fnUntraced(function* (send: Send) {
  const query = yield* queryOf
  const asked = new URLSearchParams({
    appointment_type_uid: query.get("type") ?? "",
    recipient_role: query.get("role") ?? "patient",
    language: query.get("language") ?? "de"
  })
  const response = yield* send("GET", `/v1/management/messages/preview?${asked}`, null)
  if (response.status >= 300) return yield* new PageNotFound()
  const { html } = yield* Effect.flatMap(answerOf(response), Schema.decodeUnknown(MessagePreview))
  return framed(html, "none")
})

export const branding = (meetingsUrl: string) =>
  Effect.fn("console.branding")(function* ({ api, texts }: Visitor) {
    const organisation = yield* api["organisation.settings"].one({})
    const { data: shops } = yield* api["organisation.shops"].list({ urlParams: { page: 0, limit: 50 } })
    const pages = organisation.public_booking
      ? shops.map(
          ({ name, shop_identifier }) =>
            [name ?? shop_identifier, `${meetingsUrl}/book/${encodeURIComponent(shop_identifier)}`] as const
        )
      : []
    return {
      title: texts.practice.pages.branding,
      live: false,
      body: <BrandingPage organisation={organisation} pages={pages} />
    }
  })
