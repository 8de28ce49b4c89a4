/** Request and response bodies of the public checkout (Rules 11.1 and 11.2). */
import { ParseResult, Predicate, Schema, SchemaAST } from "effect"
import { BirthDate } from "../birthDate.ts"
import {
  body,
  described,
  Flag,
  integer,
  isText,
  isWithin,
  listOf,
  Name,
  Opaque,
  OptionalText,
  oneOf,
  UnixSeconds,
  withDefault,
  withExample
} from "../fields.ts"
import { withForms } from "../forms.ts"
import { lookedUp, PrescriptionUid, SkuUid } from "../ids.ts"
import { Tracking } from "../pharmacy/PharmacyOrder.ts"
import { PharmacyOrderStatus } from "../pharmacy/PharmacyOrderStates.ts"
import { EXAMPLE_PDF, PdfInBase64 } from "../prescriptions/pdf.ts"
import { isAbsent } from "../rules.ts"
import { COUNTRY_CODES } from "./countryCodes.ts"

const nullByDefault = <A, I>(schema: Schema.Schema<A, I>) => withDefault(Schema.NullOr(schema), null)
const text = withDefault(OptionalText, null)
const list = <A, I>(schema: Schema.Schema<A, I>, max: number, description: string) =>
  withDefault(listOf(schema, { max, description }), [])

export const MOST_LINES = 500
const NO_COUNTRY = "must be an ISO 3166-1 country code of two letters, e.g. DE"
/** Blank means no value; lower case is converted to upper case. */
const CountryCode = Schema.transform(
  Schema.NullOr(Schema.String.annotations({ message: () => NO_COUNTRY, jsonSchema: { maxLength: 2 } })),
  Schema.NullOr(Schema.String.pipe(Schema.filter((code) => COUNTRY_CODES.has(code), { message: () => NO_COUNTRY }))),
  { strict: true, decode: (code) => code?.trim().toUpperCase() || null, encode: (code) => code }
).annotations({ description: "ISO 3166-1 alpha-2" })

const Address = Schema.Struct({
  first_name: described(text, "First name"),
  last_name: described(text, "Last name"),
  address1: described(text, "Street including the house number"),
  city: text,
  province: described(text, "Empty for countries without provinces"),
  country_code: withDefault(CountryCode, null),
  zip: text
}).annotations({ identifier: "CheckoutAddress" })
export type Address = typeof Address.Type

/** An opaque token; an empty one is its absence. Rule 2.2.12. */
const link = (max: number) =>
  Schema.transform(
    Schema.NullOr(
      Schema.String.pipe(
        Schema.filter(isText, { message: () => "must be text" }),
        Schema.filter((text) => isWithin(text, 0, max), {
          message: () => `must be text of at most ${max} characters`,
          jsonSchema: { maxLength: max }
        })
      )
    ),
    Schema.NullOr(Schema.String),
    { strict: true, decode: (text) => text || null, encode: (text) => text }
  )
const Link = link(255)

const BuyerIdentity = Schema.Struct({
  email: text,
  phone: text,
  countryCode: withDefault(CountryCode, null),
  customerAccessToken: described(withDefault(link(4_096), null), "Used with `checkout_link` only")
}).annotations({ identifier: "BuyerIdentity" })
export type BuyerIdentity = typeof BuyerIdentity.Type

const Quantity = integer(1, 10_000, "Units")
const line = { sku_uid: SkuUid, quantity: Quantity }

export const CheckoutType = oneOf("checkout_link", "draft_order", "draft_order_without_checkout_request")
export type CheckoutType = typeof CheckoutType.Type

export const PatientData = Schema.Struct({
  first_name: described(Name, "First name"),
  last_name: described(Name, "Last name"),
  date_of_birth: BirthDate,
  gender: described(oneOf("male", "female", "divers"), "Gender of the patient")
}).annotations({ identifier: "CheckoutPatient" })
export type PatientData = typeof PatientData.Type

