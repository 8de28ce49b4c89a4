/** Provisioning of organisations and who acts for them. */
import { Schema } from "effect"
import { PatientProfile } from "../access/PatientProfile.ts"
import { Permission } from "../access/permissions.ts"
import { Name, Opaque, TimeZone, withDefault } from "../fields.ts"

export const uid = Opaque(255)
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => withDefault(Schema.NullOr(schema), null)
const email = Opaque(320)
const phone = Opaque(64)

const Origin = Schema.String.annotations({ message: () => "must be an origin, e.g. https://example.org" }).pipe(
  Schema.filter((text) => URL.canParse(text) && new URL(text).origin === text, {
    message: () => "must be an origin, e.g. https://example.org"
  })
)

export const Organisation = Schema.Struct({
  uid,
  name: Name,
  timezone: withDefault(TimeZone, TimeZone.make("Europe/Berlin")),
  return_url_origins: withDefault(Schema.Array(Origin), []),
  embed_origins: withDefault(Schema.Array(Origin), []),
  messages: withDefault(Schema.Array(Schema.Literal("confirmation", "cancellation", "rebooking")), []),
  visit_reason_in_messages: withDefault(Schema.Boolean, true),
  admins: withDefault(
    Schema.Array(Schema.Struct({ uid, display_name: Name, email: optional(email), phone: optional(phone) })),
    []
  )
})

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
  uid,
  shop_identifier: Opaque(255),
  organisation_uid: uid,
  name: optional(Name),
  default_pharmacy_uid: optional(uid),
  storefront: withDefault(StorefrontSettings, { kind: "embedded", webhook_secret: null })
})

export const Doctor = Schema.Struct({
  uid,
  organisation_uid: uid,
  display_name: Name,
  email: optional(email),
  phone: optional(phone),
  timezone: optional(TimeZone),
  profession: optional(Name),
  address: optional(Name)
})

export const Patient = Schema.Struct({
  uid,
  organisation_uid: uid,
  shop_uid: uid,
  shop_customer_id: Opaque(255),
  profile: withDefault(PatientProfile, {})
})

export const ApiKeyEntry = Schema.Struct({
  key: Schema.String.pipe(Schema.minLength(32, { message: () => "must be at least 32 characters" })),
  name: Name,
  permissions: Schema.Array(Permission),
  organisation_uid: optional(uid),
  pharmacy_uid: optional(uid),
  pharmacy_group_uid: optional(uid)
}).pipe(
  Schema.filter(
    (key) =>
      [key.organisation_uid, key.pharmacy_uid, key.pharmacy_group_uid].filter((owner) => owner !== null).length === 1 ||
      "needs exactly one of organisation_uid, pharmacy_uid, pharmacy_group_uid"
  )
)

/** An HMAC key shorter than its hash is easier to guess than to forge. */
const MIN_SECRET_BYTES = 32
const Secret = Opaque(1024).pipe(
  Schema.filter((text) => Buffer.byteLength(text) >= MIN_SECRET_BYTES, {
    message: () => `must be at least ${MIN_SECRET_BYTES} bytes`
  })
)

export const BookingTokenSecret = Schema.Struct({ organisation_uid: uid, key_id: uid, secret: Secret })
