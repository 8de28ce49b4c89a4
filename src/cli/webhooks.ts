import { Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { OwnerUid } from "../schemas/events/definition.ts"
import { DeliveryUid, SubscriptionUid } from "../schemas/ids.ts"
import { Deliveries } from "../services/events/Deliveries.ts"
import { withServices } from "./services.ts"

const owner = Options.text("owner").pipe(
  Options.withSchema(OwnerUid),
  Options.withDescription("The organisation's or the pharmacy's uid")
)
const subscription = Options.text("subscription").pipe(
  Options.withSchema(SubscriptionUid),
  Options.withDescription("The subscription's uid")
)
const delivery = Options.text("delivery").pipe(
  Options.withSchema(DeliveryUid),
  Options.optional,
  Options.withDescription("One delivery's uid; left out: every delivery that failed")
)

const replay = Command.make("replay", { owner, subscription, delivery }, ({ owner, subscription, delivery }) => {
  const subscriber = { owner_uid: owner, subscription_uid: subscription }
  return withServices(
    Effect.flatMap(Deliveries, (deliveries) =>
      Option.match(delivery, {
        onNone: () => deliveries.replayFailed(subscriber),
        onSome: (uid) => Effect.as(deliveries.replay(subscriber, uid), 1)
      })
    ).pipe(Effect.flatMap((count) => Console.log(`${count} deliveries are sent again, under their old webhook-ids.`)))
  )
}).pipe(Command.withDescription("Send deliveries again; a running worker does the sending"))

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription("Webhook deliveries"),
  Command.withSubcommands([replay])
)
