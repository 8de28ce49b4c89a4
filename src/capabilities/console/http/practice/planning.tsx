/** Holidays. */
import { Effect, Schema } from "effect"
import { dayIn, isDay } from "../../../../pages/staff/zoned.ts"
import { HolidayRegion } from "../../../../schemas/scheduling/Holiday.ts"
import { HolidaysPage, type WantedHolidays } from "../../pages/practice/HolidaysPage.tsx"
import type { Visitor } from "../serving/visitor.ts"

const isRegion = Schema.is(HolidayRegion)

/** The holidays that the query asks to see first; null without a question. */
export const wantedHolidays = (query: URLSearchParams, closed: string): WantedHolidays | null => {
  if (!query.has("region")) return null
  const names = query.getAll("name")
  const region = query.get("region")
  return {
    holiday_region: isRegion(region) ? region : null,
    extra_holidays: query
      .getAll("date")
      .flatMap((date, index) => (isDay(date) ? [{ date, name: names[index]?.trim() || closed }] : []))
  }
}

const yearOf = (query: URLSearchParams, today: string) => {
  const year = Number(query.get("year"))
  return Number.isInteger(year) && year >= 1990 && year <= 2100 ? year : Number(today.slice(0, 4))
}

export const holidays = Effect.fn("console.holidays")(function* ({ api, now, query, texts }: Visitor) {
  const current = yield* api["organisation.settings"].one({})
  const wanted = wantedHolidays(query, texts.planning.holidays.closed)
  const hit = wanted && (yield* api["organisation.settings"].preview_holidays({ payload: wanted }))
  const { holiday_region: region, extra_holidays } = wanted ?? current
  const year = yearOf(query, dayIn(now, current.timezone))
  const { data } =
    region === null ? { data: [] } : yield* api["organisation.settings"].holidays({ urlParams: { region, year } })
  const listed = [...data, ...extra_holidays.filter(({ date }) => date.startsWith(`${year}-`))].toSorted((a, b) =>
    a.date.localeCompare(b.date)
  )
  return {
    title: texts.planning.pages.holidays,
    zone: current.timezone,
    live: false,
    body: <HolidaysPage current={current} wanted={wanted} hit={hit} year={year} listed={listed} />
  }
})
