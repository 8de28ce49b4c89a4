/** Entries of a provisioning file whose records the core does not write. */
import { Schema } from "effect"
import { organisationFields } from "../../../schemas/access/organisationFields.ts"
import {
  Cents,
  integer,
  later,
  listOf,
  Minutes,
  Name,
  named,
  Opaque,
  UnixSeconds,
  withDefault
} from "../../../schemas/fields.ts"
import { AppointmentTypeUid, PharmacyOrderUid, PharmacyUid, PrescriptionUid, SkuUid } from "../../../schemas/ids.ts"
import { OrderPatient, ShippingAddress } from "../../../schemas/pharmacy/PharmacyOrder.ts"
import { PharmacyOrderStatus } from "../../../schemas/pharmacy/PharmacyOrderStates.ts"
import {
  doctor_uid,
  optional,
  organisation_uid,
  pharmacy_uid,
  shop_uid
} from "../../../schemas/provisioning/tenancy.ts"
import { NewOrganisation } from "./Organisation.ts"
import { defaultRetention, Retention } from "./retention.ts"
import { NewShop } from "./Shop.ts"

const OrganisationEntry = Schema.Struct({
  uid: organisation_uid,
  ...NewOrganisation.fields,
  pharmacy_uids: optional(
    listOf(PharmacyUid, { max: 1_000 }).annotations({
      description: "The pharmacies that its shops may use, whatever the shops name; null: all of the installation's"
    })
  )
})
export type Organisation = typeof OrganisationEntry.Type
/** With the fields that capabilities add. */
export const Organisation: Schema.Schema<Organisation, typeof OrganisationEntry.Encoded> = later(
  "OrganisationEntry",
  () =>
    Schema.Struct({
      ...OrganisationEntry.fields,
      retention: withDefault(Retention, defaultRetention()),
      ...organisationFields.withDefaults()
    })
)

export const Shop = Schema.Struct({ uid: shop_uid, organisation_uid, ...NewShop.fields })
export type Shop = typeof Shop.Type

export const SettingEntry = Schema.Struct({
  doctor_uid,
  appointment_type_uid: named(AppointmentTypeUid),
  active: withDefault(Schema.Boolean, true),
  booking_min_notice_minutes: optional(Minutes("Minutes of notice"))
})
export type SettingEntry = typeof SettingEntry.Type

export const PharmacyOrderEntry = Schema.Struct({
  uid: named(PharmacyOrderUid),
  name: Name,
  payment_id: optional(Opaque(255)),
  pharmacy_uid,
  shop_uid,
  prescription_uid: optional(named(PrescriptionUid)),
  status: withDefault(PharmacyOrderStatus, "new"),
  paid: withDefault(Schema.Boolean, true),
  created_at: optional(UnixSeconds),
  shipping_price: withDefault(Cents, 0),
  patient: optional(OrderPatient),
  shipping_address: optional(ShippingAddress),
  lines: Schema.Array(
    Schema.Struct({ sku_uid: named(SkuUid), quantity: integer(1, 100_000, "Pieces"), unit_price: Cents })
  )
})
export type PharmacyOrderEntry = typeof PharmacyOrderEntry.Type
