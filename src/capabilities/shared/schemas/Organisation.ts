/** The organisation in the management interface (Rule 12.1.3). */
import { Schema } from "effect"
import { Branding } from "../../../schemas/access/Branding.ts"
import { organisationFields } from "../../../schemas/access/organisationFields.ts"
import { COUNTRY_CODES } from "../../../schemas/checkout/countryCodes.ts"
import {
  body,
  changes,
  described,
  Flag,
  integer,
  later,
  listOf,
  MailAddress,
  Name,
  named,
  Opaque,
  TimeZone,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { AdminUid, OrganisationUid } from "../../../schemas/ids.ts"
import { optionalNoticeKinds } from "../../../schemas/notifications/notices.ts"
import { holidayFields, newHolidayFields } from "../../../schemas/scheduling/Holiday.ts"
import { BrandingChanges, NewBranding, noBranding } from "./BrandingBodies.ts"
import { ConsentTexts } from "./ConsentTexts.ts"
import { MessageTexts } from "./MessageTexts.ts"
import { defaultRetention, Retention, RetentionChanges } from "./retention.ts"

const isOrigin = { message: () => "must be an origin, e.g. https://example.org" }
const Origin = Schema.String.annotations(isOrigin).pipe(
  Schema.filter(
    (text) => text.length <= 255 && !/[*;,]/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    {
      ...isOrigin,
      jsonSchema: { maxLength: 255, examples: ["https://example.org"] }
    }
  )
)

const isCountry = { message: () => "must be an ISO 3166 code of two letters, e.g. DE" }
const CountryCode = Schema.String.annotations(isCountry).pipe(
  Schema.filter((code) => COUNTRY_CODES.has(code), {
    ...isCountry,
    jsonSchema: { minLength: 2, maxLength: 2, examples: ["DE"] }
  })
)

const Administrator = {
  uid: AdminUid,
  display_name: described(Name, "Name of the administrator"),
  email: described(Schema.NullOr(MailAddress), "Mail address for notices; null: none"),
  phone: described(Schema.NullOr(Opaque(64)), "Telephone number for notices; null: none")
}
const NewAdministrator = Schema.Struct({
  ...Administrator,
  uid: described(named(AdminUid), "Opaque identifier"),
  email: withDefault(Administrator.email, null),
  phone: withDefault(Administrator.phone, null)
})

const fields = {
  name: described(Name, "Name shown to patients"),
  timezone: described(TimeZone, "IANA zone of its mails, and of doctors without a zone of their own"),
  country_code: CountryCode.annotations({
    description: "ISO 3166 code of two letters; national telephone numbers are those of this country"
  }),
  return_url_origins: listOf(Origin, { max: 100, description: "Origins that patients may be sent back to" }),
  embed_origins: listOf(Origin, { max: 100, description: "Origins that may embed its booking page" }),
  messages: listOf(Schema.Literal(...optionalNoticeKinds), {
    max: optionalNoticeKinds.length,
    description: "Mails to patients beyond the reminders"
  }),
  message_texts: MessageTexts,
  visit_reason_in_messages: described(Flag, "Whether mails and texts include the visit reason"),
  patient_live_holds_max: integer(1, 10_000, "Live holds a patient may have at once"),
  patient_future_appointments_max: integer(1, 10_000, "Future appointments a patient may have"),
  ...holidayFields,
  consent: ConsentTexts
}
export const NewOrganisation = body({
  name: fields.name,
  timezone: withDefault(fields.timezone, TimeZone.make("Europe/Berlin")),
  country_code: withDefault(fields.country_code, "DE"),
  return_url_origins: withDefault(fields.return_url_origins, []),
  embed_origins: withDefault(fields.embed_origins, []),
  messages: withDefault(fields.messages, []),
  message_texts: withDefault(fields.message_texts, []),
  visit_reason_in_messages: withDefault(fields.visit_reason_in_messages, true),
  patient_live_holds_max: withDefault(fields.patient_live_holds_max, 3),
  patient_future_appointments_max: withDefault(fields.patient_future_appointments_max, 20),
  ...newHolidayFields,
  branding: withDefault(NewBranding, noBranding),
  consent: withDefault(fields.consent, []),
  retention: Schema.optionalWith(Retention, { default: defaultRetention }),
  admins: withDefault(Schema.Array(NewAdministrator), [])
})

export const Organisation = Schema.Struct({
  uid: OrganisationUid,
  ...fields,
  branding: Branding,
  retention: described(Retention, "Days for which each kind of data is kept"),
  admins: described(Schema.Array(Schema.Struct(Administrator)), "Recipients of notifications to `admin`"),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "Organisation" })
export type Organisation = typeof Organisation.Type

const changing = {
  ...fields,
  branding: BrandingChanges,
  retention: RetentionChanges,
  admins: listOf(NewAdministrator, {
    max: 1_000,
    description: "Administrators to create or replace by their `uid`; those that are not named stay"
  })
}
const example = { name: "Demo-Praxis", embed_origins: ["http://localhost:3000", "https://example.org"] }
export const OrganisationChanges = withExample(changes(changing), example)
export type OrganisationChanges = typeof OrganisationChanges.Type

/** The same with the fields that capabilities add. */
export const WholeOrganisation: Schema.Schema<Organisation, typeof Organisation.Encoded> = later("Organisation", () =>
  Schema.Struct({ ...Organisation.fields, ...organisationFields.schemas() })
)
export const WholeOrganisationChanges: Schema.Schema<OrganisationChanges, typeof OrganisationChanges.Encoded> =
  withExample(
    later("OrganisationChanges", () => changes({ ...changing, ...organisationFields.schemas() })),
    example
  )
