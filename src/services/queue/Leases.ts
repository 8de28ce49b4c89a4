/**
 * Mutual exclusion by name across replicas, for remote calls during which no transaction may stay open. A lease is a session-level
 * advisory lock of PostgreSQL: it ends with its process, without a timeout.
 */
import type { Connection } from "@effect/sql/SqlConnection"
import { Effect, Random, RcRef, type Scope } from "effect"
import { InProgress } from "../../schemas/access/errors.ts"
import { DatabaseSessions } from "../database/DatabaseSessions.ts"

const WAIT_MILLIS = 30_000

export class Leases extends Effect.Service<Leases>()("services/Leases", {
  scoped: Effect.gen(function* () {
    const { reserve } = yield* DatabaseSessions
    /** Names leased by this process: its single session would be granted its own lock again. */
    const held = new Set<string>()

    const forget = (names: ReadonlyArray<string>) => {
      for (const name of names) held.delete(name)
    }

    /** One connection for all leases of this process, reserved while there are any. */
    const session = yield* RcRef.make({
      acquire: Effect.acquireRelease(reserve, (connection) => Effect.ignore(unlockAll(connection)))
    })

    const release = (connection: Connection, names: ReadonlyArray<string>) =>
      Effect.forEach(names, (name) => unlock(connection, name), { discard: true }).pipe(
        Effect.ignore, // a broken session has lost its locks already
        Effect.ensuring(Effect.sync(() => forget(names)))
      )

    /** Acquires all of the names or none. */
    const attempt = Effect.fnUntraced(function* (connection: Connection, names: ReadonlyArray<string>) {
      if (names.some((name) => held.has(name))) return false
      for (const name of names) held.add(name)
      const locked: Array<string> = []
      for (const name of names) {
        if (yield* tryLock(connection, name).pipe(Effect.onError(() => release(connection, names)))) locked.push(name)
      }
      if (locked.length === names.length) return true
      yield* release(connection, locked)
      forget(names)
      return false
    })

    const acquire = (names: ReadonlyArray<string>, waited: number): Effect.Effect<void, InProgress, Scope.Scope> =>
      Effect.gen(function* () {
        const connection = yield* Effect.orDie(RcRef.get(session))
        const acquired = yield* Effect.orDie(attempt(connection, names))
        if (acquired) return yield* Effect.addFinalizer(() => release(connection, names))
        if (waited >= WAIT_MILLIS) return yield* new InProgress()
        const pause = yield* Random.nextIntBetween(20, 60)
        yield* Effect.sleep(pause)
        return yield* acquire(names, waited + pause)
      })

    /** Runs `body` while no other request holds any of the names. Fails with `InProgress` after waiting 30 s. */
    const holding =
      (names: ReadonlyArray<string>) =>
      <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E | InProgress, Exclude<R, Scope.Scope>> =>
        Effect.uninterruptible(Effect.scoped(Effect.zipRight(acquire([...new Set(names)], 0), body)))

    return { holding } as const
  })
}) {}

/** The key is a hash: names contain callers' texts, which must not collide with another lock of the database. */
const keyOf = (name: string) =>
  new Bun.CryptoHasher("sha256").update(`lease ${name}`).digest().readBigInt64BE().toString()

const tryLock = (connection: Connection, name: string) =>
  Effect.map(
    connection.execute("SELECT pg_try_advisory_lock($1::bigint) AS locked", [keyOf(name)], undefined),
    ([row]) => row?.locked === true
  )
const unlock = (connection: Connection, name: string) =>
  connection.execute("SELECT pg_advisory_unlock($1::bigint)", [keyOf(name)], undefined)
const unlockAll = (connection: Connection) => connection.execute("SELECT pg_advisory_unlock_all()", [], undefined)
