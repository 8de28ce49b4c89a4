/** Branded identifiers: opaque strings in the interface, one type each in the code, so that they cannot be confused. */
import { Schema } from "effect"
import { KeptAsIs } from "./compiled.ts"
import { IDENTIFIER, optionalId } from "./fields.ts"

/**
 * Text by which a record is looked up. Text that cannot be an identifier, because it is too long or PostgreSQL cannot store
 * it, is decoded to another unknown identifier: a malformed uid is simply not found.
 */
export const lookedUp = (max: number, description: string) =>
  Schema.transform(
    Schema.String.annotations({ message: () => "must be text", description, jsonSchema: { maxLength: max } }),
    Schema.String,
    {
      strict: true,
      decode: (text) =>
        text
          .slice(0, 2 * max + 1)
          .toWellFormed()
          .replaceAll("\0", "\uFFFD"),
      encode: (text) => text
    }
  ).annotations({ description, [KeptAsIs]: true, [IDENTIFIER]: true })

/** An optional identifier of a record in a POST's body. */
export const optionalUid = <A extends string>(uid: Schema.Schema<A, string>) =>
  optionalId(uid, Schema.String.annotations({ message: () => "must be text", jsonSchema: { maxLength: 255 } }))

/** An identifier of any kind of record. */
export const AnyUid = lookedUp(255, "Opaque identifier")

/**
 * `example` is a record of the demo data if there is one. `prefix` begins the identifiers that we generate
 * (`services/uid.ts`); partners' may differ.
 */
export const uid = <const B extends string>(brand: B, prefix: string, example = `${prefix}_example`) => {
  const Uid = AnyUid.pipe(Schema.brand(brand, { title: brand, description: "Opaque identifier" }))
  return Object.assign(Uid.annotations({ jsonSchema: { examples: [example] } }), { prefix })
}

export const OrganisationUid = uid("OrganisationUid", "org", "org_demo")
export type OrganisationUid = typeof OrganisationUid.Type
export const AdminUid = uid("AdminUid", "adm")
export type AdminUid = typeof AdminUid.Type
export const ShopUid = uid("ShopUid", "shp", "shop_demo")
export type ShopUid = typeof ShopUid.Type
export const DoctorUid = uid("DoctorUid", "doc", "doc_demo_1")
export type DoctorUid = typeof DoctorUid.Type
export const PatientUid = uid("PatientUid", "pat", "pat_demo")
export type PatientUid = typeof PatientUid.Type
export const ApiKeyUid = uid("ApiKeyUid", "key")
export type ApiKeyUid = typeof ApiKeyUid.Type
export const AppointmentUid = uid("AppointmentUid", "apt")
export type AppointmentUid = typeof AppointmentUid.Type
export const AppointmentTypeUid = uid("AppointmentTypeUid", "aty", "aty_demo_consultation")
export type AppointmentTypeUid = typeof AppointmentTypeUid.Type
export const ReminderUid = uid("ReminderUid", "rem", "rem_demo_day")
export type ReminderUid = typeof ReminderUid.Type
export const ResourceUid = uid("ResourceUid", "res", "res_demo_room_1")
export type ResourceUid = typeof ResourceUid.Type
export const RuleUid = uid("RuleUid", "rul", "rul_doc_demo_1_4_780")
export type RuleUid = typeof RuleUid.Type
export const OverrideUid = uid("OverrideUid", "ovr")
export type OverrideUid = typeof OverrideUid.Type
export const SeriesUid = uid("SeriesUid", "ser")
export type SeriesUid = typeof SeriesUid.Type
export const BookingSessionUid = uid("BookingSessionUid", "bks")
export type BookingSessionUid = typeof BookingSessionUid.Type
export const OperatorUid = uid("OperatorUid", "opr")
export const StaffPersonUid = uid("StaffPersonUid", "stf")
export type StaffPersonUid = typeof StaffPersonUid.Type
export const EventUid = uid("EventUid", "evt")
export type EventUid = typeof EventUid.Type
export const SubscriptionUid = uid("SubscriptionUid", "sub")
export type SubscriptionUid = typeof SubscriptionUid.Type
export const DeliveryUid = uid("DeliveryUid", "dlv")
export type DeliveryUid = typeof DeliveryUid.Type
export const PharmacyGroupUid = uid("PharmacyGroupUid", "phg")
export type PharmacyGroupUid = typeof PharmacyGroupUid.Type
export const PharmacyUid = uid("PharmacyUid", "pha", "pha_demo")
export type PharmacyUid = typeof PharmacyUid.Type
export const ProductUid = uid("ProductUid", "prd", "prd_demo_ibuprofen")
export type ProductUid = typeof ProductUid.Type
export const SkuUid = uid("SkuUid", "sku", "sku_demo_ibuprofen")
export type SkuUid = typeof SkuUid.Type
export const PharmacySkuUid = uid("PharmacySkuUid", "psk", "psk_demo_ibuprofen")
export type PharmacySkuUid = typeof PharmacySkuUid.Type
export const PharmacyOrderUid = uid("PharmacyOrderUid", "pho", "pho_demo")
export type PharmacyOrderUid = typeof PharmacyOrderUid.Type
export const PrescriptionUid = uid("PrescriptionUid", "prs", "prx_demo_waiting")
export type PrescriptionUid = typeof PrescriptionUid.Type
export const ActionLinkUid = uid("ActionLinkUid", "acl")
export type ActionLinkUid = typeof ActionLinkUid.Type
export const SecretUid = uid("SecretUid", "bts")
export type SecretUid = typeof SecretUid.Type
export const MessageUid = uid("MessageUid", "msg")
export type MessageUid = typeof MessageUid.Type
export const CheckoutUid = uid("CheckoutUid", "chk")
export type CheckoutUid = typeof CheckoutUid.Type
export const DraftOrderUid = uid("DraftOrderUid", "drf")
export type DraftOrderUid = typeof DraftOrderUid.Type
export const PharmacyOrderLineUid = uid("PharmacyOrderLineUid", "pol")
export type PharmacyOrderLineUid = typeof PharmacyOrderLineUid.Type
export const ShopChangeUid = uid("ShopChangeUid", "chg")
export type ShopChangeUid = typeof ShopChangeUid.Type
export const ReservationUid = uid("ReservationUid", "rsv")
export type ReservationUid = typeof ReservationUid.Type
export const PrescriptionLogUid = uid("PrescriptionLogUid", "plg")
export type PrescriptionLogUid = typeof PrescriptionLogUid.Type
export const PrescriptionItemUid = uid("PrescriptionItemUid", "pri")
export type PrescriptionItemUid = typeof PrescriptionItemUid.Type
export const ConsentUid = uid("ConsentUid", "cns")
export type ConsentUid = typeof ConsentUid.Type
