import { Effect } from "effect"
import { addedCommand, commandGroup } from "../../../declarations.ts"
import { OwnerUid } from "../../../schemas/events/definition.ts"
import { DeliveryUid, SubscriptionUid } from "../../../schemas/ids.ts"
import { Deliveries } from "../../../services/events/Deliveries.ts"

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

export const webhooksCommand = commandGroup({ name: "webhooks", description: "Webhook deliveries", below: [replay] })
