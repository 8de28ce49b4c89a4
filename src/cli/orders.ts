import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import type { WaitingOrder } from "../services/checkout/intake/IntakeRepo.ts"
import { OrderIntake } from "../services/checkout/intake/OrderIntake.ts"
import { withServices } from "./services.ts"

const line = ({ shop_identifier, name, topic, reason, waiting_since }: WaitingOrder) =>
  [shop_identifier, name, topic, reason, new Date(waiting_since * 1000).toISOString()].join("\t")

const print = (rows: ReadonlyArray<WaitingOrder>) =>
  Console.log(rows.length === 0 ? "No order waits for a pharmacy." : rows.map(line).join("\n"))

const waiting = Command.make("waiting", {}, () =>
  withServices(Effect.flatMap(OrderIntake, (intake) => Effect.flatMap(intake.waiting(), print)))
).pipe(
  Command.withDescription(
    "Shops' orders that cannot be made yet: shop, name, last webhook, reason, since when. no_pharmacy: give the shop a " +
      "default pharmacy, or a pharmacy every SKU of the order. prescription_not_usable: a prescription that a line names " +
      "is not signed, is completed or cancelled, or does not hold the article. Made within five minutes of the remedy"
  )
)

export const ordersCommand = Command.make("orders").pipe(
  Command.withDescription("What shops have sent"),
  Command.withSubcommands([waiting])
)
