/** Public holidays by region, and the preview of a change (Rule 3.11). */
import { Schema } from "effect"
import { body, Count, changes, described, queryInteger } from "../../../schemas/fields.ts"
import { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { HolidayRegion, holidayFields } from "../../../schemas/scheduling/Holiday.ts"

export const HolidayQuery = body({
  region: described(HolidayRegion, "Country or region, e.g. `DE-BE`"),
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
