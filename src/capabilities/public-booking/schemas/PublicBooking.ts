/** A booking without a partner, or a visit for another purpose: the fields of its form (section 5.8). */
import { ParseResult, Schema } from "effect"
import { midnightOf } from "../../../schemas/birthDate.ts"
import { MailAddress, Name, UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, DoctorUid } from "../../../schemas/ids.ts"
import { phoneOf } from "../../../schemas/phone.ts"
import { MeetingFormat } from "../../../schemas/scheduling/AppointmentType.ts"

const BirthDate = Schema.String.pipe(Schema.filter((text) => midnightOf(text) !== undefined))
/** Of the public: `x@y` is an address inside a network, to which no mail from outside leads. */
const PublicMailAddress = MailAddress.pipe(Schema.filter((text) => /@[^@]+\.[^@.]{2,}$/.test(text)))

/** Blank, or a number in any of the usual forms. */
const Phone = Schema.transformOrFail(Schema.String, Schema.String, {
  strict: true,
  decode: (text, _, ast) => {
    const phone = text.trim() === "" ? "" : phoneOf(text)
    return phone === undefined
      ? ParseResult.fail(new ParseResult.Type(ast, text, "must be a telephone number"))
      : ParseResult.succeed(phone)
  },
  encode: ParseResult.succeed
})

/** Single-line text as entered. It comes from strangers and is in mails to the practice. */
const PersonName = Schema.compose(Schema.String.pipe(Schema.filter((text) => !/[\t\r\n]/.test(text))), Name)

/** The patient, if another person books. */
const Relative = Schema.Struct({ first_name: PersonName, last_name: PersonName, date_of_birth: BirthDate })

const who = {
  first_name: PersonName,
  last_name: PersonName,
  /** null: not asked for, since another person is the patient */
  date_of_birth: Schema.NullOr(BirthDate),
  email: PublicMailAddress,
  phone: Phone,
  relative: Schema.NullOr(Relative)
}
export const PublicBooking = Schema.Struct({
  ...who,
  appointment_type_uid: AppointmentTypeUid,
  meeting_format: MeetingFormat,
  /** The time that was chosen before; null: it is chosen afterwards. */
  slot: Schema.NullOr(Schema.Struct({ start_date: UnixSeconds, doctor_uid: DoctorUid }))
})
export type PublicBooking = typeof PublicBooking.Type
/** Without a time: for a purpose that a capability adds, by the mode of the session that it opens. */
export const PublicVisit = Schema.Struct({ ...who, mode: Schema.String })
export type PublicVisit = typeof PublicVisit.Type
