/** Transactions of the service's database. */
import { SqlClient, SqlError } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { Context, Data, Effect, Option, Predicate, Schedule } from "effect"
import { leavePlaces } from "../fairQueue.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"
import { isConnecting, isTransient, sqlErrorsDie, Unsettled } from "./SqlErrors.ts"

const FIRST_RETRY = "20 millis"
const backOff = Schedule.exponential(FIRST_RETRY, 1.7).pipe(Schedule.jittered)

/** Longest time that the database may be unavailable before work fails. Rule 14.3.6. */
const OUTAGE_MILLIS = 5_000

/**
 * Retries work that fails because the database is unavailable, for 5 seconds from the first such failure; the time of a failed attempt
 * to connect counts. Nothing below retries as well: nested retries would multiply.
 */
export const retryOutage = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) => {
    const millis = () => clock.unsafeCurrentTimeMillis()
    let begun = millis()
    let deadline: number | undefined
    const attempt = Effect.suspend(() => {
      begun = millis()
      return work
    })
    const isWorthRetrying = (error: E) => {
      if (!isTransient(error)) return false
      deadline ??= (isConnecting(error) ? begun : millis()) + OUTAGE_MILLIS
      return millis() < deadline
    }
    const again = Effect.retry(attempt, { while: isWorthRetrying, schedule: backOff })
    return Effect.catchIf(attempt, isWorthRetrying, () => Effect.delay(again, FIRST_RETRY))
  })

/** A backend whose client has disconnected may run for a moment before it ends its transaction. */
const whileInProgress = Schedule.spaced("100 millis").pipe(Schedule.upTo("30 seconds"))

/** Whether the database is to commit with the statement that is sent, in the same round trip; read by the connection. */
export class CommitsWith extends Context.Reference<CommitsWith>()("services/CommitsWith", {
  defaultValue: () => false
}) {}

/** Whether statements run by PostgreSQL's generic plan; read by the connection. */
export class GenericPlan extends Context.Reference<GenericPlan>()("services/GenericPlan", {
  defaultValue: () => false
}) {}

/**
 * Plans a prepared statement once per connection, whatever its values (`plan_cache_mode = force_generic_plan`). For a statement with one
 * good plan that takes longer to plan than to run: PostgreSQL plans such a statement anew each time if it deems the values' own plan a
 * little cheaper. Not for one whose plan depends on its values, as a search for a text. It is planned again after each ANALYZE of its
 * tables, so that growing tables get other plans. Without effect on several nodes, where values decide which node plans.
 */
export const withGenericPlan = Effect.provideService(GenericPlan, true)

/** A defect: the transaction's body needs this work first. */
class NeededBefore extends Data.TaggedError("NeededBefore")<{ readonly work: Effect.Effect<unknown> }> {}

/**
 * Work that may call another system, and whose result the process keeps for who asks again. Within a transaction, the transaction is rolled
 * back, the work is done without a connection, and the body runs again. A request's place of its cost class is left.
 */
export const outsideTransaction = <A>(work: Effect.Effect<A>) =>
  Effect.flatMap(Effect.serviceOption(SqlClient.TransactionConnection), (transaction) =>
    Option.isSome(transaction)
      ? Effect.die(new NeededBefore({ work: Effect.zipRight(leavePlaces, work) }))
      : Effect.zipRight(leavePlaces, work)
  )

type Sending<A> = Effect.Effect<A, SqlError.SqlError>

/** Connections of transactions. A port: the pool has them. */
export class Connections extends Context.Tag("services/Connections")<
  Connections,
  { readonly acquire: Sending<{ readonly connection: Connection; readonly release: () => void }> }
>() {}

/** The connection of a transaction. It sends what was postponed before any other statement. */
class Ordered implements Connection {
  private postponed: Array<(isLast: boolean) => Sending<void>> = []
  /** Whether a statement was sent: the first one's answer tells which transaction it is, by which a lost COMMIT is settled. */
  private isKnown = false

