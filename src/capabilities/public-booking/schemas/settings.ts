/** What public booking adds to organisations: its switch, which needs the pages that the law asks for. Rules 5.8.1 and 5.8.10. */
import { Effect, Schema } from "effect"
import type { AddedFields } from "../../../schemas/addedFields.ts"
import { described, Flag } from "../../../schemas/fields.ts"
import { Invalid } from "../../../schemas/problems.ts"
import type { Organisation, OrganisationChanges } from "../../shared/schemas/Organisation.ts"

const public_booking = described(Flag, "Whether the pages `/book/{shop_identifier}` take bookings without a partner")

export const publicBookingFields: AddedFields = { public_booking: { schema: public_booking, absent: false } }

const switchOf = Schema.decodeUnknownSync(
  Schema.Struct({ public_booking: Schema.optionalWith(public_booking, { default: () => false }) })
)
/** Whether the organisation's pages are open. */
export const hasPages = (organisation: Organisation) => switchOf(organisation).public_booking

const legalPages = ["imprint_url", "privacy_url"] as const

/** Fails with `Invalid` where the pages would be open without one of `legalPages`. One that was missing before may stay so. */
export const ensureLegalPages = (before: Organisation, changes: OrganisationChanges) => {
  const branding = { ...before.branding, ...changes.branding }
  const wasOpen = hasPages(before)
  const missing = legalPages.filter((page) => branding[page] === null && (!wasOpen || before.branding[page] !== null))
  return switchOf({ ...before, ...changes }).public_booking && missing.length > 0
    ? new Invalid({
        faults: missing.map((page) => ({ field: `branding.${page}`, message: "is required for public booking" }))
      })
    : Effect.void
}
