/** Provisioning of organisations, shops and their credentials. */
import { Schema } from "effect"
import { PatientProfile } from "../access/PatientProfile.ts"
import { organisationPermissions, Permission, pharmacyPermissions } from "../access/permissions.ts"
import { Name, named, Opaque, withDefault } from "../fields.ts"
import { DoctorUid, OrganisationUid, PatientUid, PharmacyGroupUid, PharmacyUid, SecretUid, ShopUid } from "../ids.ts"
import { type Rule, withRules } from "../rules.ts"
import { NewDoctor } from "../scheduling/Doctor.ts"

export const organisation_uid = named(OrganisationUid)
export const doctor_uid = named(DoctorUid)
export const shop_uid = named(ShopUid)
export const pharmacy_uid = named(PharmacyUid)
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => withDefault(Schema.NullOr(schema), null)

export const Doctor = Schema.Struct({ uid: doctor_uid, organisation_uid, ...NewDoctor.fields })
export type Doctor = typeof Doctor.Type

export const Patient = Schema.Struct({
  uid: named(PatientUid),
  organisation_uid,
  shop_uid,
  shop_customer_id: withDefault(Schema.NullOr(Opaque(255)), null),
  profile: withDefault(PatientProfile, {})
})
export type Patient = typeof Patient.Type

const owners = ["organisation_uid", "pharmacy_uid", "pharmacy_group_uid"] as const

/** Each permission belongs to one kind of owner. */
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

/** RFC 7518: an HMAC key must be at least as long as the hash. */
const MIN_SECRET_BYTES = 32
const Secret = Opaque(1024).pipe(
  Schema.filter((text) => Buffer.byteLength(text) >= MIN_SECRET_BYTES, {
    message: () => `must be at least ${MIN_SECRET_BYTES} bytes`
  })
)

export const BookingTokenSecret = Schema.Struct({ organisation_uid, key_id: named(SecretUid), secret: Secret })
export type BookingTokenSecret = typeof BookingTokenSecret.Type
