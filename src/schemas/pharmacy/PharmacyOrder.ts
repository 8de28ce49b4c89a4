/** An order in the pharmacy's interface (Rule 10.4.1). */
import { Schema } from "effect"
import { BirthDate } from "../birthDate.ts"
import {
  body,
  Count,
  integer,
  listOf,
  Name,
  OptionalText,
  query,
  queryTime,
  UnixSeconds,
  withDefault,
  withExample
} from "../fields.ts"
import {
  PharmacyOrderLineUid,
  PharmacyOrderUid,
  PharmacySkuUid,
  PrescriptionUid,
  ShopChangeUid,
  SkuUid
} from "../ids.ts"
import { keys, pageQuery, updatedAfter } from "../paging.ts"
import { SearchText } from "../SearchText.ts"
import { PharmacyOrderStatus } from "./PharmacyOrderStates.ts"

export const Tracking = Schema.Struct({ carrier: Name, number: Name }).annotations({ identifier: "Tracking" })
export type Tracking = typeof Tracking.Type

export const OrderPatient = Schema.Struct({
  first_name: Schema.NullOr(Schema.String).annotations({ description: "First name" }),
  last_name: Schema.NullOr(Schema.String).annotations({ description: "Last name" }),
  date_of_birth: Schema.NullOr(BirthDate).annotations({ description: "Unix seconds, negative before 1970" }),
  gender: Schema.NullOr(Schema.String).annotations({ description: "male, female or divers; null when unknown" })
})
export type OrderPatient = typeof OrderPatient.Type

/** The shipping address, with the fields of the shop's checkout. */
export const ShippingAddress = Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.String) })
export type ShippingAddress = typeof ShippingAddress.Type

export const PrescriptionFile = Schema.Struct({
  url: Schema.String.annotations({ description: "Signed address, valid for 5 minutes" }),
  sha256: Schema.String.annotations({ description: "Hexadecimal" }),
  size: Count.annotations({ description: "Bytes" })
})
export type PrescriptionFile = typeof PrescriptionFile.Type

export const PharmacyOrderLine = Schema.Struct({
  uid: PharmacyOrderLineUid,
  sku_uid: SkuUid,
  pharmacy_sku_uid: Schema.NullOr(PharmacySkuUid).annotations({ description: "null: the pharmacy does not carry it" }),
  external_id: Schema.NullOr(Schema.String).annotations({ description: "Identifier in the pharmacy's own system" }),
  pzn: Schema.NullOr(Schema.String).annotations({
    description: "Central pharmaceutical number (PZN); null without one"
  }),
  display_name: Schema.String.annotations({ description: "Name of the article; may be its strength and form alone" }),
  product_display_name: Schema.String.annotations({ description: "Name of its product" }),
  quantity: Count.annotations({ description: "Units" }),
  unit_price: Count.annotations({ description: "Paid for one unit, in cents: `total_price` divided, rounded" }),
  total_price: Count.annotations({
    description: "Paid for the whole quantity after discounts, in cents; what payouts count"
  })
})

/** Why an order waits for a person. */
export const ChangeReason = Schema.Literal(
  "edited",
  "refunded",
  "cancelled",
  "prescription_not_usable",
  "anamnesis_required"
)
export type ChangeReason = typeof ChangeReason.Type

export const ShopChange = Schema.Struct({
  uid: ShopChangeUid.annotations({ description: "Opaque identifier, to accept exactly this change" }),
  reason: ChangeReason.annotations({
    description:
      "What happened in the shop: the order was edited, refunded or cancelled; or its prescription does not cover it, or it " +
      "lacks the anamnesis that the shop demands"
  }),
  since: UnixSeconds,
  lines: Schema.NullOr(
    Schema.Array(
      Schema.Struct({
        sku_uid: SkuUid,
        display_name: Schema.String.annotations({ description: "Name of the article" }),
        quantity: Count.annotations({ description: "Units" }),
        total_price: Count.annotations({ description: "Paid for the whole quantity, in cents" })
      })
    )
  ).annotations({
    description: "What is to be delivered now; null where the shop has not said it, or it is unchanged"
  }),
  shipping_price: Schema.NullOr(Count).annotations({ description: "Cents; null as `lines`" })
}).annotations({ identifier: "ShopChange" })
export type ShopChange = typeof ShopChange.Type

const MissingLine = Schema.Struct({
  line_uid: PharmacyOrderLineUid,
  quantity: integer(1, 100_000, "Units of the line that are missing")
})
const message = Schema.NullOr(Schema.String).annotations({
  description: "What the pharmacy says about it; null: nothing",
  examples: ["Available again on Friday"]
})

/** What the pharmacy cannot deliver. */
export const OrderProblem = Schema.Struct({
  message,
  missing: Schema.Array(MissingLine).annotations({ description: "Lines that are not, or only partly, available" }),
  since: UnixSeconds
}).annotations({ identifier: "PharmacyOrderProblem" })
export type OrderProblem = typeof OrderProblem.Type

