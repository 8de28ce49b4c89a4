import { Effect, Layer } from "effect"
import { Idempotency } from "../services/Idempotency.ts"
import { worker } from "./worker.ts"

/** Deletes stored idempotent responses that mention an erased patient. */
export const ForgetAnswers = Layer.unwrapEffect(
  Effect.map(Idempotency, ({ forget }) =>
    worker("answers.forget", ({ owner_uid, identifiers }) => forget(owner_uid, identifiers))
  )
).pipe(Layer.provide(Idempotency.Default))
