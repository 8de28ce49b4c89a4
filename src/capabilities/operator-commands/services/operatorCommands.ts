/** Commands for what an operator mends: webhook deliveries, shops' orders and payouts; and booking tokens for trying out. */
import { Effect, Schema } from "effect"
import { addedCommand, commandGroup } from "../../../declarations.ts"
import { OwnerUid } from "../../../schemas/events/definition.ts"
import { DeliveryUid, PharmacyOrderUid, PharmacyUid, SubscriptionUid } from "../../../schemas/ids.ts"
import { Deliveries } from "../../../services/events/Deliveries.ts"
import { Patients } from "../../../services/patients/Patients.ts"
import type { ParkedPayout } from "../../../services/pharmacy/PayoutsRepo.ts"
import { Routing } from "../../../services/pharmacy/Routing.ts"
import { NamedValue } from "../../shared/schemas/namedValue.ts"
import type { WaitingOrder } from "../../shared/services/intake/IntakeRepo.ts"
import { OrderIntake } from "../../shared/services/intake/OrderIntake.ts"

/** For development: in production a partner signs tokens itself, with its own copy of the secret. */
const bookingTokenCommand = addedCommand({
  name: "booking-token",
  description: "Mint a patient's booking token, valid five minutes, for trying things out",
  options: {
    shop: { description: "The shop_identifier", schema: Schema.String },
    customer: { description: "The shop_customer_id", schema: Schema.String },
    field: {
      description: "A patient profile field, e.g. --field first_name=Ada; may be repeated",
      schema: NamedValue,
      isRepeated: true
    }
  },
  run: ({ shop, customer, field }) =>
    Effect.flatMap(Patients, ({ mintToken }) => mintToken(shop, customer, field)).pipe(Effect.provide(Patients.Default))
})

const replay = addedCommand({
  name: "replay",
  description: "Send deliveries again; a running worker does the sending",
  options: {
    owner: { description: "The organisation's or the pharmacy's uid", schema: OwnerUid },
    subscription: { description: "The subscription's uid", schema: SubscriptionUid },
    delivery: {
      description: "One delivery's uid; left out: every delivery that failed",
      schema: DeliveryUid,
      isOptional: true
    }
  },
  run: ({ owner: owner_uid, subscription: subscription_uid, delivery }) =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const subscriber = { owner_uid, subscription_uid }
      const count = yield* delivery === undefined
        ? deliveries.replayFailed(subscriber)
        : Effect.as(deliveries.replay(subscriber, delivery), 1)
      return `${count} deliveries are sent again, under their old webhook-ids.`
    }).pipe(Effect.provide(Deliveries.Default))
})

const webhooksCommand = commandGroup({ name: "webhooks", description: "Webhook deliveries", below: [replay] })

const lineOfOrder = ({ shop_identifier, order_id, name, topic, reason, waiting_since }: WaitingOrder) =>
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
      return rows.length === 0 ? "No order waits for a pharmacy." : rows.map(lineOfOrder).join("\n")
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

const ordersCommand = commandGroup({
  name: "orders",
  description: "What shops have sent",
  below: [waiting, release]
})

const lineOfPayout = (row: ParkedPayout) =>
  [row.pharmacy_uid, row.pharmacy_order_uid, row.component_type, row.amount, row.currency, row.parked_reason].join("\t")

const parked = addedCommand({
  name: "parked",
  description: "Payouts that wait for an operator: pharmacy, order, component, amount in cents, currency, reason",
  run: () =>
    Effect.gen(function* () {
      const rows = yield* (yield* Routing).parked
      return rows.length === 0 ? "Nothing is parked." : rows.map(lineOfPayout).join("\n")
    }).pipe(Effect.provide(Routing.Default))
})

const resume = addedCommand({
  name: "resume",
  description: "Route an order's parked payouts after what was in the way is mended",
  args: { pharmacy: PharmacyUid, order: PharmacyOrderUid },
  run: ({ pharmacy, order }) =>
    Effect.gen(function* () {
      const orders = yield* (yield* Routing).resume(pharmacy, { order })
      return orders.length === 0 ? "Nothing of this order is parked." : "Sent on its way again."
    }).pipe(Effect.provide(Routing.Default))
})

const payoutsCommand = commandGroup({
  name: "payouts",
  description: "Payouts to pharmacies",
  below: [parked, resume]
})

export const operatorCommands = [bookingTokenCommand, webhooksCommand, ordersCommand, payoutsCommand]
