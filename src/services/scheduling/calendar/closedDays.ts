/** The days on which a doctor is closed for holidays (Rules 3.11.2 and 3.11.3). */
import { type Holiday, publicHolidays } from "../../../schemas/scheduling/Holiday.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { yearOf } from "./dates.ts"

/** The holiday settings of an organisation or a doctor. */
export interface HolidaySettings {
  readonly holiday_region: string | null
  readonly extra_holidays: ReadonlyArray<Holiday>
}

/** Public holidays by region and year: computed once. */
const known = new Map<string, ReadonlyMap<number, string>>()
const publicHolidaysOf = (region: string, year: number) => {
  const key = `${region} ${year}`
  const found =
    known.get(key) ??
    new Map(
      publicHolidays()
        .of(region, year)
        .map(({ day, name }) => [day, name])
    )
  known.set(key, found)
  return found
}

const dayOfDate = (date: string) => Date.parse(`${date}T00:00:00Z`) / (DAY * 1000)

/**
 * The name of the holiday on a local day (days since 1970-01-01); undefined: none. The doctor's region counts, else the organisation's;
 * extra holidays of both count. Of two names the law's comes first.
 */
export const holidayName = (organisation: HolidaySettings, doctor: HolidaySettings) => {
  const region = doctor.holiday_region ?? organisation.holiday_region
  const extra = new Map(
    [...organisation.extra_holidays, ...doctor.extra_holidays].map(({ date, name }) => [dayOfDate(date), name])
  )
  return (day: number): string | undefined =>
    (region === null ? undefined : publicHolidaysOf(region, yearOf(day)).get(day)) ?? extra.get(day)
}

const NONE: ReadonlySet<number> = new Set()

/** The closed local days from `first` to `last`. */
export const closedDays = (organisation: HolidaySettings, doctor: HolidaySettings, first: number, last: number) => {
  if (
    (doctor.holiday_region ?? organisation.holiday_region) === null &&
    organisation.extra_holidays.length + doctor.extra_holidays.length === 0
  )
    return NONE
  const nameOf = holidayName(organisation, doctor)
  const closed = new Set<number>()
  for (let day = first; day <= last; day++) if (nameOf(day) !== undefined) closed.add(day)
  return closed
}
