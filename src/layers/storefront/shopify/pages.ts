import { Effect, Option } from "effect"

export interface Page<A> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly nodes: ReadonlyArray<A>
}

/** Every node of a paged list; none when the record that holds the list does not exist. */
export const allPages = <A, E, R>(
  fetch: (after: string | null) => Effect.Effect<Option.Option<Page<A>>, E, R>,
  after: string | null = null
): Effect.Effect<Option.Option<ReadonlyArray<A>>, E, R> =>
  Effect.flatMap(
    fetch(after),
    Option.match({
      onNone: () => Effect.succeedNone,
      onSome: ({ nodes, pageInfo: { hasNextPage, endCursor } }) =>
        hasNextPage && endCursor !== null
          ? Effect.map(
              allPages(fetch, endCursor),
              Option.map((rest) => [...nodes, ...rest])
            )
          : Effect.succeedSome(nodes)
    })
  )
