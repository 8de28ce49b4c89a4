import { Effect, Layer } from "effect"
import { groupOf } from "../../../http/group.ts"
import { SandboxClock } from "../services/SandboxClock.ts"
import { ClockKeyLive } from "./ClockKey.ts"
import { SandboxApi } from "./SandboxApi.ts"

export const SandboxHttp = groupOf(SandboxApi)("sandbox", (handlers) =>
  Effect.map(SandboxClock, (clock) =>
    handlers
      .handle("read", () => Effect.map(clock.read, (now) => ({ now })))
      .handle("move", ({ payload }) => Effect.map(clock.move(payload), (now) => ({ now })))
  )
).pipe(Layer.provide([SandboxClock.Default, ClockKeyLive]))
