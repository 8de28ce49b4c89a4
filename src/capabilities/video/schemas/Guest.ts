/** Guests of a call: an interpreter, a relative, a carer. Rule 5.7.8. */
import { Schema } from "effect"
import { DomainError, NotFoundError } from "../../../schemas/DomainError.ts"
import {
  body,
  described,
  LanguageTag,
  MailAddress,
  Name,
  Opaque,
  oneOf,
  UnixSeconds,
  withDefault
} from "../../../schemas/fields.ts"
import { AppointmentUid, uid } from "../../../schemas/ids.ts"
import { GuestRole } from "./Signal.ts"

export const GuestUid = uid("GuestUid", "gst")
export type GuestUid = typeof GuestUid.Type

/** Guests of an appointment beside its patient and doctors. */
export const GUESTS_MAX = 2

export class GuestNotFound extends NotFoundError("GuestNotFound", "Guest") {}
export class TooManyGuests extends DomainError(
  "TooManyGuests",
  `The appointment has ${GUESTS_MAX} guests: remove one first`
) {}

const fields = {
  role: described(oneOf(...GuestRole.literals), "In what capacity they take part, which everybody in the call sees"),
  name: described(Name, "Their name, which everybody in the call sees"),
  email: described(Schema.NullOr(MailAddress), "Where the link goes; null: nowhere"),
  phone: described(Schema.NullOr(Opaque(64)), "Where the link goes by SMS if there is no mail address; null: nowhere"),
  language: described(Schema.NullOr(LanguageTag), "Of the message and the page, BCP 47; null: German")
}

export const NewGuest = body({
  ...fields,
  email: withDefault(fields.email, null),
  phone: withDefault(fields.phone, null),
  language: withDefault(fields.language, null)
}).annotations({ identifier: "NewGuest" })
export type NewGuest = typeof NewGuest.Type

export const Guest = Schema.Struct({
  uid: GuestUid,
  ...fields,
  agreed_at: described(Schema.NullOr(UnixSeconds), "When they agreed to keep secret what they hear"),
  created_at: UnixSeconds
}).annotations({ identifier: "Guest" })
export type Guest = typeof Guest.Type

export const InvitedGuest = Schema.Struct({
  uid: GuestUid,
  url: described(Schema.String, "The guest's page"),
  expires_at: described(UnixSeconds, "When the join window closes")
}).annotations({ identifier: "InvitedGuest" })

/** A guest in a patient's export. */
export const ExportedGuest = Schema.Struct({
  uid: GuestUid,
  appointment_uid: AppointmentUid,
  role: fields.role,
  name: described(Schema.NullOr(Schema.String), "null after an erasure"),
  agreed_at: Schema.NullOr(UnixSeconds),
  created_at: UnixSeconds
}).annotations({ identifier: "ExportedGuest" })
