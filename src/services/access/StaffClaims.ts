import { Schema } from "effect"

/** The identity claims of a verified token, as stored in a console session. */
export const StaffClaims = Schema.Struct({
  subject: Schema.String,
  roles: Schema.Array(Schema.String),
  organisation_uid: Schema.NullOr(Schema.String),
  doctor_uid: Schema.NullOr(Schema.String),
  pharmacy_uid: Schema.NullOr(Schema.String),
  pharmacy_group_uid: Schema.NullOr(Schema.String),
  /** The person's name at the provider; null if unknown. */
  name: Schema.NullOr(Schema.String),
  /** The mail address by which the person signed in, where there is no provider. */
  email: Schema.optional(Schema.String)
})
export type StaffClaims = typeof StaffClaims.Type
