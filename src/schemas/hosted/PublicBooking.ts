/** A booking without a partner: what its form asks for (section 5.8). */
import { Schema } from "effect"
import { midnightOf } from "../birthDate.ts"
import { MailAddress, Name, OptionalText } from "../fields.ts"
import { AppointmentTypeUid } from "../ids.ts"
import { MeetingFormat } from "../scheduling/AppointmentType.ts"

const BirthDate = Schema.String.pipe(Schema.filter((text) => midnightOf(text) !== undefined))
const Phone = Schema.String.pipe(Schema.filter((text) => text === "" || /^\+?[0-9][0-9 ()/.-]{2,38}$/.test(text)))

/** Of one line as it was typed: strangers choose it, and it stands in mails to the practice. */
const PersonName = Schema.compose(Schema.String.pipe(Schema.filter((text) => !/[\t\r\n]/.test(text))), Name)

/** The person who comes, where that is not who books. */
const Relative = Schema.Struct({ first_name: PersonName, last_name: PersonName, date_of_birth: BirthDate })

export const PublicBooking = Schema.Struct({
  appointment_type_uid: AppointmentTypeUid,
  meeting_format: MeetingFormat,
  first_name: PersonName,
  last_name: PersonName,
  email: MailAddress,
  phone: Phone,
  relative: Schema.NullOr(Relative),
  /** a field that people do not see: only programs fill it in */
  website: Schema.NullOr(OptionalText)
})
export type PublicBooking = typeof PublicBooking.Type
