/** Public holidays by Land (Rule 3.11). */
import { Schema } from "effect"

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