  constructor(
    private readonly connection: Connection,
    private readonly release: () => void
  ) {}

  readonly execute: Connection["execute"] = (...sent) => this.after(() => this.connection.execute(...sent))
  readonly executeRaw: Connection["executeRaw"] = (...sent) => this.after(() => this.connection.executeRaw(...sent))
  readonly executeValues: Connection["executeValues"] = (...sent) =>
    this.after(() => this.connection.executeValues(...sent))
  readonly executeUnprepared: Connection["executeUnprepared"] = (...sent) =>
    this.after(() => this.connection.executeUnprepared(...sent))
  readonly executeStream: Connection["executeStream"] = (...sent) => this.connection.executeStream(...sent)

  private after<A>(send: () => Sending<A>): Sending<A> {
    return Effect.suspend(() => {
      this.isKnown = true
      return this.postponed.length === 0 ? send() : Effect.zipRight(this.before, Effect.suspend(send))
    })
  }

  /**
   * Sends what was postponed. A failure of it is a defect: the transaction fails, even if its body handles the failures of what comes
   * next.
   */
  readonly before = Effect.suspend(() => Effect.orDie(this.sendPostponed()))

  private sendPostponed(): Sending<void> {
    const before = this.postponed
    this.postponed = []
    return Effect.forEach(before, (each) => each(false), { discard: true })
  }

  postpone<A, R>(statement: Effect.Effect<A, SqlError.SqlError, R>, context: Context.Context<R>) {
    this.postponed.push((isLast) =>
      Effect.asVoid(Effect.provide(statement, isLast ? Context.add(context, CommitsWith, true) : context))
    )
  }

  readonly begin = Effect.suspend(() => this.connection.executeUnprepared("BEGIN", [], undefined))

  /**
   * The last statement commits if it was postponed. If one before it fails, or one dies before it is sent, COMMIT is not sent, and the
   * connection leaves its transaction before it is released.
   */
  readonly commit = this.ended<unknown>(() => {
    const last = this.isKnown ? this.postponed.pop() : undefined
    const undone = () => Effect.ignore(this.connection.executeUnprepared("ROLLBACK", [], undefined))
    const end = last === undefined ? this.connection.executeUnprepared("COMMIT", [], undefined) : last(true)
    return Effect.zipRight(Effect.tapErrorCause(this.sendPostponed(), undone), Effect.tapDefect(end, undone))
  })

  /** What was postponed is never sent. */
  readonly rollback = this.ended(() => this.dropped("ROLLBACK"))

  /** What was postponed within the savepoint is never sent; its beginning sent what was before. */
  readonly rollbackTo = (savepoint: string) => Effect.suspend(() => this.dropped(`ROLLBACK TO SAVEPOINT ${savepoint}`))

  private dropped(text: string) {
    this.postponed = []
    return this.connection.executeUnprepared(text, [], undefined)
  }

  private ended<A>(end: () => Sending<A>): Sending<A> {
    return Effect.flatMap(Effect.exit(Effect.suspend(end)), (exit) => {
      this.release()
      return exit
    })
  }
}

const orderedIn = (context: Context.Context<never>) =>
  Option.flatMap(Context.getOption(context, SqlClient.TransactionConnection), ([connection]) =>
    connection instanceof Ordered ? Option.some(connection) : Option.none()
  )

/**
 * Sends a statement whose result nobody needs together with COMMIT, or before the next statement of its transaction if there is one.
 * Its failure is the transaction's. Outside of a transaction it is sent at once.
 */
export const lastly = <A, R>(statement: Effect.Effect<A, SqlError.SqlError, R>) =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Option.match(orderedIn(context), {
      onNone: () => Effect.asVoid(statement),
      onSome: (connection) => Effect.sync(() => connection.postpone(statement, context))
    })
  )

