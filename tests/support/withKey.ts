import { Effect, Option } from "effect"
import { requestKey } from "../../src/services/Idempotency.ts"

/** Runs work as that of a request with this `Idempotency-Key`, if there is one, and this body. */
export const withKey = (key: string | undefined, request: unknown = null) =>
  Effect.locally(
    requestKey,
    Option.map(Option.fromNullable(key), (one) => ({ key: one, request }))
  )
