import { Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { Deliveries } from "../services/events/Deliveries.ts"
import { withServices } from "./services.ts"

const owner = Options.text("owner").pipe(Options.withDescription("The organisation's or the pharmacy's uid"))
const subscription = Options.text("subscription").pipe(Options.withDescription("The subscription's uid"))
const delivery = Options.text("delivery").pipe(
  Options.optional,
  Options.withDescription("One delivery's uid; left out: every delivery that failed")
)

const replay = Command.make("replay", { owner, subscription, delivery }, ({ owner, subscription, delivery }) =>
  withServices(
    Effect.flatMap(Deliveries, (deliveries) =>
      Option.match(delivery, {
        onNone: () => deliveries.replayFailed(owner, subscription),
        onSome: (uid) => Effect.as(deliveries.replay(owner, subscription, uid), 1)
      })
    ).pipe(Effect.flatMap((count) => Console.log(`${count} deliveries are sent again, under their old webhook-ids.`)))
  )
).pipe(Command.withDescription("Send deliveries again; a running worker does the sending"))

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription("Webhook deliveries"),
  Command.withSubcommands([replay])
)
