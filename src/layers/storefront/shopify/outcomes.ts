import { Effect } from "effect"
import { StorefrontRefused, StorefrontUnavailable } from "../../../schemas/checkout/storefrontProblems.ts"
import type { StorefrontProblem } from "../../../services/checkout/Storefront.ts"

interface Outcome {
  readonly userErrors: ReadonlyArray<{ readonly field: ReadonlyArray<string> | null; readonly message: string }>
}

/** Fails with the given reasons, if there are any. */
export const refusedFor = (reasons: ReadonlyArray<string>): Effect.Effect<void, StorefrontRefused> => {
  const [first, ...rest] = reasons
  return first === undefined ? Effect.void : Effect.fail(new StorefrontRefused({ reasons: [first, ...rest] }))
}

/** The outcome of a mutation. Shopify answers 200 with `userErrors` for what it refused. */
export const accepted = Effect.fnUntraced(function* <A extends Outcome>(
  outcome: A | null
): Effect.fn.Return<A, StorefrontProblem> {
  if (outcome === null) return yield* new StorefrontUnavailable({ detail: "a mutation without an outcome" })
  yield* refusedFor(
    outcome.userErrors.map(({ field, message }) => (field ? `${field.join(".")}: ${message}` : message))
  )
  return outcome
})

/** What a mutation made; Shopify gives null only together with a user error. */
export const made = <A>(thing: A | null): Effect.Effect<A, StorefrontUnavailable> =>
  thing === null ? Effect.fail(new StorefrontUnavailable({ detail: "nothing was made" })) : Effect.succeed(thing)
