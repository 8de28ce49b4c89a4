import { Effect, Schema } from "effect"
import { addedCommand, commandGroup } from "../../../declarations.ts"
import type { WaitingOrder } from "../../shared/services/intake/IntakeRepo.ts"
import { OrderIntake } from "../../shared/services/intake/OrderIntake.ts"

const line = ({ shop_identifier, order_id, name, topic, reason, waiting_since }: WaitingOrder) =>
  [shop_identifier, name, topic, reason, new Date(waiting_since * 1000).toISOString(), order_id].join("\t")

const waiting = addedCommand({
  name: "waiting",
  description:
    "Shops' orders that cannot be made yet: shop, name, last webhook, reason, since when, the shop's id. no_pharmacy: give the shop a " +
    "default pharmacy, or a pharmacy every SKU of the order. prescription_not_usable: a prescription that a line names " +
    "is not signed, is completed or cancelled, or does not hold the article. anamnesis_required: the shop demands an " +
    "anamnesis for an article, and its line has none: cancel the order in the shop, or release it. Made within five minutes of the remedy",
  run: () =>
    Effect.gen(function* () {
      const rows = yield* (yield* OrderIntake).waiting()
      return rows.length === 0 ? "No order waits for a pharmacy." : rows.map(line).join("\n")
    }).pipe(Effect.provide(OrderIntake.Default))
})

const release = addedCommand({
  name: "release",
  description: "Make an order that waits for an anamnesis without one, once somebody has decided that it needs none",
  args: { shop: Schema.String, order: Schema.String },
  run: ({ shop, order }) =>
    Effect.flatMap(OrderIntake, (intake) => intake.release(shop, order)).pipe(
      Effect.as("Released."),
      Effect.provide(OrderIntake.Default)
    )
})

export const ordersCommand = commandGroup({
  name: "orders",
  description: "What shops have sent",
  below: [waiting, release]
})
