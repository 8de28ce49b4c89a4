/** States of a shop's order, as its pharmacy orders follow them. */
import type { ShopUid } from "../../src/schemas/ids.ts"
import type { ShopState } from "../../src/services/pharmacy/shopChanges.ts"
import { random } from "../support/world.ts"

export const shopState = (over: Partial<ShopState> = {}): ShopState => ({
  content: null,
  paid: null,
  payment_id: null,
  shop_uid: "shp_example" as ShopUid,
  order_id: random("order"),
  paid_amount: 5_440,
  refunded_amount: 0,
  ended: null,
  hold: null,
  ...over
})

export const cancelled = (reason: string) => shopState({ ended: { by: "cancelled", reason } })
