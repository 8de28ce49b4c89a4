/** The console's pages of holidays. */
import { Effect } from "effect"
import type { Language } from "../../../texts/language.ts"
import type { AddedPage, Visitor } from "../../shared/http/pages.ts"
import type { Choices } from "../../shared/pages/rows.tsx"
import { dayIn, isDay } from "../../shared/pages/zoned.ts"
import { HolidaysApi } from "../http/HolidaysApi.ts"
import { isRegion, regions } from "../services/publicHolidays.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { DoctorHolidays, HolidaysPage, type WantedHolidays } from "./HolidaysPage.tsx"

/** The regions with their names, those of the practice's country first. */
const choicesOf = (language: Language, own: string): Choices => {
  const countries = new Intl.DisplayNames([language], { type: "region" })
  const named = regions().map(({ code, names: [country, ...parts] }) => ({
    code,
    isOwn: country === own,
    name: [countries.of(country) ?? country, ...parts].join(", ")
  }))
  const { compare } = new Intl.Collator(language)
  return named
    .sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || compare(a.name, b.name))
    .map(({ code, name }) => [code, name])
}

/** The holidays that the query asks to see first; null without a question. */
const wantedIn = ({ query, language }: Visitor): WantedHolidays | null => {
  const region = query.get("region")
  if (region === null) return null
  const names = query.getAll("name")
  return {
    holiday_region: isRegion(region) ? region : null,
    extra_holidays: query
      .getAll("date")
      .flatMap((date, index) =>
        isDay(date) ? [{ date, name: names[index]?.trim() || deskTextsOf(language).closed }] : []
      )
  }
}

const yearOf = (query: URLSearchParams, today: string) => {
  const year = Number(query.get("year"))
  return Number.isInteger(year) && year >= 1990 && year <= 2100 ? year : Number(today.slice(0, 4))
}

export const holidaysPage: AddedPage = {
  path: "holidays",
  entry: { text: (language) => deskTextsOf(language).title, under: "/console/practice/hours" },
  hiddenFrom: ["reception", "doctor_assistant", "billing", "read_only"],
  show: Effect.fn("console.holidays")(function* (visitor) {
    const { clientOf, language, now, query } = visitor
    const api = yield* clientOf(HolidaysApi)
    const current = yield* visitor.api["organisation.settings"].one({})
    const wanted = wantedIn(visitor)
    const hit = wanted && (yield* api["management.holidays"].preview({ payload: wanted }))
    const { holiday_region: region, extra_holidays } = wanted ?? current
    const year = yearOf(query, dayIn(now, current.timezone))
    const { data } =
      region === null ? { data: [] } : yield* api["management.holidays"].list({ urlParams: { region, year } })
    const listed = [...data, ...extra_holidays.filter(({ date }) => date.startsWith(`${year}-`))].toSorted((a, b) =>
      a.date.localeCompare(b.date)
    )
    const choices = choicesOf(language, current.country_code)
    return {
      title: deskTextsOf(language).title,
      zone: current.timezone,
      live: false,
      body: <HolidaysPage regions={choices} current={current} wanted={wanted} hit={hit} year={year} listed={listed} />
    }
  })
}

/** Those of the doctor whom the page shows. */
export const holidaysOfDoctor = Effect.fn("console.holidaysOfDoctor")(function* (visitor: Visitor) {
  const { api, language, query } = visitor
  const { data } = yield* api["organisation.doctors"].list({ urlParams: { page: 0, limit: 200 } })
  const one = data.find(({ uid }) => uid === query.get("doctor"))
  if (one === undefined) return null
  const { country_code } = yield* api["organisation.settings"].one({})
  return <DoctorHolidays one={one} regions={choicesOf(language, country_code)} wanted={wantedIn(visitor)} />
})
