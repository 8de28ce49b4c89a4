/** What a pharmacy is owed, as lists and statements show it (Rule 10.5.1). */
import { Schema } from "effect"
import { oneOf, query, queryInteger, UnixSeconds, withDefault } from "../fields.ts"
import { PharmacyOrderUid } from "../ids.ts"
import { pageQuery } from "../paging.ts"
import { SearchText } from "./SearchText.ts"

export const PayoutStatus = oneOf("projected", "routed")
export type PayoutStatus = typeof PayoutStatus.Type

export const Payout = Schema.Struct({
  status: Schema.Literal("projected", "routed"),
  amount: Schema.Number.annotations({ description: "Cents" }),
  currency: Schema.String.annotations({ description: "ISO 4217" }),
  component_type: Schema.Literal("item_rest", "item_markup", "shipping"),
  routing_description: Schema.NullOr(Schema.String),
  provider_route_id: Schema.NullOr(Schema.String),
  pharmacy_order_uid: PharmacyOrderUid,
  pharmacy_order_name: Schema.NullOr(Schema.String),
  pharmacy_order_created_at: UnixSeconds,
  routing_created_at: Schema.NullOr(UnixSeconds)
}).annotations({ identifier: "Payout" })
export type Payout = typeof Payout.Type

const instant = (what: string) => Schema.optional(queryInteger(0, 253_402_300_799, what))

export const PayoutSort = oneOf("pharmacy_order_created_at", "routing_created_at", "amount")
export type PayoutSort = typeof PayoutSort.Type

export const PayoutQuery = query({
  ...pageQuery(500),
  status: Schema.optional(PayoutStatus),
  search: Schema.optional(SearchText).annotations({
    description: "Part of the order's uid or name, of the route's id or of its description"
  }),
  start_date: instant("Routed rows: routed at or after; projected rows: ordered at or after"),
  end_date: instant("The same, at or before"),
  sort_by: withDefault(PayoutSort, "pharmacy_order_created_at"),
  sort_direction: withDefault(oneOf("asc", "desc"), "desc")
})
export type PayoutQuery = typeof PayoutQuery.Type

/** Which rows, without which page of them. */
export type PayoutFilter = Pick<PayoutQuery, "status" | "search" | "start_date" | "end_date">
