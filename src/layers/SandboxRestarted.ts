/** The sandbox clock is back at real time after a restart. Rule 3.10.5. */
import { Effect, Layer } from "effect"
import { SandboxClock } from "../services/operation/SandboxClock.ts"
import { withoutOwner } from "../services/tenancy/Tenancy.ts"

export const SandboxRestarted = Layer.effectDiscard(
  Effect.flatMap(SandboxClock, ({ restart }) => withoutOwner(restart))
).pipe(Layer.provide(SandboxClock.Default))
