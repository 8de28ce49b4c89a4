import { Effect } from "effect"

/** Runs the work for each item, also after one has failed; then fails with the first failure, if any. */
export const forEachThenFail = <Item, A, E, R>(
  items: ReadonlyArray<Item>,
  work: (item: Item) => Effect.Effect<A, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.flatMap(
    Effect.forEach(items, (item) => Effect.exit(work(item))),
    (exits) => Effect.all(exits)
  )
