/** Registers this process in the list of replicas: a heartbeat every minute, removed on shutdown. */
import { Effect, Layer, Schedule } from "effect"
import { Replicas } from "../../services/operation/Replicas.ts"
import { within } from "../../services/outgoing.ts"
import { type CurrentTenant, withoutOwner } from "../../services/tenancy/Tenancy.ts"

const EVERY = "1 minute"

export const Reporting = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { report, leave } = yield* Replicas
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
).pipe(Layer.provide(Replicas.Default))
