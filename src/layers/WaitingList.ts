/** What the waiting list does within the work of others. */
import { Effect, Layer } from "effect"
import { Extensions, extension } from "../services/Extensions.ts"
import { waitingListFollows } from "../services/scheduling/waitlist/follows.ts"
import { Offers } from "../services/scheduling/waitlist/Offers.ts"

export const WaitingListLive = Layer.effectDiscard(
  Effect.zipWith(Extensions, Offers, ({ add }, offers) =>
    add("waiting-list", extension(waitingListFollows(offers)))
  ).pipe(Effect.flatten)
).pipe(Layer.provide(Offers.Default))
