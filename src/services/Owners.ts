/**
 * Background work goes owner by owner: each statement names one, so that on a cluster it runs on that owner's node, and an owner
 * whose node is down waits alone.
 */
import { SqlClient } from "@effect/sql"
import { Cause, Effect, Exit, Schema } from "effect"
import { Distribution } from "./Distribution.ts"
import { rowsOf } from "./rows.ts"
import { isTransient } from "./SqlErrors.ts"

/** Owners whose work runs at once: one that waits for its node does not hold up the others. */
const AT_ONCE = 4

const isAway = (cause: Cause.Cause<unknown>) =>
  [...Cause.failures(cause), ...Cause.defects(cause)].some((error) => isTransient(error))

/** Runs a batch until one was not full, and gives the sum. */
export const batches = <E, R>(size: number, batch: Effect.Effect<number, E, R>): Effect.Effect<number, E, R> =>
  Effect.gen(function* () {
    let sum = 0
    for (;;) {
      const count = yield* batch
      sum += count
      if (count < size) return sum
    }
  })

export class Owners extends Effect.Service<Owners>()("services/Owners", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { isCluster } = yield* Distribution
    const owners = rowsOf(Schema.Struct({ owner: Schema.String }))

    /** All owners whose node answers. */
    const reachable = Effect.map(owners.all(sql`SELECT cluster_reachable_owners() AS owner`), (rows) =>
      rows.map(({ owner }) => owner)
    )
    /** Only a cluster can be away in part. */
    const isPartlyAway = (cause: Cause.Cause<unknown>) => isCluster && isAway(cause)

    /**
     * What one statement finds of all owners, `undefined`; while a node is down that it would ask, what it finds owner by owner, of
     * those whose node answers.
     */
    const everywhere = <A, E, R>(
      read: (owner: string | undefined) => Effect.Effect<ReadonlyArray<A>, E, R>
    ): Effect.Effect<ReadonlyArray<A>, E, R> =>
      Effect.catchAllCause(read(undefined), (cause) =>
        isPartlyAway(cause)
          ? Effect.flatMap(reachable, (uids) =>
              Effect.map(
                Effect.forEach(
                  uids,
                  (owner) =>
                    Effect.catchAllCause(read(owner), (one) =>
                      isAway(one) ? Effect.succeed([]) : Effect.failCause(one)
                    ),
                  { concurrency: AT_ONCE }
                ),
                (found) => found.flat()
              )
            )
          : Effect.failCause(cause)
      )

    /**
     * The owners that a statement with one column `owner` finds; while a node is down that it would ask, all of the other nodes, and
     * `isWhole` is false.
     */
    const foundWith = <E>(statement: Effect.Effect<ReadonlyArray<unknown>, E>) =>
      Effect.map(owners.all(statement), (rows) => ({ uids: rows.map(({ owner }) => owner), isWhole: true })).pipe(
        Effect.catchAllCause((cause) =>
          isPartlyAway(cause) ? Effect.map(reachable, (uids) => ({ uids, isWhole: false })) : Effect.failCause(cause)
        )
      )
    const found = <E>(statement: Effect.Effect<ReadonlyArray<unknown>, E>) =>
      Effect.map(foundWith(statement), ({ uids }) => uids)

    /**
     * Runs the work for each of these owners; gives the sum, and how many wait. What fails for one, since the database is away, is logged
     * and left to the next run; every other failure fails the whole, after the other owners.
     */
    const each = <E, R>(
      uids: ReadonlyArray<string>,
      work: (owner: string) => Effect.Effect<number, E, R>
    ): Effect.Effect<{ readonly count: number; readonly waiting: number }, E, R> =>
      Effect.gen(function* () {
        const exits = yield* Effect.forEach(uids, (owner) => Effect.exit(work(owner)), { concurrency: AT_ONCE })
        let count = 0
        let waiting = 0
        for (const exit of exits)
          if (Exit.isSuccess(exit)) count += exit.value
          else if (!isAway(exit.cause)) return yield* Effect.failCause(exit.cause)
          else {
            waiting++
            yield* Effect.logWarning("an owner's work waits: the database is away", exit.cause)
          }
        return { count, waiting }
      })

    return { found, foundWith, each, everywhere } as const
  })
}) {}
