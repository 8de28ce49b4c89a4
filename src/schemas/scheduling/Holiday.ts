/** Days on which a practice is closed (Rule 3.11). */
import { Schema } from "effect"
import { described, listOf, Name, withDefault } from "../fields.ts"

/** What is known about public holidays. */
export interface PublicHolidays {
  readonly isRegion: (code: string) => boolean
  /** By local day, in days since 1970-01-01. Two of one day are both listed. */
  readonly of: (region: string, year: number) => ReadonlyArray<{ readonly day: number; readonly name: string }>
}
let known: PublicHolidays = { isRegion: () => true, of: () => [] }

/** Knows public holidays from now on. Called at start; without it no region has any. */
export const addPublicHolidays = (holidays: PublicHolidays) => {
  known = holidays
}
export const publicHolidays = () => known

const regionMessage = () => "must be a country or a region of one, e.g. DE-BE"
/** A country or a part of one by the codes of ISO 3166, and parts of these. */
export const HolidayRegion = Schema.String.annotations({ message: regionMessage }).pipe(
  Schema.filter((code) => code.length <= 16 && publicHolidays().isRegion(code), {
    message: regionMessage,
    jsonSchema: { maxLength: 16, examples: ["DE-BE"] }
  })
)

const dateMessage = () => "must be a date, YYYY-MM-DD"
const isDate = (text: string) => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
/** A calendar date, `YYYY-MM-DD`. */
export const IsoDate = Schema.String.annotations({ message: dateMessage }).pipe(
  Schema.filter(isDate, {
    message: dateMessage,
    jsonSchema: { format: "date", maxLength: 10, examples: ["2035-12-24"] }
  })
)

/** A day with the name that pages show. */
export const Holiday = Schema.Struct({
  date: described(IsoDate, "YYYY-MM-DD"),
  name: Name.annotations({ description: "Name of the day", examples: ["Betriebsausflug"] })
}).annotations({ identifier: "Holiday" })
export type Holiday = typeof Holiday.Type

/** The holidays of an organisation or a doctor. */
export const holidayFields = {
  holiday_region: Schema.NullOr(HolidayRegion).annotations({
    description:
      "The region whose public holidays count; null: of a doctor the organisation's, of an organisation none",
    examples: ["DE-BE"]
  }),
  extra_holidays: listOf(Holiday, { max: 100, description: "Further closed days" })
}
export const newHolidayFields = {
  holiday_region: withDefault(holidayFields.holiday_region, null),
  extra_holidays: withDefault(holidayFields.extra_holidays, [])
}