const CheckoutBody = body({
  reserved_draft_order_id: nullByDefault(lookedUp(255, "Identifier of the reserved draft order")).annotations({
    description: "From a reservation: that draft order is updated, no checkout is created, `checkout_type` is ignored"
  }),
  prescriptions: list(
    Schema.Struct({
      id: described(Opaque(255), "Yours; links lines, and is accepted once per provider"),
      pdf_base64: PdfInBase64
    }),
    20,
    "Signed prescriptions"
  ),
  lines: list(
    Schema.Struct({
      ...line,
      prescription_id: withDefault(
        described(Link, "The `id` of the prescription that the line belongs to; null without one"),
        null
      )
    }),
    MOST_LINES,
    "Ordered articles"
  ),
  patient_data: PatientData,
  buyerIdentity: described(nullByDefault(BuyerIdentity), "Contact data of the buyer"),
  checkout_type: withDefault(described(CheckoutType, "How the customer gets the checkout"), "draft_order"),
  prepaid: withDefault(Flag.annotations({ description: "Whether it was paid already; shown on the order" }), false),
  external_order_id: described(text, "The caller's identifier of the order"),
  delivery: nullByDefault(
    Schema.Struct({
      delivery_type: text,
      delivery_price: described(nullByDefault(integer(0, 100_000_000, "Cents")), "Cents")
    })
  ).annotations({ description: "Way and price of delivery; shown on the order" }),
  transaction: nullByDefault(
    Schema.Struct({
      transaction_id: text,
      transaction_amount: described(nullByDefault(integer(0, 100_000_000_000, "Cents")), "Cents")
    })
  ).annotations({ description: "A payment that was made already; shown on the order" }),
  billing_address: described(nullByDefault(Address), "Ignored with `checkout_link`"),
  shipping_address: described(nullByDefault(Address), "Ignored with `checkout_link`")
}).annotations({ identifier: "PrescriptionCheckout" })

/** The fields that a checkout ignores, removed before validation (Rules 11.3.2 and 11.4.2). */
const withoutIgnored = (sent: unknown): unknown => {
  if (!Predicate.isRecord(sent)) return sent
  const reserved = !isAbsent(sent.reserved_draft_order_id)
  const ignored = reserved
    ? ["checkout_type"]
    : sent.checkout_type === "checkout_link"
      ? ["billing_address", "shipping_address"]
      : []
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !ignored.includes(name)))
}

const prescriptionCheckout = withExample(
  Schema.declare(
    [CheckoutBody],
    {
      decode: (inner) => (sent, options) => ParseResult.decodeUnknown(inner)(withoutIgnored(sent), options),
      encode: (inner) => (value, options) => ParseResult.encodeUnknown(inner)(value, options)
    },
    { [SchemaAST.SurrogateAnnotationId]: CheckoutBody.ast }
  ),
  {
    prescriptions: [
      {
        id: "rx-1001",
        pdf_base64: EXAMPLE_PDF
      }
    ],
    lines: [{ sku_uid: "sku_demo_ibuprofen", quantity: 1, prescription_id: "rx-1001" }],
    patient_data: { first_name: "Ada", last_name: "Example", date_of_birth: 641_520_000, gender: "female" },
    buyerIdentity: { email: "patient@example.org" },
    checkout_type: "checkout_link"
  }
)
const withoutRequest = { checkout_type: ["draft_order_without_checkout_request"] }
const withCheckout = { checkout_type: ["checkout_link", "draft_order"] }
const unreserved = { reserved_draft_order_id: [null] }
export const PrescriptionCheckout = withForms(prescriptionCheckout, [
  {
    name: "NewPrescriptionCheckout",
    description: "The customer is asked to pay",
    fixed: { ...unreserved, ...withCheckout },
    required: ["lines"]
  },
  {
    name: "NewPrescriptionsAlone",
    description: "Prescriptions without articles to order",
    fixed: { ...unreserved, ...withCheckout },
    required: ["prescriptions"]
  },
  {
    name: "NewPrescriptionDraftOrder",
    description: "A draft order of which the customer is not told",
    fixed: { ...unreserved, ...withoutRequest },
    required: ["checkout_type", "buyerIdentity", "lines"]
  },
  {
    name: "ReservedPrescriptionCheckout",
    description: "A reserved draft order is updated",
    required: ["reserved_draft_order_id"],
    without: ["checkout_type"]
  }
])
export type PrescriptionCheckout = typeof PrescriptionCheckout.Type

