/** Holidays, calendars kept elsewhere and the waiting list. */
import { Effect, Schema } from "effect"
import { CalendarsPage } from "../../../pages/console/practice/CalendarsPage.tsx"
import { HolidaysPage, type WantedHolidays } from "../../../pages/console/practice/HolidaysPage.tsx"
import { WaitlistEntryPage, WaitlistPage } from "../../../pages/console/practice/WaitlistPages.tsx"
import { dayIn, isDay } from "../../../pages/console/zoned.ts"
import { AppointmentTypeUid, DoctorUid, WaitlistEntryUid } from "../../../schemas/ids.ts"
import { HolidayRegion } from "../../../schemas/scheduling/Holiday.ts"
import { EntryStatus, Need } from "../../../schemas/scheduling/Waitlist.ts"
import type { Visitor } from "../serving/content.ts"
import { pageOf, segment } from "../serving/query.ts"
import { choicesOf, chosenOf } from "./choices.ts"
import { namesOf } from "./names.ts"

const PAGE_SIZE = 20

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

export const calendars = Effect.fn("console.calendars")(function* (visitor: Visitor) {
  const { api, query, texts } = visitor
  const { doctors, zone } = yield* choicesOf(visitor)
  const doctor = chosenOf(doctors, query.get("doctor"))
  const { data } =
    doctor === ""
      ? { data: [] }
      : yield* api["management.busy_sources"].list({ path: { doctor_uid: DoctorUid.make(doctor) }, urlParams: {} })
  return {
    title: texts.planning.pages.calendars,
    zone,
    body: <CalendarsPage doctors={doctors} doctor={doctor} sources={data} />
  }
})

const oneOf =
  <A,>(schema: Schema.Schema<A>) =>
  (text: string | null) =>
    Schema.is(schema)(text) ? text : null
const isStatus = oneOf(EntryStatus)
const isNeed = oneOf(Need)
const liveStatuses = ["waiting", "offered", "paused"] as const

export const waitlist = Effect.fn("console.waitlist")(function* (visitor: Visitor) {
  const { api, query, texts } = visitor
  const { types, doctors, zone } = yield* choicesOf(visitor)
  const page = pageOf(query)
  const asked = query.get("status") ?? "open"
  const status = isStatus(asked)
  const need = isNeed(query.get("need"))
  const type = types.find(([uid]) => uid === query.get("type"))?.[0]
  const read = (status: EntryStatus | null) =>
    api["management.waitlist"].list({
      urlParams: {
        page,
        limit: PAGE_SIZE,
        ...(status !== null && { status }),
        ...(need !== null && { need }),
        ...(type !== undefined && { appointment_type_uid: AppointmentTypeUid.make(type) })
      }
    })
  const found =
    asked === "open"
      ? yield* Effect.map(Effect.forEach(liveStatuses, read), (lists) => ({
          data: lists.flatMap(({ data }) => data).toSorted((a, b) => a.created_at - b.created_at),
          totalPages: Math.max(...lists.map(({ totalPages }) => totalPages))
        }))
      : yield* read(status)
  const names = yield* namesOf(visitor, found.data, { types, doctors })
  const { waitlist_paused } = yield* api["organisation.settings"].one({})
  return {
    title: texts.planning.pages.waitlist,
    zone,
    body: (
      <WaitlistPage
        entries={found.data}
        filter={{ status: asked, need: need ?? "", type: type ?? "" }}
        page={page}
        pages={found.totalPages}
        types={types}
        names={names}
        isPaused={waitlist_paused}
      />
    )
  }
})

export const waitlistEntry = Effect.fn("console.waitlistEntry")(function* (visitor: Visitor) {
  const { api, texts } = visitor
  const path = { waitlist_entry_uid: WaitlistEntryUid.make(yield* segment("uid")) }
  const entry = yield* api["management.waitlist"].get({ path })
  const offers = yield* api["management.waitlist"].offers({ path })
  const { zone, ...choices } = yield* choicesOf(visitor)
  const names = yield* namesOf(visitor, [entry], choices)
  return {
    title: texts.planning.pages.waitlist,
    zone,
    body: <WaitlistEntryPage entry={entry} offers={offers} names={names} />
  }
})
