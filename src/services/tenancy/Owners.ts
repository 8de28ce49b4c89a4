/**
 * Background work goes owner by owner: each statement names one, so that on a cluster it runs on that owner's node, and an owner
 * whose node is down waits alone. Whose turn it is a function of the database says, in the worker's role, which sees no tenant's row; the
 * work itself has the rows of its owner alone.
 */
import { SqlClient } from "@effect/sql"
import { Cause, Effect, Exit, Schema } from "effect"
import { OwnerUid } from "../../schemas/events/definition.ts"
import { OrganisationUid, PharmacyUid } from "../../schemas/ids.ts"
import { Distribution } from "../database/Distribution.ts"
import { rowsOf } from "../database/rows.ts"
import { isTransient } from "../database/SqlErrors.ts"
import { asWorker, ofOwner } from "./Tenancy.ts"

/** What can be due, as the database function `owners_with_due` knows it, and whose it is. */
interface DueOwners {
  readonly holds: OrganisationUid
  readonly appointments: OrganisationUid
  readonly messages: OrganisationUid
  readonly deliveries: OwnerUid
  readonly payouts: PharmacyUid
  readonly waiting_orders: OrganisationUid
  readonly checkouts: OrganisationUid
  readonly abandoned_checkouts: OrganisationUid
  readonly erasures: OrganisationUid
}
const kinds: { readonly [Kind in keyof DueOwners]: Schema.Schema<DueOwners[Kind], string> } = {
  holds: OrganisationUid,
  appointments: OrganisationUid,
  messages: OrganisationUid,
  deliveries: OwnerUid,
  payouts: PharmacyUid,
  waiting_orders: OrganisationUid,
  checkouts: OrganisationUid,
  abandoned_checkouts: OrganisationUid,
  erasures: OrganisationUid
}

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
    const reachable = owners.all(sql`SELECT cluster_reachable_owners() AS owner`).pipe(
      asWorker(),
      Effect.map((rows) => rows.map(({ owner }) => owner))
    )
    /** Only a cluster can be away in part. */
    const isPartlyAway = (cause: Cause.Cause<unknown>) => isCluster && isAway(cause)

    /** Runs a function of the worker's for all owners, `null`; while a node is down that it would ask, for each whose node answers. */
    const everywhere = <E>(run: (owner: string | null) => Effect.Effect<unknown, E>): Effect.Effect<void, E> =>
      run(null).pipe(
        Effect.catchAllCause((cause) =>
          isPartlyAway(cause)
            ? Effect.flatMap(reachable, (uids) =>
                Effect.forEach(
                  uids,
                  (owner) =>
                    Effect.catchAllCause(run(owner), (one) => (isAway(one) ? Effect.void : Effect.failCause(one))),
                  { discard: true }
                )
              )
            : Effect.failCause(cause)
        ),
        asWorker()
      )

    /**
     * The owners that a function of the worker's finds, in one column `owner`; while a node is down that it would ask, all of the other
     * nodes, and `isWhole` is false.
     */
    const foundWith = <E>(statement: Effect.Effect<ReadonlyArray<unknown>, E>) =>
      owners.all(statement).pipe(
        asWorker(),
        Effect.map((rows) => ({ uids: rows.map(({ owner }) => owner), isWhole: true })),
        Effect.catchAllCause((cause) =>
          isPartlyAway(cause) ? Effect.map(reachable, (uids) => ({ uids, isWhole: false })) : Effect.failCause(cause)
        )
      )
    const found = <E>(statement: Effect.Effect<ReadonlyArray<unknown>, E>) =>
      Effect.map(foundWith(statement), ({ uids }) => uids)

    /**
     * Runs the work for each of these owners, with its rows alone; gives the sum, and how many wait. What fails for one, since the database
     * is away, is logged and left to the next run; every other failure fails the whole, after the other owners.
     */
    const each = <Owner extends string, E, R>(
      uids: ReadonlyArray<Owner>,
      work: (owner: Owner) => Effect.Effect<number, E, R>
    ): Effect.Effect<{ readonly count: number; readonly waiting: number }, E, R> =>
      Effect.gen(function* () {
        const exits = yield* Effect.forEach(uids, (owner) => Effect.exit(ofOwner(owner)(work(owner))), {
          concurrency: AT_ONCE
        })
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

    /** The owners for whom something of this kind has been due since `moment`, in Unix seconds, or before. */
    const due = <Kind extends keyof DueOwners>(
      kind: Kind,
      moment: number
    ): Effect.Effect<ReadonlyArray<DueOwners[Kind]>> =>
      Effect.map(
        found(sql`SELECT owner FROM owners_with_due(${kind}, to_timestamp(${moment})) AS owner`),
        // Those whose node answers are organisations and pharmacies
        (uids) => uids.filter(Schema.is<DueOwners[Kind], string, never>(kinds[kind]))
      )

    /** Does what is due of each owner; gives the sum of how much that was. */
    const eachDue = <Kind extends keyof DueOwners, E, R>(
      kind: Kind,
      moment: number,
      work: (owner: DueOwners[Kind]) => Effect.Effect<number, E, R>
    ) => Effect.flatMap(due(kind, moment), (uids) => Effect.map(each(uids, work), ({ count }) => count))

    return { due, eachDue, found, foundWith, each, everywhere } as const
  })
}) {}
