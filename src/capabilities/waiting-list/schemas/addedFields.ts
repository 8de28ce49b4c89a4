/** What the waiting list adds to appointment types, organisations and their periods of retention. Rules 19.1.6, 19.2.12 and 12.6. */
import { Schema } from "effect"
import type { AddedFields } from "../../../schemas/addedFields.ts"
import { Flag } from "../../../schemas/fields.ts"
import type { RetentionKind } from "../../../schemas/patients/retentionKinds.ts"

export const waitlistTypeFields = {
  waitlist: {
    schema: Schema.NullOr(Flag).annotations({
      description:
        "The waiting list: true also asks patients on the pages whether they want to wait; null takes entries by interface and " +
        "from the practice alone; false takes none, and makes no offers"
    }),
    absent: null
  }
} satisfies AddedFields
/** Of a type in the interface, as it is while the capability is on. */
export const waitlistOf = Schema.decodeUnknownSync(
  Schema.Struct({ waitlist: Schema.optionalWith(waitlistTypeFields.waitlist.schema, { default: () => null }) })
)

export const waitlistOrganisationFields = {
  waitlist_paused: {
    schema: Flag.annotations({
      description: "Whether the waiting list makes no offers: freed times go to search, and entries keep their place"
    }),
    absent: false
  }
} satisfies AddedFields
/** The same of an organisation. */
export const WaitlistSettings = Schema.Struct({ waitlist_paused: waitlistOrganisationFields.waitlist_paused.schema })

export const keptEntries: RetentionKind = {
  what: "Entries of the waiting list with their offers, after the end of the time that was waited for",
  days: 430, // the longest range of weekly figures, and some days
  minimum: 1,
  reason: "Art. 5 (1) (e) GDPR: statistics of refilled times compare with the year before"
}
