/** Commands for what an operator mends: webhook deliveries, shops' orders and payouts; and booking tokens for trying out. */
import { capability } from "../../capability.ts"
import { ordersCommand } from "./services/orders.ts"
import { payoutsCommand } from "./services/payouts.ts"
import { bookingTokenCommand } from "./services/tokens.ts"
import { webhooksCommand } from "./services/webhooks.ts"

export const operatorCommandsCapability = capability({
  name: "operator-commands",
  switched: false,
  commands: [bookingTokenCommand, webhooksCommand, ordersCommand, payoutsCommand]
})
