/** Payouts to a pharmacy, in lists and statements (Rule 10.5.1). */
import { Schema } from "effect"
import { Count, described, omittable, oneOf, query, queryTime, UnixSeconds, withDefault } from "../fields.ts"
import { PharmacyOrderUid } from "../ids.ts"
import { keys, pageQuery, updatedAfter } from "../paging.ts"
import { SearchText } from "../SearchText.ts"

export const PayoutStatus = oneOf("projected", "routed")
export type PayoutStatus = typeof PayoutStatus.Type

/** The parts of an order's payout. */
export const ComponentType = Schema.Literal("item_rest", "item_markup", "shipping")
export type ComponentType = typeof ComponentType.Type

export const Payout = Schema.Struct({
  status: Schema.Literal("projected", "routed").annotations({
    description: "projected: a preview; routed: sent to the payment provider"
  }),
  amount: described(Count, "Cents"),
  currency: described(Schema.String, "ISO 4217"),
  component_type: described(ComponentType, "Part of the payout"),
  routing_description: Schema.NullOr(Schema.String).annotations({
    description: "Description that the payment provider got; null until routed"
  }),
  provider_route_id: Schema.NullOr(Schema.String).annotations({
    description: "The payment provider's identifier of the route; null until routed"
  }),
  pharmacy_order_uid: PharmacyOrderUid,
  pharmacy_order_name: described(Schema.NullOr(Schema.String), "Name of the order; null without one"),
  pharmacy_order_created_at: UnixSeconds,
  routing_created_at: described(Schema.NullOr(UnixSeconds), "Unix seconds; null until routed"),
  updated_at: UnixSeconds
}).annotations({ identifier: "Payout" })
export type Payout = typeof Payout.Type

const instant = (what: string) => Schema.optional(queryTime(what))

export const PayoutSort = oneOf("pharmacy_order_created_at", "routing_created_at", "amount")
export type PayoutSort = typeof PayoutSort.Type

/** A place in the list: the value of the sort column, the order and the component. */
export const PayoutPlace = Schema.Tuple(Schema.NullOr(keys.amount), keys.text, ComponentType)

export const PayoutQuery = query({
  ...pageQuery(500, PayoutPlace),
  ...updatedAfter,
  status: omittable(described(PayoutStatus, "projected: a preview; routed: sent to the payment provider")),
  search: omittable(SearchText("Part of the order's uid or name, of the route's id or of its description")),
  start_date: instant("Routed rows: routed at or after; projected rows: ordered at or after"),
  end_date: instant("The same, at or before"),
  sort_by: withDefault(described(PayoutSort, "Field that orders the list"), "pharmacy_order_created_at"),
  sort_direction: withDefault(described(oneOf("asc", "desc"), "asc: smallest first; desc: greatest first"), "desc")
})
export type PayoutQuery = typeof PayoutQuery.Type

/** The filter of the rows, without paging. */
export type PayoutFilter = Pick<PayoutQuery, "status" | "search" | "start_date" | "end_date" | "updated_after">
