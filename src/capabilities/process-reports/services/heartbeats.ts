/** Registers this process in the list of replicas: a heartbeat every minute, removed on shutdown. */
import { Effect, Schedule } from "effect"
import { within } from "../../../services/outgoing.ts"
import { type CurrentTenant, withoutOwner } from "../../../services/tenancy/Tenancy.ts"
import { Replicas } from "../../shared/services/Replicas.ts"

const EVERY = "1 minute"

export const heartbeats = Effect.map(Replicas, ({ report, leave }) =>
  Effect.gen(function* () {
    const quietly = <E>(effect: Effect.Effect<unknown, E, CurrentTenant>) =>
      effect.pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("this process could not report itself", cause)),
        Effect.withTracerEnabled(false),
        withoutOwner
      )
    yield* Effect.addFinalizer(() =>
      quietly(leave).pipe(
        within(1, () => "late" as const),
        Effect.ignore
      )
    )
    yield* quietly(report)
    yield* Effect.forkScoped(Effect.repeat(quietly(report), Schedule.spaced(EVERY)).pipe(Effect.delay(EVERY)))
  })
)
