import { Args, Command } from "@effect/cli"
import { Console, Effect } from "effect"
import type { WaitingOrder } from "../services/checkout/intake/IntakeRepo.ts"
import { OrderIntake } from "../services/checkout/intake/OrderIntake.ts"
import { withServices } from "./services.ts"

const line = ({ shop_identifier, order_id, name, topic, reason, waiting_since }: WaitingOrder) =>
  [shop_identifier, name, topic, reason, new Date(waiting_since * 1000).toISOString(), order_id].join("\t")

const print = (rows: ReadonlyArray<WaitingOrder>) =>
  Console.log(rows.length === 0 ? "No order waits for a pharmacy." : rows.map(line).join("\n"))

const waiting = Command.make("waiting", {}, () =>
  withServices(Effect.flatMap(OrderIntake, (intake) => Effect.flatMap(intake.waiting(), print)))
).pipe(
  Command.withDescription(
    "Shops' orders that cannot be made yet: shop, name, last webhook, reason, since when, the shop's id. no_pharmacy: give the shop a " +
      "default pharmacy, or a pharmacy every SKU of the order. prescription_not_usable: a prescription that a line names " +
      "is not signed, is completed or cancelled, or does not hold the article. anamnesis_required: the shop demands an " +
      "anamnesis for an article, and its line has none: cancel the order in the shop, or release it. Made within five minutes of the remedy"
  )
)

const shop = Args.text({ name: "shop" }).pipe(Args.withDescription("identifier of the shop"))
const order = Args.text({ name: "order" }).pipe(Args.withDescription("the shop's id of the order, as listed"))

const release = Command.make("release", { shop, order }, (args) =>
  withServices(Effect.flatMap(OrderIntake, (intake) => intake.release(args.shop, args.order))).pipe(
    Effect.zipRight(Console.log("Released."))
  )
).pipe(
  Command.withDescription(
    "Make an order that waits for an anamnesis without one, once somebody has decided that it needs none"
  )
)

export const ordersCommand = Command.make("orders").pipe(
  Command.withDescription("What shops have sent"),
  Command.withSubcommands([waiting, release])
)
