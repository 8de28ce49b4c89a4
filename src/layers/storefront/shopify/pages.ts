import { Effect, Option } from "effect"
import { StorefrontUnavailable } from "../../../schemas/checkout/storefrontProblems.ts"

export interface Page<A> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly nodes: ReadonlyArray<A>
}

/** 1,000 lines, as many as an order may have: a shop that always says that there is more must end somewhere. */
const PAGES_MAX = 10

/** Every node of a paged list; none when the record that holds the list does not exist. Fails with `StorefrontUnavailable`. */
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
