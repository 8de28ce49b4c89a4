/** Provisioning of organisations and who acts for them. */
import { Schema } from "effect"
import { PatientProfile } from "../access/PatientProfile.ts"
import { organisationPermissions, Permission, pharmacyPermissions } from "../access/permissions.ts"
import { integer, listOf, Name, Opaque, TimeZone, withDefault } from "../fields.ts"
import {
  AdminUid,
  DoctorUid,
  OrganisationUid,
  PatientUid,
  PharmacyGroupUid,
  PharmacyUid,
  SecretUid,
  ShopUid
} from "../ids.ts"
import { type Rule, withRules } from "../rules.ts"

/** An identifier as a file gives it: 1 to 255 characters, of any form. */
export const named = <A extends string>(kind: Schema.Schema<A, string>) => Schema.compose(Opaque(255), kind)

export const organisation_uid = named(OrganisationUid)
export const doctor_uid = named(DoctorUid)
export const shop_uid = named(ShopUid)
export const pharmacy_uid = named(PharmacyUid)
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => withDefault(Schema.NullOr(schema), null)
const email = Opaque(320)
const phone = Opaque(64)

const Origin = Schema.String.annotations({ message: () => "must be an origin, e.g. https://example.org" }).pipe(
  Schema.filter((text) => URL.canParse(text) && new URL(text).origin === text, {
    message: () => "must be an origin, e.g. https://example.org"
  })
)

export const Organisation = Schema.Struct({
  uid: organisation_uid,
  name: Name,
  timezone: withDefault(TimeZone, TimeZone.make("Europe/Berlin")),
  return_url_origins: withDefault(Schema.Array(Origin), []),
  embed_origins: withDefault(Schema.Array(Origin), []),
  messages: withDefault(Schema.Array(Schema.Literal("confirmation", "cancellation", "rebooking")), []),
  visit_reason_in_messages: withDefault(Schema.Boolean, true),
  patient_live_holds_max: withDefault(integer(1, 10_000, "Live holds a patient may have at once"), 3),
  patient_future_appointments_max: withDefault(integer(1, 10_000, "Future appointments a patient may have"), 20),
  admins: withDefault(
    Schema.Array(
      Schema.Struct({ uid: named(AdminUid), display_name: Name, email: optional(email), phone: optional(phone) })
    ),
    []
  )
})
export type Organisation = typeof Organisation.Type

const Embedded = Schema.Struct({ kind: Schema.Literal("embedded"), webhook_secret: optional(Opaque(1024)) })
const Shopify = Schema.Struct({
  kind: Schema.Literal("shopify"),
  shop_domain: Opaque(255),
  admin_access_token: Opaque(1024),
  storefront_access_token: Opaque(1024),
  webhook_secret: Opaque(1024)
})
export const StorefrontSettings = Schema.Union(Embedded, Shopify)
export type StorefrontSettings = typeof StorefrontSettings.Type

export const Shop = Schema.Struct({
  uid: shop_uid,
  shop_identifier: Opaque(255),
  organisation_uid,
  name: optional(Name),
  default_pharmacy_uid: optional(pharmacy_uid),
  /** The pharmacies that its orders may go to, beside its default one; null: all. */
  pharmacy_uids: optional(listOf(pharmacy_uid, { max: 1_000 })),
  storefront: withDefault(StorefrontSettings, { kind: "embedded", webhook_secret: null })
})
export type Shop = typeof Shop.Type

export const Doctor = Schema.Struct({
  uid: doctor_uid,
  organisation_uid,
  display_name: Name,
  email: optional(email),
  phone: optional(phone),
  timezone: optional(TimeZone),
  profession: optional(Name),
  address: optional(Name)
})
export type Doctor = typeof Doctor.Type

export const Patient = Schema.Struct({
  uid: named(PatientUid),
  organisation_uid,
  shop_uid,
  shop_customer_id: Opaque(255),
  profile: withDefault(PatientProfile, {})
})
export type Patient = typeof Patient.Type

const owners = ["organisation_uid", "pharmacy_uid", "pharmacy_group_uid"] as const

/** Permissions belong to one kind of owner. */
const permissionsOfOwner: Rule = ({ permissions, ...sent }) => {
  const foreign: ReadonlyArray<string> =
    typeof sent.organisation_uid === "string" ? pharmacyPermissions : organisationPermissions
  const owner = owners.find((field) => typeof sent[field] === "string")
  if (!Array.isArray(permissions) || owner === undefined) return []
  return permissions.flatMap((permission, i) =>
    foreign.includes(permission) ? [{ field: `permissions[${i}]`, message: `is not for a key with ${owner}` }] : []
  )
}

export const ApiKeyEntry = withRules(
  Schema.Struct({
    key: Schema.String.pipe(Schema.minLength(32, { message: () => "must be at least 32 characters" })),
    name: Name,
    permissions: Schema.Array(Permission),
    organisation_uid: optional(organisation_uid),
    pharmacy_uid: optional(pharmacy_uid),
    pharmacy_group_uid: optional(named(PharmacyGroupUid))
  }),
  [permissionsOfOwner]
).pipe(
  Schema.filter(
    (key) => owners.filter((owner) => key[owner] !== null).length === 1 || `needs exactly one of ${owners.join(", ")}`
  )
)
export type ApiKeyEntry = typeof ApiKeyEntry.Type

/** An HMAC key shorter than its hash is easier to guess than to forge. */
const MIN_SECRET_BYTES = 32
const Secret = Opaque(1024).pipe(
  Schema.filter((text) => Buffer.byteLength(text) >= MIN_SECRET_BYTES, {
    message: () => `must be at least ${MIN_SECRET_BYTES} bytes`
  })
)

export const BookingTokenSecret = Schema.Struct({ organisation_uid, key_id: named(SecretUid), secret: Secret })
export type BookingTokenSecret = typeof BookingTokenSecret.Type
