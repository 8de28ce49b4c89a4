import { Effect, Option } from "effect"
import { StorefrontUnavailable } from "../../../schemas/checkout/storefrontProblems.ts"

export interface Page<A> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly nodes: ReadonlyArray<A>
}

/** 1,000 lines, the most that an order may have. Ends the loop if a shop always reports a next page. */
const PAGES_MAX = 10

/** All nodes of a paginated list; none if the record with the list does not exist. Fails with `StorefrontUnavailable`. */
export const allPages = <A, E, R>(
  fetch: (after: string | null) => Effect.Effect<Option.Option<Page<A>>, E, R>,
  after: string | null = null,
  left = PAGES_MAX
): Effect.Effect<Option.Option<ReadonlyArray<A>>, E | StorefrontUnavailable, R> =>
  left === 0
    ? Effect.fail(new StorefrontUnavailable({ detail: "pages without end" }))
    : Effect.flatMap(
        fetch(after),
        Option.match({
          onNone: () => Effect.succeedNone,
          onSome: ({ nodes, pageInfo: { hasNextPage, endCursor } }) =>
            hasNextPage && endCursor !== null
              ? Effect.map(
                  allPages(fetch, endCursor, left - 1),
                  Option.map((rest) => [...nodes, ...rest])
                )
              : Effect.succeedSome(nodes)
        })
      )
