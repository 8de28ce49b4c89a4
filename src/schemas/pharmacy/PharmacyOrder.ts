/** An order in the pharmacy's interface (Rule 10.4.1). */
import { Schema } from "effect"
import { BirthDate } from "../birthDate.ts"
import {
  body,
  Count,
  described,
  integer,
  listOf,
  Name,
  OptionalText,
  omittable,
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
  first_name: described(Schema.NullOr(Schema.String), "First name"),
  last_name: described(Schema.NullOr(Schema.String), "Last name"),
  date_of_birth: described(Schema.NullOr(BirthDate), "Unix seconds, negative before 1970"),
  gender: described(Schema.NullOr(Schema.String), "male, female or divers; null when unknown")
})
export type OrderPatient = typeof OrderPatient.Type

/** The shipping address, with the fields of the shop's checkout. */
export const ShippingAddress = Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.String) })
export type ShippingAddress = typeof ShippingAddress.Type

export const PrescriptionFile = Schema.Struct({
  url: described(Schema.String, "Signed address, valid for 5 minutes"),
  sha256: described(Schema.String, "Hexadecimal"),
  size: described(Count, "Bytes")
})
export type PrescriptionFile = typeof PrescriptionFile.Type

export const PharmacyOrderLine = Schema.Struct({
  uid: PharmacyOrderLineUid,
  sku_uid: SkuUid,
  pharmacy_sku_uid: described(Schema.NullOr(PharmacySkuUid), "null: the pharmacy does not carry it"),
  external_id: described(Schema.NullOr(Schema.String), "Identifier in the pharmacy's own system"),
  pzn: described(Schema.NullOr(Schema.String), "Central pharmaceutical number (PZN); null without one"),
  display_name: described(Schema.String, "Name of the article; may be its strength and form alone"),
  product_display_name: described(Schema.String, "Name of its product"),
  quantity: described(Count, "Units"),
  unit_price: described(Count, "Paid for one unit, in cents: `total_price` divided, rounded"),
  total_price: described(Count, "Paid for the whole quantity after discounts, in cents; what payouts count")
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
  uid: described(ShopChangeUid, "Opaque identifier, to accept exactly this change"),
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
        display_name: described(Schema.String, "Name of the article"),
        quantity: described(Count, "Units"),
        total_price: described(Count, "Paid for the whole quantity, in cents")
      })
    )
  ).annotations({
    description: "What is to be delivered now; null where the shop has not said it, or it is unchanged"
  }),
  shipping_price: described(Schema.NullOr(Count), "Cents; null as `lines`")
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
  missing: described(Schema.Array(MissingLine), "Lines that are not, or only partly, available"),
  since: UnixSeconds
}).annotations({ identifier: "PharmacyOrderProblem" })
export type OrderProblem = typeof OrderProblem.Type

/** The last step of an order, while it can be undone. */
export const Undoable = Schema.Struct({
  status: described(PharmacyOrderStatus, "The status that undoing restores"),
  until: described(UnixSeconds, "Until when, ten seconds after the step")
}).annotations({ identifier: "PharmacyOrderUndo" })
export type Undoable = typeof Undoable.Type

export const PharmacyOrder = Schema.Struct({
  uid: described(PharmacyOrderUid, "Opaque identifier"),
  name: described(Schema.String, "Name of the order in the shop"),
  status: described(PharmacyOrderStatus, "Status of the order"),
  status_reason: described(Schema.NullOr(Schema.String), "Reason given for this status; null when none was given"),
  paid: described(Schema.Boolean, "Whether the order is paid"),
  paid_amount: Count.annotations({
    description: "Paid for this order less what was refunded, in cents: the most that is routed to the pharmacy"
  }),
  refunded_amount: described(Count, "Refunded for the shop's whole order, in cents"),
  shop_change: Schema.NullOr(ShopChange).annotations({
    description: "A change in the shop that a person has to settle before the order goes on; null without one"
  }),
  prescription_uid: Schema.NullOr(PrescriptionUid).annotations({
    description: "The prescription that the order fills; null without one"
  }),
  prescription_file: described(Schema.NullOr(PrescriptionFile), "The prescription's PDF; null without one"),
  shipping_price: described(Count, "Cents"),
  currency: described(Schema.String, "ISO 4217"),
  lines: described(Schema.Array(PharmacyOrderLine), "Ordered articles"),
  patient: described(Schema.NullOr(OrderPatient), "The patient; null when unknown"),
  shipping_address: described(Schema.NullOr(ShippingAddress), "Delivery address; null without one"),
  tracking: described(Schema.NullOr(Tracking), "Carrier and number of the parcel; null without one"),
  problem: Schema.NullOr(OrderProblem).annotations({
    description: "What the pharmacy has reported: articles that are missing, and a message; null: nothing"
  }),
  undo: described(Schema.NullOr(Undoable), "The last step, if it could be undone; null: it could not"),
  parked_payouts: Schema.Array(
    Schema.Struct({
      component_type: described(Schema.String, "Part of the payout"),
      reason: described(Schema.String, "Why")
    })
  ).annotations({
    description: "Payouts that could not be routed and wait for an operator"
  }),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  completed_at: described(Schema.NullOr(UnixSeconds), "Unix seconds; null until completed")
}).annotations({ identifier: "PharmacyOrder" })
export type PharmacyOrder = typeof PharmacyOrder.Type

export const OrderQuery = query({
  ...pageQuery(500, Schema.Tuple(keys.time, keys.text)),
  status: omittable(PharmacyOrderStatus.annotations({ description: "Only orders in this status" })),
  search: omittable(SearchText("Part of uid, name or prescription uid")),
  start_date: Schema.optional(queryTime("Created at or after, Unix seconds")),
  end_date: Schema.optional(queryTime("Created at or before, Unix seconds")),
  ...updatedAfter
})
export type OrderQuery = typeof OrderQuery.Type

export const StatusChange = withExample(
  body({
    status: described(PharmacyOrderStatus, "Status of the order"),
    tracking: described(Schema.optional(Schema.NullOr(Tracking)), "Carrier and number of the parcel; null without one"),
    reason: described(Schema.optional(OptionalText), "Why")
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
  body({ uid: described(ShopChangeUid, "uid of the change, from the order's `shop_change`") }),
  { uid: "chg_example" }
)
export type AcceptedChange = typeof AcceptedChange.Type

export const NewTracking = withExample(body(Tracking.fields), { carrier: "DHL", number: "00340434161094042557" })
export type NewTracking = typeof NewTracking.Type
