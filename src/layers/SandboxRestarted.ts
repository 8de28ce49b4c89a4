/** The sandbox clock is back at real time after a restart. Rule 3.10.5. */
import { Effect, Layer } from "effect"
import { SandboxClock } from "../services/operation/SandboxClock.ts"

export const SandboxRestarted = Layer.effectDiscard(Effect.flatMap(SandboxClock, ({ restart }) => restart)).pipe(
  Layer.provide(SandboxClock.Default)
)
