/** Doctors as the management interface shows and changes them (Rule 12.1.1). */
import { Schema } from "effect"
import {
  body,
  changes,
  MailAddress,
  Name,
  Opaque,
  queryInteger,
  TimeZone,
  UnixSeconds,
  withDefault
} from "../fields.ts"
import { DoctorUid, OrganisationUid } from "../ids.ts"
import { pageQuery } from "../paging.ts"

const fields = {
  display_name: Name.annotations({ description: "Name of the doctor", examples: ["Dr. Example"] }),
  email: Schema.NullOr(MailAddress).annotations({ description: "Mail address for notices; null: none" }),
  phone: Schema.NullOr(Opaque(64)).annotations({ description: "Telephone number for notices; null: none" }),
  timezone: TimeZone.annotations({ description: "IANA zone in which availability is meant" }),
  profession: Schema.NullOr(Name).annotations({ description: "As it stands on prescriptions; null: none" }),
  address: Schema.NullOr(Name).annotations({
    description: "Of the practice, as it stands on prescriptions; null: none"
  })
}

export const Doctor = Schema.Struct({
  uid: DoctorUid,
  organisation_uid: OrganisationUid,
  ...fields,
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "Doctor" })
export type Doctor = typeof Doctor.Type

export const NewDoctor = body({
  display_name: fields.display_name,
  email: withDefault(fields.email, null),
  phone: withDefault(fields.phone, null),
  timezone: withDefault(
    Schema.NullOr(TimeZone).annotations({
      description: "IANA zone in which availability is meant; null: the organisation's"
    }),
    null
  ),
  profession: withDefault(fields.profession, null),
  address: withDefault(fields.address, null)
})
export type NewDoctor = typeof NewDoctor.Type

export const DoctorChanges = changes(fields)
export type DoctorChanges = typeof DoctorChanges.Type

export const DoctorQuery = body({
  ...pageQuery(200),
  updated_after: Schema.optionalWith(queryInteger(0, 253_402_300_799, "Changed after, Unix seconds"), { exact: true })
})
export type DoctorQuery = typeof DoctorQuery.Type
