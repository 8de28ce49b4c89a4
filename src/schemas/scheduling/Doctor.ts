/** Doctors in the management interface (Rule 12.1.1). */
import { Schema } from "effect"
import { ImageData } from "../access/Image.ts"
import {
  body,
  changes,
  described,
  LanguageTag,
  listOf,
  MailAddress,
  Name,
  Opaque,
  TimeZone,
  UnixSeconds,
  withDefault
} from "../fields.ts"
import { DoctorUid, OrganisationUid } from "../ids.ts"
import { keys, pageQuery, updatedAfter } from "../paging.ts"
import { holidayFields, newHolidayFields } from "./Holiday.ts"
import { DoctorLimits } from "./Requirements.ts"
import { SpecialtyCode } from "./specialties.ts"

const fields = {
  display_name: Name.annotations({ description: "Name of the doctor", examples: ["Dr. Example"] }),
  email: described(Schema.NullOr(MailAddress), "Mail address for notices; null: none"),
  phone: described(Schema.NullOr(Opaque(64)), "Telephone number for notices; null: none"),
  timezone: described(TimeZone, "IANA zone in which availability is meant"),
  profession: described(Schema.NullOr(Name), "As printed on prescriptions; null: none"),
  address: described(Schema.NullOr(Name), "Of the practice, as printed on prescriptions; null: none"),
  title: Schema.NullOr(Name).annotations({
    description: "Title before the name on pages, unless the name begins with it; null: none",
    examples: ["Dr. med."]
  }),
  specialty: Schema.NullOr(Name).annotations({
    description: "Specialty as patients read it; null: none",
    examples: ["General practitioner"]
  }),
  specialty_code: SpecialtyCode,
  languages: listOf(LanguageTag, { max: 20, description: "Languages that the doctor speaks, BCP 47" }),
  limits: DoctorLimits,
  ...holidayFields
}

/** Sent as a data URI, returned as a URL. */
const picture = described(Schema.NullOr(ImageData), "Picture as a data URI (PNG or JPEG, at most 64 KiB); null: none")

export const Doctor = Schema.Struct({
  uid: DoctorUid,
  organisation_uid: OrganisationUid,
  ...fields,
  picture: Schema.NullOr(Schema.String).annotations({
    description: "Address of the picture at this service; null: none",
    examples: ["https://meet.example.org/images/9Qy3FmRfYhS0nW1xJc7uPg.jpg"]
  }),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "Doctor" })
export type Doctor = typeof Doctor.Type

export const NewDoctor = body({
  display_name: fields.display_name,
  email: withDefault(fields.email, null),
  phone: withDefault(fields.phone, null),
  timezone: withDefault(
    described(Schema.NullOr(TimeZone), "IANA zone in which availability is meant; null: the organisation's"),
    null
  ),
  profession: withDefault(fields.profession, null),
  address: withDefault(fields.address, null),
  title: withDefault(fields.title, null),
  specialty: withDefault(fields.specialty, null),
  specialty_code: withDefault(fields.specialty_code, "ALLG"),
  languages: withDefault(fields.languages, []),
  limits: withDefault(fields.limits, []),
  ...newHolidayFields,
  picture: withDefault(picture, null)
})
export type NewDoctor = typeof NewDoctor.Type

export const DoctorChanges = changes({ ...fields, picture })
export type DoctorChanges = typeof DoctorChanges.Type

export const DoctorQuery = body({
  ...pageQuery(200, Schema.Tuple(keys.text, keys.text)),
  ...updatedAfter
})
export type DoctorQuery = typeof DoctorQuery.Type