const treatmentCheckout = withExample(
  body({
    lines: listOf(
      Schema.Struct({
        ...line,
        anamnesis_id: withDefault(described(Link, "The patient's questionnaire; null without one"), null)
      }),
      { max: MOST_LINES, description: "Ordered articles" }
    ),
    buyerIdentity: described(nullByDefault(BuyerIdentity), "Contact data of the buyer"),
    checkout_type: withDefault(described(CheckoutType, "How the customer gets the checkout"), "draft_order")
  }).annotations({ identifier: "TreatmentCheckout" }),
  {
    lines: [{ sku_uid: "sku_demo_ibuprofen", quantity: 1, anamnesis_id: "questionnaire-7" }],
    buyerIdentity: { email: "patient@example.org" },
    checkout_type: "checkout_link"
  }
)
export const TreatmentCheckout = withForms(treatmentCheckout, [
  { name: "NewTreatmentCheckout", description: "The customer is asked to pay", fixed: withCheckout },
  {
    name: "NewTreatmentDraftOrder",
    description: "A draft order of which the customer is not told",
    fixed: withoutRequest,
    required: ["checkout_type", "buyerIdentity"]
  }
])
export type TreatmentCheckout = typeof TreatmentCheckout.Type

export const NewReservation = body({
  lines: listOf(Schema.Struct(line), { max: MOST_LINES, description: "Ordered articles" })
}).annotations({
  identifier: "NewReservation"
})
export type NewReservation = typeof NewReservation.Type

const opened = {
  status: described(Schema.Literal("success"), "Always success"),
  checkout_url: Schema.NullOr(Schema.String).annotations({
    description:
      "URL at which the customer pays; null for `draft_order_without_checkout_request` and reserved draft orders"
  }),
  draft_order_id: described(Schema.NullOr(Schema.String), "null for `checkout_link`")
}

export const PrescriptionCheckoutResult = Schema.Struct({
  ...opened,
  prescriptions: Schema.Array(
    Schema.Struct({
      id: described(Schema.String, "The caller's identifier of the prescription"),
      prescription_uid: PrescriptionUid
    })
  ).annotations({ description: "Signed prescriptions" })
}).annotations({ identifier: "PrescriptionCheckoutResult" })
export type PrescriptionCheckoutResult = typeof PrescriptionCheckoutResult.Type

export const TreatmentCheckoutResult = Schema.Struct(opened).annotations({ identifier: "TreatmentCheckoutResult" })
export type TreatmentCheckoutResult = typeof TreatmentCheckoutResult.Type

export const Reservation = Schema.Struct({
  reserved_draft_order_id: described(Schema.String, "Draft order that holds the reservation"),
  expires_at: UnixSeconds
}).annotations({ identifier: "Reservation" })
export type Reservation = typeof Reservation.Type

export const OrdersOfPrescription = Schema.Struct({
  prescription_uid: PrescriptionUid,
  status: described(Schema.String, "As in the prescription's read view, e.g. `signed`"),
  orders: Schema.Array(
    Schema.Struct({
      uid: described(Schema.String, "Opaque identifier"),
      name: described(Schema.String, "Name of the order in the shop"),
      status: described(PharmacyOrderStatus, "Status of the order"),
      paid: described(Schema.Boolean, "Whether the order is paid"),
      created_at: UnixSeconds,
      tracking: described(Schema.NullOr(Tracking), "Carrier and number of the parcel; null without one")
    })
  ).annotations({ description: "Orders that fill the prescription" })
}).annotations({ identifier: "OrdersOfPrescription" })
export type OrdersOfPrescription = typeof OrdersOfPrescription.Type
