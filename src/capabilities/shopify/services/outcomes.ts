import { Effect } from "effect"
import { StorefrontRefused, StorefrontUnavailable } from "../../../schemas/checkout/storefrontProblems.ts"
import type { StorefrontProblem } from "../../../services/checkout/Storefront.ts"

interface Outcome {
  readonly userErrors: ReadonlyArray<{ readonly field: ReadonlyArray<string> | null; readonly message: string }>
}

/** Fails with `StorefrontRefused` if there are any reasons. */
export const refusedFor = (reasons: ReadonlyArray<string>): Effect.Effect<void, StorefrontRefused> => {
  const [first, ...rest] = reasons
  return first === undefined ? Effect.void : Effect.fail(new StorefrontRefused({ reasons: [first, ...rest] }))
}

/** The outcome of a mutation. For a rejected one Shopify answers 200 with `userErrors`. */
export const accepted = Effect.fnUntraced(function* <A extends Outcome>(
  outcome: A | null
): Effect.fn.Return<A, StorefrontProblem> {
  if (outcome === null) return yield* new StorefrontUnavailable({ detail: "a mutation without an outcome" })
  yield* refusedFor(
    outcome.userErrors.map(({ field, message }) => (field ? `${field.join(".")}: ${message}` : message))
  )
  return outcome
})

/** The record that a mutation created; Shopify returns null only together with a user error. */
export const made = <A>(thing: A | null): Effect.Effect<A, StorefrontUnavailable> =>
  thing === null ? Effect.fail(new StorefrontUnavailable({ detail: "nothing was made" })) : Effect.succeed(thing)
