import { Effect, Layer } from "effect"
import { SandboxClock } from "../../services/operation/SandboxClock.ts"
import { group } from "../group.ts"

export const SandboxHttp = group("sandbox", (handlers) =>
  Effect.map(SandboxClock, (clock) =>
    handlers
      .handle("read", () => Effect.map(clock.read, (now) => ({ now })))
      .handle("move", ({ payload }) => Effect.map(clock.move(payload), (now) => ({ now })))
  )
).pipe(Layer.provide(SandboxClock.Default))
