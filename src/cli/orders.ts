import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import type { WaitingOrder } from "../services/checkout/intake/IntakeRepo.ts"
import { OrderIntake } from "../services/checkout/intake/OrderIntake.ts"
import { withServices } from "./services.ts"

const line = ({ shop_identifier, name, topic, waiting_since }: WaitingOrder) =>
  [shop_identifier, name, topic, new Date(waiting_since * 1000).toISOString()].join("\t")

const print = (rows: ReadonlyArray<WaitingOrder>) =>
  Console.log(rows.length === 0 ? "No order waits for a pharmacy." : rows.map(line).join("\n"))

const waiting = Command.make("waiting", {}, () =>
  withServices(Effect.flatMap(OrderIntake, (intake) => Effect.flatMap(intake.waiting(), print)))
).pipe(
  Command.withDescription(
    "Shops' orders that no pharmacy can fill: shop, name, last webhook, since when. Give the shop a default pharmacy, or a " +
      "pharmacy every SKU of the order; the order is made within five minutes then"
  )
)

export const ordersCommand = Command.make("orders").pipe(
  Command.withDescription("What shops have sent"),
  Command.withSubcommands([waiting])
)
