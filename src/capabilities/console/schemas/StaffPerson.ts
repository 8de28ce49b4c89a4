/** People who work in a practice: with roles of the identity provider, or invited by the practice (Rule 12.1.27). */
import { Schema } from "effect"
import { PracticeRole } from "../../../schemas/access/PracticeRole.ts"
import {
  body,
  changes,
  described,
  MailAddress,
  Name,
  named,
  Opaque,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { OrganisationUid, StaffPersonUid } from "../../../schemas/ids.ts"

const fields = {
  display_name: Name.annotations({ description: "Name of the person", examples: ["Kim Beispiel"] }),
  email: described(Schema.NullOr(MailAddress), "Mail address; null: none"),
  role: PracticeRole
}

export const StaffPerson = Schema.Struct({
  uid: StaffPersonUid,
  ...fields,
  role: described(Schema.NullOr(PracticeRole), "The role; null: the provider named none at the last sign-in"),
  role_from: Schema.Literal("provider", "console").annotations({
    description: "Whether the provider's claims give the role, or the practice has set it here"
  }),
  subject: Schema.NullOr(Schema.String).annotations({
    description: "Identifier at the provider, as in the audit log; null until an invitation is accepted"
  }),
  status: described(Schema.Literal("invited", "active", "removed"), "`removed`: may not sign in to this practice"),
  invitation_expires_at: described(Schema.NullOr(UnixSeconds), "Of an open invitation; null: none"),
  seen_at: described(Schema.NullOr(UnixSeconds), "Last sign-in; null: never"),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "StaffPerson" })
export type StaffPerson = typeof StaffPerson.Type

export const NewStaffPerson = withExample(
  body({ ...fields, email: described(MailAddress, "Mail address, to which the link is sent") }),
  {
    display_name: "Kim Beispiel",
    email: "kim@example.org",
    role: "reception"
  }
)
export type NewStaffPerson = typeof NewStaffPerson.Type

/** A person of a provisioning file. */
export const StaffEntry = Schema.Struct({
  uid: named(StaffPersonUid),
  organisation_uid: named(OrganisationUid),
  ...fields,
  email: withDefault(fields.email, null),
  role: withDefault(described(Schema.NullOr(PracticeRole), "The role; null: the one that the provider names"), null),
  subject: withDefault(
    Schema.NullOr(Opaque(255)).annotations({
      description: "Identifier at the provider (`sub`); null: the person is invited by the practice"
    }),
    null
  )
})
export type StaffEntry = typeof StaffEntry.Type

export const StaffPersonChanges = withExample(changes(fields), { role: "billing" })
export type StaffPersonChanges = typeof StaffPersonChanges.Type