/** The last step of an order, while it can be undone. */
export const Undoable = Schema.Struct({
  status: PharmacyOrderStatus.annotations({ description: "The status that undoing restores" }),
  until: UnixSeconds.annotations({ description: "Until when, ten seconds after the step" })
}).annotations({ identifier: "PharmacyOrderUndo" })
export type Undoable = typeof Undoable.Type

export const PharmacyOrder = Schema.Struct({
  uid: PharmacyOrderUid.annotations({ description: "Opaque identifier" }),
  name: Schema.String.annotations({ description: "Name of the order in the shop" }),
  status: PharmacyOrderStatus.annotations({ description: "Status of the order" }),
  status_reason: Schema.NullOr(Schema.String).annotations({
    description: "Reason given for this status; null when none was given"
  }),
  paid: Schema.Boolean.annotations({ description: "Whether the order is paid" }),
  paid_amount: Count.annotations({
    description: "Paid for this order less what was refunded, in cents: the most that is routed to the pharmacy"
  }),
  refunded_amount: Count.annotations({ description: "Refunded for the shop's whole order, in cents" }),
  shop_change: Schema.NullOr(ShopChange).annotations({
    description: "A change in the shop that a person has to settle before the order goes on; null without one"
  }),
  prescription_uid: Schema.NullOr(PrescriptionUid).annotations({
    description: "The prescription that the order fills; null without one"
  }),
  prescription_file: Schema.NullOr(PrescriptionFile).annotations({
    description: "The prescription's PDF; null without one"
  }),
  shipping_price: Count.annotations({ description: "Cents" }),
  currency: Schema.String.annotations({ description: "ISO 4217" }),
  lines: Schema.Array(PharmacyOrderLine).annotations({ description: "Ordered articles" }),
  patient: Schema.NullOr(OrderPatient).annotations({ description: "The patient; null when unknown" }),
  shipping_address: Schema.NullOr(ShippingAddress).annotations({
    description: "Delivery address; null without one"
  }),
  tracking: Schema.NullOr(Tracking).annotations({ description: "Carrier and number of the parcel; null without one" }),
  problem: Schema.NullOr(OrderProblem).annotations({
    description: "What the pharmacy has reported: articles that are missing, and a message; null: nothing"
  }),
  undo: Schema.NullOr(Undoable).annotations({
    description: "The last step, if it could be undone; null: it could not"
  }),
  parked_payouts: Schema.Array(
    Schema.Struct({
      component_type: Schema.String.annotations({ description: "Part of the payout" }),
      reason: Schema.String.annotations({ description: "Why" })
    })
  ).annotations({
    description: "Payouts that could not be routed and wait for an operator"
  }),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  completed_at: Schema.NullOr(UnixSeconds).annotations({ description: "Unix seconds; null until completed" })
}).annotations({ identifier: "PharmacyOrder" })
export type PharmacyOrder = typeof PharmacyOrder.Type

export const OrderQuery = query({
  ...pageQuery(500, Schema.Tuple(keys.time, keys.text)),
  status: Schema.optionalWith(PharmacyOrderStatus.annotations({ description: "Only orders in this status" }), {
    exact: true
  }),
  search: Schema.optionalWith(SearchText("Part of uid, name or prescription uid"), {
    exact: true
  }),
  start_date: Schema.optional(queryTime("Created at or after, Unix seconds")),
  end_date: Schema.optional(queryTime("Created at or before, Unix seconds")),
  ...updatedAfter
})
export type OrderQuery = typeof OrderQuery.Type

export const StatusChange = withExample(
  body({
    status: PharmacyOrderStatus.annotations({ description: "Status of the order" }),
    tracking: Schema.optional(Schema.NullOr(Tracking)).annotations({
      description: "Carrier and number of the parcel; null without one"
    }),
    reason: Schema.optional(OptionalText).annotations({ description: "Why" })
  }),
  { status: "accepted" }
)
export type StatusChange = typeof StatusChange.Type

export const NewOrderProblem = withExample(
  body({
    message: withDefault(OptionalText, null),
    missing: withDefault(
      listOf(MissingLine, {
        max: 500,
        description: "Lines that are not, or only partly, available, each with what is missing"
      }),
      []
    )
  }),
  { message: "Available again on Friday", missing: [] }
)
export type NewOrderProblem = typeof NewOrderProblem.Type

export const AcceptedChange = withExample(
  body({ uid: ShopChangeUid.annotations({ description: "uid of the change, from the order's `shop_change`" }) }),
  { uid: "chg_example" }
)
export type AcceptedChange = typeof AcceptedChange.Type

export const NewTracking = withExample(body(Tracking.fields), { carrier: "DHL", number: "00340434161094042557" })
export type NewTracking = typeof NewTracking.Type
