/** Branded identifiers: opaque strings outside, one type each inside, so that a doctor's uid never passes for a patient's. */
import { Schema } from "effect"

/**
 * Text that no record can be named by, because PostgreSQL cannot hold it, is read as text that no record is named by: a
 * malformed uid is simply not found.
 */
const Findable = Schema.transform(Schema.String.annotations({ message: () => "must be text" }), Schema.String, {
  strict: true,
  decode: (text) => text.toWellFormed().replaceAll("\0", "\uFFFD"),
  encode: (text) => text
})

/** An opaque name that is looked up, of any kind of record. */
export const AnyUid = Findable

const uid = <const B extends string>(brand: B) =>
  Findable.pipe(Schema.brand(brand, { title: brand, description: "Opaque identifier" }))

export const OrganisationUid = uid("OrganisationUid")
export type OrganisationUid = typeof OrganisationUid.Type
export const AdminUid = uid("AdminUid")
export type AdminUid = typeof AdminUid.Type
export const ShopUid = uid("ShopUid")
export type ShopUid = typeof ShopUid.Type
export const DoctorUid = uid("DoctorUid")
export type DoctorUid = typeof DoctorUid.Type
export const PatientUid = uid("PatientUid")
export type PatientUid = typeof PatientUid.Type
export const ApiKeyUid = uid("ApiKeyUid")
export type ApiKeyUid = typeof ApiKeyUid.Type
export const AppointmentUid = uid("AppointmentUid")
export type AppointmentUid = typeof AppointmentUid.Type
export const AppointmentTypeUid = uid("AppointmentTypeUid")
export type AppointmentTypeUid = typeof AppointmentTypeUid.Type
export const ReminderUid = uid("ReminderUid")
export type ReminderUid = typeof ReminderUid.Type
export const RuleUid = uid("RuleUid")
export type RuleUid = typeof RuleUid.Type
export const OverrideUid = uid("OverrideUid")
export type OverrideUid = typeof OverrideUid.Type
export const BookingSessionUid = uid("BookingSessionUid")
export type BookingSessionUid = typeof BookingSessionUid.Type
export const EventUid = uid("EventUid")
export type EventUid = typeof EventUid.Type
export const SubscriptionUid = uid("SubscriptionUid")
export type SubscriptionUid = typeof SubscriptionUid.Type
export const DeliveryUid = uid("DeliveryUid")
export type DeliveryUid = typeof DeliveryUid.Type
export const PharmacyGroupUid = uid("PharmacyGroupUid")
export type PharmacyGroupUid = typeof PharmacyGroupUid.Type
export const PharmacyUid = uid("PharmacyUid")
export type PharmacyUid = typeof PharmacyUid.Type
export const ProductUid = uid("ProductUid")
export type ProductUid = typeof ProductUid.Type
export const SkuUid = uid("SkuUid")
export type SkuUid = typeof SkuUid.Type
export const PharmacySkuUid = uid("PharmacySkuUid")
export type PharmacySkuUid = typeof PharmacySkuUid.Type
export const PharmacyOrderUid = uid("PharmacyOrderUid")
export type PharmacyOrderUid = typeof PharmacyOrderUid.Type
export const PrescriptionUid = uid("PrescriptionUid")
export type PrescriptionUid = typeof PrescriptionUid.Type
