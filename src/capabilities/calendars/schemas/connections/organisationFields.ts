/** Settings of an organisation about what is written into its doctors' calendars. Rule 3.15.4. */
import { Schema } from "effect"
import type { AddedFields } from "../../../../schemas/addedFields.ts"
import { Name } from "../../../../schemas/fields.ts"

export const EntrySettings = Schema.Struct({
  calendar_entry_title: Name.annotations({ description: "Title of an appointment in the doctor's own calendar" }),
  calendar_entry_details: Schema.Literal("none", "initials").annotations({
    description: "`initials`: the title is followed by the patient's initials"
  })
})
export type EntrySettings = typeof EntrySettings.Type

export const organisationFields: AddedFields = {
  calendar_entry_title: { schema: EntrySettings.fields.calendar_entry_title, absent: "Termin" },
  calendar_entry_details: { schema: EntrySettings.fields.calendar_entry_details, absent: "none" }
}
