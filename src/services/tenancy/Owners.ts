/**
 * Runs background work owner by owner: each statement names one owner, so that with several nodes it runs on that owner's, and an owner
 * whose node is down delays no other. Owners with due work are found by a database function in the worker's role, which sees no tenant's
 * rows; the work itself sees its owner's rows only.
 */
import { Cause, Effect, Exit, Schema } from "effect"
import { OwnerUid } from "../../schemas/events/definition.ts"
import { OrganisationUid, PharmacyUid } from "../../schemas/ids.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { isTransient } from "../database/SqlErrors.ts"
import { asWorker, type CurrentTenant, onlyOwner } from "./Tenancy.ts"

/**
 * Kinds of due work, as in the database function `owners_with_due`, and the kind of their owners. A capability declares its kinds here,
 * too (`declare module`), all of organisations, and has a database function `due_<kind>` each.
 */
export interface DueOwners {
  readonly holds: OrganisationUid
  readonly appointments: OrganisationUid
  readonly messages: OrganisationUid
  readonly deliveries: OwnerUid
  readonly payouts: PharmacyUid
  readonly waiting_orders: OrganisationUid
  readonly checkouts: OrganisationUid
  readonly abandoned_checkouts: OrganisationUid
}
const kinds: { readonly [Kind in keyof DueOwners]?: Schema.Schema<DueOwners[Kind], string> } = {
  holds: OrganisationUid,
  appointments: OrganisationUid,
  messages: OrganisationUid,
  deliveries: OwnerUid,
  payouts: PharmacyUid,
  waiting_orders: OrganisationUid,
  checkouts: OrganisationUid,
  abandoned_checkouts: OrganisationUid
}

/** As: the kinds that capabilities add are those of organisations. */
const ofOrganisations = <Kind extends keyof DueOwners>() =>
  OrganisationUid as unknown as Schema.Schema<DueOwners[Kind], string>

/** Owners whose work runs concurrently, so that one that waits for its node does not block the others. */
const CONCURRENCY = 4

const isUnavailable = (cause: Cause.Cause<unknown>) =>
  [...Cause.failures(cause), ...Cause.defects(cause)].some((error) => isTransient(error))

/** Repeats a batch until one is not full; returns the sum. */
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
    const sql = yield* Sql
    const owners = rowsOf(Schema.Struct({ owner: Schema.String }))

    /** All owners whose node responds. */
    const reachable = owners.all(sql`SELECT reachable_owners() AS owner`).pipe(
      asWorker(),
      Effect.map((rows) => rows.map(({ owner }) => owner))
    )

    /** Runs a worker function for all owners, `null`; if it fails because a node is down, for each owner whose node responds. */
    const everywhere = <E>(
      run: (owner: string | null) => Effect.Effect<unknown, E, CurrentTenant>
    ): Effect.Effect<void, E, CurrentTenant> =>
      run(null).pipe(
        Effect.catchAllCause((cause) =>
          isUnavailable(cause)
            ? Effect.flatMap(reachable, (uids) =>
                Effect.forEach(
                  uids,
                  (owner) =>
                    Effect.catchAllCause(run(owner), (one) =>
                      isUnavailable(one) ? Effect.void : Effect.failCause(one)
                    ),
                  { discard: true }
                )
              )
            : Effect.failCause(cause)
        ),
        asWorker()
      )

    /**
     * The owners found by a worker function, in one column `owner`; if it fails because a node is down, all owners of the other nodes,
     * and `isWhole` is false.
     */
    const foundWith = <E>(statement: Effect.Effect<ReadonlyArray<unknown>, E, CurrentTenant>) =>
      owners.all(statement).pipe(
        asWorker(),
        Effect.map((rows) => ({ uids: rows.map(({ owner }) => owner), isWhole: true })),
        Effect.catchAllCause((cause) =>
          isUnavailable(cause) ? Effect.map(reachable, (uids) => ({ uids, isWhole: false })) : Effect.failCause(cause)
        )
      )
    const found = <E>(statement: Effect.Effect<ReadonlyArray<unknown>, E, CurrentTenant>) =>
      Effect.map(foundWith(statement), ({ uids }) => uids)

    /**
     * Runs the work for each of these owners, with its rows only; returns the sum, and the number of owners left. If the database is
     * unavailable for one, that is logged and left to the next run; any other failure fails the whole after all owners have run.
     */
    const each = <Owner extends string, E, R>(
      uids: ReadonlyArray<Owner>,
      work: (owner: Owner) => Effect.Effect<number, E, R>
    ): Effect.Effect<{ readonly count: number; readonly waiting: number }, E, R | CurrentTenant> =>
      Effect.gen(function* () {
        const exits = yield* Effect.forEach(uids, (owner) => Effect.exit(onlyOwner(owner)(work(owner))), {
          concurrency: CONCURRENCY
        })
        let count = 0
        let waiting = 0
        for (const exit of exits)
          if (Exit.isSuccess(exit)) count += exit.value
          else if (!isUnavailable(exit.cause)) return yield* Effect.failCause(exit.cause)
          else {
            waiting++
            yield* Effect.logWarning("an owner's work is left to the next run: the database is unavailable", exit.cause)
          }
        return { count, waiting }
      })

    /** The owners with work of this kind that was due at `moment`, in Unix seconds. */
    const due = <Kind extends keyof DueOwners>(
      kind: Kind,
      moment: number
    ): Effect.Effect<ReadonlyArray<DueOwners[Kind]>, never, CurrentTenant> =>
      Effect.map(
        found(sql`SELECT owner FROM owners_with_due(${kind}, to_timestamp(${moment})) AS owner`),
        // Owners of reachable nodes are organisations and pharmacies
        (uids) => uids.filter(Schema.is<DueOwners[Kind], string, never>(kinds[kind] ?? ofOrganisations<Kind>()))
      )

    /** Runs the due work of each owner; returns the sum. */
    const eachDue = <Kind extends keyof DueOwners, E, R>(
      kind: Kind,
      moment: number,
      work: (owner: DueOwners[Kind]) => Effect.Effect<number, E, R>
    ) => Effect.flatMap(due(kind, moment), (uids) => Effect.map(each(uids, work), ({ count }) => count))

    return { due, eachDue, found, foundWith, each, everywhere } as const
  })
}) {}
