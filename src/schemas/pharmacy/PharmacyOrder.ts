/** An order as the pharmacy sees it. */
import { Schema } from "effect"
import { body, Name, OptionalText, query, queryInteger, UnixSeconds } from "../fields.ts"
import { PharmacyOrderUid, PharmacySkuUid, PrescriptionUid, SkuUid } from "../ids.ts"
import { pageQuery } from "../paging.ts"
import { PharmacyOrderStatus } from "./PharmacyOrderStates.ts"
import { SearchText } from "./SearchText.ts"

export const Tracking = Schema.Struct({ carrier: Name, number: Name }).annotations({ identifier: "Tracking" })
export type Tracking = typeof Tracking.Type

export const OrderPatient = Schema.Struct({
  first_name: Schema.NullOr(Schema.String),
  last_name: Schema.NullOr(Schema.String),
  date_of_birth: Schema.NullOr(Schema.Number).annotations({ description: "Unix seconds, as the checkout sent it" }),
  gender: Schema.NullOr(Schema.String)
})
export type OrderPatient = typeof OrderPatient.Type

/** Where the parcel goes, as the shop's checkout took it down. */
export const ShippingAddress = Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.String) })
export type ShippingAddress = typeof ShippingAddress.Type

export const PrescriptionFile = Schema.Struct({
  url: Schema.String.annotations({ description: "Signed address, valid for 5 minutes" }),
  sha256: Schema.String,
  size: Schema.Number
})
export type PrescriptionFile = typeof PrescriptionFile.Type

export const PharmacyOrderLine = Schema.Struct({
  uid: Schema.String,
  sku_uid: SkuUid,
  pharmacy_sku_uid: Schema.NullOr(PharmacySkuUid).annotations({ description: "null: the pharmacy does not carry it" }),
  external_id: Schema.NullOr(Schema.String),
  pzn: Schema.NullOr(Schema.String),
  display_name: Schema.String,
  quantity: Schema.Number,
  unit_price: Schema.Number.annotations({ description: "Paid for one unit, in cents" })
})

export const PharmacyOrder = Schema.Struct({
  uid: PharmacyOrderUid,
  name: Schema.String,
  status: PharmacyOrderStatus,
  status_reason: Schema.NullOr(Schema.String).annotations({
    description: "Why it has this status, where that was said"
  }),
  paid: Schema.Boolean,
  prescription_uid: Schema.NullOr(PrescriptionUid),
  prescription_file: Schema.NullOr(PrescriptionFile),
  shipping_price: Schema.Number.annotations({ description: "Cents" }),
  currency: Schema.String.annotations({ description: "ISO 4217" }),
  lines: Schema.Array(PharmacyOrderLine),
  patient: Schema.NullOr(OrderPatient),
  shipping_address: Schema.NullOr(ShippingAddress),
  tracking: Schema.NullOr(Tracking),
  parked_payouts: Schema.Array(Schema.Struct({ component_type: Schema.String, reason: Schema.String })).annotations({
    description: "Payouts that could not be routed and wait for an operator"
  }),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  completed_at: Schema.NullOr(UnixSeconds)
}).annotations({ identifier: "PharmacyOrder" })
export type PharmacyOrder = typeof PharmacyOrder.Type

export const OrderQuery = query({
  ...pageQuery(500),
  status: Schema.optional(PharmacyOrderStatus),
  search: Schema.optional(SearchText).annotations({ description: "Part of uid, name or prescription uid" }),
  start_date: Schema.optional(queryInteger(0, 253_402_300_799, "Created at or after, Unix seconds")),
  end_date: Schema.optional(queryInteger(0, 253_402_300_799, "Created at or before, Unix seconds"))
})
export type OrderQuery = typeof OrderQuery.Type

export const StatusChange = body({
  status: PharmacyOrderStatus,
  tracking: Schema.optional(Schema.NullOr(Tracking)),
  reason: Schema.optional(OptionalText)
})
export type StatusChange = typeof StatusChange.Type