/** The transactions of one client. */
const transactionsOf = (sql: SqlClient.SqlClient, { acquire }: Context.Tag.Service<Connections>) => {
  const statusOf = (id: string) =>
    retryOutage(Effect.map(sql`SELECT pg_xact_status(${id}::xid8)`.values, ([row]) => row?.[0] ?? "aborted"))

  /**
   * Succeeds if the transaction was committed although the reply was lost; else fails as COMMIT did. The connection tells with the failure
   * which transaction it was.
   */
  const settle = (lost: SqlError.SqlError) => {
    const { cause } = lost
    const id = Predicate.hasProperty(cause, "transaction") ? cause.transaction : undefined
    if (typeof id !== "string") return Effect.fail(lost)
    return statusOf(id).pipe(
      Effect.repeat({ while: (status) => status === "in progress", schedule: whileInProgress }),
      Effect.zipRight(statusOf(id)),
      Effect.orElseSucceed(() => "unknown"),
      Effect.flatMap((status) => {
        if (status === "committed") return Effect.void
        return status === "aborted" ? Effect.fail(lost) : Effect.die(new Unsettled(lost))
      })
    )
  }

  const settled = <A>(ending: Effect.Effect<A, SqlError.SqlError>) =>
    Effect.asVoid(Effect.catchIf(ending, isTransient, settle))

  /** The cast: it is the one that was acquired. */
  const ordered = (connection: Connection) => connection as Ordered
  const attempt = SqlClient.makeWithTransaction({
    transactionTag: SqlClient.TransactionConnection,
    spanAttributes: [],
    // No scope: the end of the transaction releases the connection
    acquireConnection: Effect.map(
      acquire,
      ({ connection, release }) => [undefined, new Ordered(connection, release)] as const
    ),
    begin: (connection) => ordered(connection).begin,
    savepoint: (connection, depth) => connection.executeUnprepared(`SAVEPOINT effect_${depth}`, [], undefined),
    // Settled on another connection, once the broken one has left its place in the pool
    commit: (connection) => settled(ordered(connection).commit),
    rollback: (connection) => ordered(connection).rollback,
    rollbackSavepoint: (connection, depth) => ordered(connection).rollbackTo(`effect_${depth}`)
  })

  const whole = <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    attempt(body).pipe(
      Effect.catchAllDefect((defect) =>
        defect instanceof SqlError.SqlError && !(defect instanceof Unsettled) ? Effect.fail(defect) : Effect.die(defect)
      ),
      Effect.uninterruptible,
      retryOutage,
      Effect.catchSomeDefect((defect) =>
        defect instanceof NeededBefore ? Option.some(Effect.zipRight(defect.work, whole(body))) : Option.none()
      )
    )

  const transaction = <A, E, R>(
    body: Effect.Effect<A, E, R>
  ): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R | CurrentTenant> =>
    sqlErrorsDie(
      Effect.flatMap(Effect.serviceOption(SqlClient.TransactionConnection), (outer) =>
        Option.isSome(outer) ? body : whole(body)
      )
    )

  /** What was postponed goes first: if it failed with SAVEPOINT, there would be none to return to, or only an earlier one. */
  const savepoint = <A, E, R>(part: Effect.Effect<A, E, R>) =>
    Effect.zipRight(
      Effect.flatMap(Effect.context<never>(), (context) =>
        Option.match(orderedIn(context), { onNone: () => Effect.void, onSome: ({ before }) => before })
      ),
      attempt(part)
    )

  return { transaction, savepoint }
}

/**
 * Runs units of work in one transaction each.
 * `transaction(body)` retries the whole body after a deadlock, a serialisation failure or a lost connection; so the body must have no
 * effects outside the database; it also runs again after `outsideTransaction`. A lost reply to COMMIT is resolved by querying the transaction's status, so that committed work is never
 * run twice. The body is uninterruptible. Every other SQL failure is a defect. Inside another transaction the body joins that one.
 * `savepoint(part)` undoes a part of the caller's transaction if it fails, with SQL or otherwise; the transaction stays usable.
 */
export class Database extends Effect.Service<Database>()("services/Database", {
  effect: Effect.zipWith(SqlClient.SqlClient, Connections, transactionsOf)
}) {}
