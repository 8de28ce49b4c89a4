/** The key that moves the clock: any, or with `SANDBOX_PERMISSION` one with the permission `sandbox:clock`. Rule 3.10.6. */
import { HttpApiMiddleware } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../../config.ts"
import { keyWith } from "../../../http/credentials/CredentialsLive.ts"
import { AnyKey, apiKey, refusal } from "../../../http/credentials/credentials.ts"
import { ApiKeys } from "../../../services/access/ApiKeys.ts"

export class ClockKey extends HttpApiMiddleware.Tag<ClockKey>()("http/ClockKey", {
  failure: refusal,
  security: { apiKey }
}) {}

export const ClockKeyLive = Layer.effect(
  ClockKey,
  Effect.if(
    Effect.map(Settings, ({ clockPermission }) => clockPermission),
    { onTrue: () => keyWith("sandbox:clock"), onFalse: () => AnyKey }
  )
).pipe(Layer.provide(ApiKeys.Default))
