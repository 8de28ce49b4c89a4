/** The console's page of statistics, their file, and the weeks of the waiting list. */
import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { PageNotFound } from "../../../schemas/hosted/errors.ts"
import { Listed } from "../../../schemas/paging.ts"
import { canonicalZone } from "../../../schemas/timeZones.ts"
import { choicesOf } from "../../shared/http/choices.ts"
import type { AddedFile, AddedPage, Visitor } from "../../shared/http/pages.ts"
import { queryOf } from "../../shared/http/query.ts"
import { answerOf } from "../../shared/http/refusals.ts"
import { dayIn, isDay, zonedInstant } from "../../shared/pages/zoned.ts"
import { StatisticsApi } from "../http/StatisticsApi.ts"
import { DoctorsWeek } from "../schemas/Statistics.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { RefilledCard, StatisticsPage, steps } from "./StatisticsPage.tsx"
import { csvOf } from "./weeks.ts"

/** The query's range of days; an invalid day is ignored. */
const rangeOf = (query: URLSearchParams, zone: string) => {
  const secondOf = (name: string) => {
    const day = query.get(name)
    return isDay(day) ? zonedInstant(`${day}T12:00`, zone) : undefined
  }
  const [from, to] = [secondOf("from"), secondOf("until")]
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

const show = Effect.fn("console.statistics")(function* (visitor: Visitor) {
  const { clientOf, query, language } = visitor
  const { doctors, zone } = yield* choicesOf(visitor)
  const { from, to } = rangeOf(query, zone)
  const urlParams = {
    ...(from !== undefined && { from: UnixSeconds.make(from) }),
    ...(to !== undefined && { to: UnixSeconds.make(to) })
  }
  const api = yield* clientOf(StatisticsApi)
  const { data } = yield* api["management.statistics"].statistics({ urlParams })
  const { data: use } = yield* api["management.statistics"].resource_statistics({ urlParams })
  const asked = new URLSearchParams({
    zone,
    ...Object.fromEntries(Object.entries({ from, to }).flatMap(([name, at]) => (at ? [[name, String(at)]] : [])))
  })
  return {
    title: deskTextsOf(language).title,
    zone,
    body: (
      <StatisticsPage
        rows={data}
        use={use}
        doctors={doctors}
        doctor={query.get("doctor") ?? ""}
        from={query.get("from") ?? ""}
        until={query.get("until") ?? ""}
        by={steps.find((step) => step === query.get("by")) ?? "week"}
        csv={`/console/practice/statistics.csv?${asked}`}
      />
    )
  }
})

export const statisticsPage: AddedPage = {
  path: "statistics",
  entry: { text: (language) => deskTextsOf(language).title },
  hiddenFrom: ["reception", "doctor_assistant", "read_only"],
  show
}

/** What the waiting list has given again, below the page of its entries. */
export const refilledWeeks = Effect.fn("console.refilledWeeks")(function* ({ clientOf }: Visitor) {
  const api = yield* clientOf(StatisticsApi)
  const { data } = yield* api["management.statistics"].statistics({ urlParams: {} })
  return <RefilledCard weeks={data} />
})

const Weeks = Listed(DoctorsWeek)

/** The statistics as CSV, one line per doctor and week. */
export const statisticsFile: AddedFile = Effect.fnUntraced(function* (send) {
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
