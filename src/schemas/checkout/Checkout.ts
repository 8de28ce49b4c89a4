/** Bodies and answers of the public checkout (Rules 11.1 and 11.2). */
import { Schema } from "effect"
import { BirthDate } from "../birthDate.ts"
import { body, Flag, integer, isText, Name, Opaque, OptionalText, oneOf, UnixSeconds, withDefault } from "../fields.ts"
import { PrescriptionUid, SkuUid } from "../ids.ts"
import { Tracking } from "../pharmacy/PharmacyOrder.ts"
import { PharmacyOrderStatus } from "../pharmacy/PharmacyOrderStates.ts"
import { COUNTRY_CODES } from "./countryCodes.ts"

const orNone = <A, I>(schema: Schema.Schema<A, I>) => withDefault(Schema.NullOr(schema), null)
const text = withDefault(OptionalText, null)
const list = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.Array(schema), { default: () => [], nullable: true })

const NO_COUNTRY = "must be an ISO 3166-1 country code of two letters, e.g. DE"
/** Blank counts as none; small letters are taken for capitals. */
const CountryCode = Schema.transform(
  Schema.NullOr(Schema.String.annotations({ message: () => NO_COUNTRY })),
  Schema.NullOr(Schema.String.pipe(Schema.filter((code) => COUNTRY_CODES.has(code), { message: () => NO_COUNTRY }))),
  { strict: true, decode: (code) => code?.trim().toUpperCase() || null, encode: (code) => code }
).annotations({ description: "ISO 3166-1 alpha-2" })

const Address = Schema.Struct({
  first_name: text,
  last_name: text,
  address1: text.annotations({ description: "Street including the house number" }),
  city: text,
  province: text.annotations({ description: "Empty for countries without provinces" }),
  country_code: withDefault(CountryCode, null),
  zip: text
}).annotations({ identifier: "CheckoutAddress" })
export type Address = typeof Address.Type

/** Line ids and the like are opaque, yet an empty one links to nothing. */
const Link = Schema.NullOr(Schema.String.pipe(Schema.filter(isText, { message: () => "must be text" })))

const BuyerIdentity = Schema.Struct({
  email: text,
  phone: text,
  countryCode: withDefault(CountryCode, null),
  customerAccessToken: withDefault(Link, null).annotations({ description: "Used with `checkout_link` only" })
}).annotations({ identifier: "BuyerIdentity" })
export type BuyerIdentity = typeof BuyerIdentity.Type

const Quantity = integer(1, 10_000, "Units")
const line = { sku_uid: SkuUid, quantity: Quantity }

export const CheckoutType = oneOf("checkout_link", "draft_order", "draft_order_without_checkout_request")
export type CheckoutType = typeof CheckoutType.Type

export const PatientData = Schema.Struct({
  first_name: Name,
  last_name: Name,
  date_of_birth: BirthDate,
  gender: oneOf("male", "female", "divers")
}).annotations({ identifier: "CheckoutPatient" })
export type PatientData = typeof PatientData.Type

export const PrescriptionCheckout = body({
  reserved_draft_order_id: orNone(Schema.String).annotations({
    description: "From a reservation: that draft order is updated, no checkout is created, `checkout_type` is ignored"
  }),
  prescriptions: list(
    Schema.Struct({
      id: Opaque(255).annotations({ description: "Yours; links lines, and is accepted once per provider" }),
      pdf_base64: Schema.String.annotations({ description: "Signed PDF in strict base64, at most 10 MiB decoded" })
    })
  ),
  lines: list(Schema.Struct({ ...line, prescription_id: withDefault(Link, null) })),
  patient_data: PatientData,
  buyerIdentity: orNone(BuyerIdentity),
  checkout_type: withDefault(CheckoutType, "draft_order"),
  prepaid: withDefault(Flag, false),
  external_order_id: text,
  delivery: orNone(Schema.Struct({ delivery_type: text, delivery_price: orNone(integer(0, 100_000_000, "Cents")) })),
  transaction: orNone(
    Schema.Struct({ transaction_id: text, transaction_amount: orNone(integer(0, 100_000_000_000, "Cents")) })
  ),
  billing_address: orNone(Address),
  shipping_address: orNone(Address)
}).annotations({ identifier: "PrescriptionCheckout" })
export type PrescriptionCheckout = typeof PrescriptionCheckout.Type

export const TreatmentCheckout = body({
  lines: Schema.Array(Schema.Struct({ ...line, anamnesis_id: withDefault(Link, null) })),
  buyerIdentity: orNone(BuyerIdentity),
  checkout_type: withDefault(CheckoutType, "draft_order")
}).annotations({ identifier: "TreatmentCheckout" })
export type TreatmentCheckout = typeof TreatmentCheckout.Type

export const NewReservation = body({ lines: Schema.Array(Schema.Struct(line)) }).annotations({
  identifier: "NewReservation"
})
export type NewReservation = typeof NewReservation.Type

const opened = {
  status: Schema.Literal("success"),
  checkout_url: Schema.NullOr(Schema.String).annotations({
    description: "Where the customer pays; null for `draft_order_without_checkout_request` and reserved draft orders"
  }),
  draft_order_id: Schema.NullOr(Schema.String).annotations({ description: "null for `checkout_link`" })
}

export const PrescriptionCheckoutResult = Schema.Struct({
  ...opened,
  prescriptions: Schema.Array(Schema.Struct({ id: Schema.String, prescription_uid: PrescriptionUid }))
}).annotations({ identifier: "PrescriptionCheckoutResult" })
export type PrescriptionCheckoutResult = typeof PrescriptionCheckoutResult.Type

export const TreatmentCheckoutResult = Schema.Struct(opened).annotations({ identifier: "TreatmentCheckoutResult" })
export type TreatmentCheckoutResult = typeof TreatmentCheckoutResult.Type

export const Reservation = Schema.Struct({
  reserved_draft_order_id: Schema.String,
  expires_at: UnixSeconds
}).annotations({ identifier: "Reservation" })
export type Reservation = typeof Reservation.Type

export const OrdersOfPrescription = Schema.Struct({
  prescription_uid: PrescriptionUid,
  status: Schema.String.annotations({ description: "As in the prescription's read view, e.g. `signed`" }),
  orders: Schema.Array(
    Schema.Struct({
      uid: Schema.String,
      name: Schema.String,
      status: PharmacyOrderStatus,
      paid: Schema.Boolean,
      created_at: UnixSeconds,
      tracking: Schema.NullOr(Tracking)
    })
  )
}).annotations({ identifier: "OrdersOfPrescription" })
export type OrdersOfPrescription = typeof OrdersOfPrescription.Type
