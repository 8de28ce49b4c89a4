/** Orders that shops send by webhook, of which pharmacies' orders are made. Rule 11.7. */
import { Effect } from "effect"
import { capability } from "../../capability.ts"
import { DAY } from "../../schemas/seconds.ts"
import { extension } from "../../services/Extensions.ts"
import { ownKind } from "../shared/schemas/retention.ts"
import { NOT_WAITING } from "../shared/services/intake/notWaiting.ts"
import { OrderIntake } from "../shared/services/intake/OrderIntake.ts"
import { StorefrontApi } from "./http/StorefrontApi.ts"
import { StorefrontHttp } from "./http/StorefrontHttp.ts"

export const shopOrdersCapability = capability({
  name: "shop-orders",
  switched: false,
  services: OrderIntake.Default,
  api: StorefrontApi,
  http: StorefrontHttp,
  retention: [
    {
      table: "storefront_webhooks",
      since: "received_at",
      after: 30 * DAY,
      key: ["organisation_uid", "shop_uid", "webhook_id"]
    },
    {
      table: "storefront_orders",
      since: "waiting_since",
      after: ownKind("drafts"),
      key: ["organisation_uid", "shop_uid", "order_id"],
      set: NOT_WAITING
    }
  ],
  extension: Effect.map(OrderIntake, ({ retryWaiting }) =>
    // Makes the orders that waited for a pharmacy and now have one
    extension({ periodic: [{ name: "maintenance.orders", every: 5, run: retryWaiting() }] })
  )
})
