import { Effect, Layer } from "effect"
import { Idempotency } from "../services/Idempotency.ts"
import { worker } from "./worker.ts"

/** Deletes answers that are kept for repeated requests and mention an erased patient. One at a time: each opens all of an owner's. */
export const ForgetAnswers = Layer.unwrapEffect(
  Effect.map(Idempotency, ({ forget }) =>
    worker("answers.forget", ({ owner_uid, identifiers }) => forget(owner_uid, identifiers), { concurrency: 1 })
  )
).pipe(Layer.provide(Idempotency.Default))
