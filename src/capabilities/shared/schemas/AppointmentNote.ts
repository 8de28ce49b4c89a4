import { Schema } from "effect"
import { described, UnixSeconds } from "../../../schemas/fields.ts"

export const AppointmentNote = Schema.Struct({
  note: described(Schema.NullOr(Schema.String), "The doctor's own words; null without a note"),
  updated_at: described(Schema.NullOr(UnixSeconds), "Unix seconds; null without a note")
}).annotations({ identifier: "AppointmentNote" })
export type AppointmentNote = typeof AppointmentNote.Type
