/** Public holidays by Land (Rule 3.11). */
import { Schema } from "effect"
import { body, Count, changes, described, listOf, Name, queryInteger, withDefault } from "../fields.ts"
import { Appointment } from "./Appointment.ts"

/** ISO 3166-2 codes of the sixteen Länder. */
export const HolidayRegion = Schema.Literal(
  "DE-BW",
  "DE-BY",
  "DE-BE",
  "DE-BB",
  "DE-HB",
  "DE-HH",
  "DE-HE",
  "DE-MV",
  "DE-NI",
  "DE-NW",
  "DE-RP",
  "DE-SL",
  "DE-SN",
  "DE-ST",
  "DE-SH",
  "DE-TH"
).annotations({ identifier: "HolidayRegion" })
export type HolidayRegion = typeof HolidayRegion.Type

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
    description: "The Land whose public holidays count; null: of a doctor the organisation's, of an organisation none",
    examples: ["DE-BE"]
  }),
  extra_holidays: listOf(Holiday, { max: 100, description: "Further closed days" })
}
export const newHolidayFields = {
  holiday_region: withDefault(holidayFields.holiday_region, null),
  extra_holidays: withDefault(holidayFields.extra_holidays, [])
}

export const HolidayQuery = body({
  region: HolidayRegion.annotations({
    description: "ISO 3166-2 code of the Land",
    message: () => `must be one of ${HolidayRegion.literals.join(", ")}`
  }),
  year: queryInteger(1990, 2100, "Year")
})

/** The change to preview: the fields of a PATCH of the organisation; others are ignored. */
export const HolidayPreview = changes(holidayFields)
export const HolidayEffects = Schema.Struct({
  appointments: Schema.Array(Appointment).annotations({
    description: "Confirmed appointments that would be on a holiday, by start; at most 500"
  }),
  count: described(Count, "How many there are")
})
