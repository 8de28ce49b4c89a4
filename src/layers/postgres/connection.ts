/**
 * Connections of @effect/sql on the service's pool. A statement runs in the tenancy of the fiber that sends it (`ServiceClient`). None is
 * cancelled when its fiber is interrupted: whatever follows on the connection waits for it.
 */
import { SqlError } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { Effect, identity, Stream } from "effect"
import type { Pool, PoolClient, QueryArrayConfig, QueryConfig } from "pg"

interface Result {
  readonly rows: ReadonlyArray<never>
}

const sent = <A>(client: PoolClient, query: QueryConfig | QueryArrayConfig, read: (result: Result) => A) =>
  Effect.async<A, SqlError.SqlError>((resume) => {
    client.query(query, (cause: Error | undefined, result: Result) =>
      resume(
        cause
          ? Effect.fail(new SqlError.SqlError({ cause, message: "Failed to execute statement" }))
          : Effect.succeed(read(result))
      )
    )
  })

/** None for a text with several statements, which has an array of results. */
const rowsOf = ({ rows }: Result) => rows ?? []

const connectionOf = (client: PoolClient): Connection => {
  const execute: Connection["execute"] = (text, values) => sent(client, { text, values: [...values] }, rowsOf)
  return {
    execute,
    executeRaw: (text, values) => sent(client, { text, values: [...values] }, (result) => result),
    executeValues: (text, values) => sent(client, { text, values: [...values], rowMode: "array" }, rowsOf),
    executeUnprepared: execute,
    // A slow reader of the stream would hold the connection
    executeStream: () => Stream.dieMessage("Read page by page")
  }
}

interface Acquired {
  readonly connection: Connection
  readonly release: () => void
}

type Acquiring = Effect.Effect<Acquired, SqlError.SqlError>

/** A connection, until it is released. `SqlErrors.isConnecting` knows the message of a failure. */
export const acquire = (pool: Pool): Acquiring =>
  Effect.async<Acquired, SqlError.SqlError>((resume) => {
    pool.connect((cause, client, release) => {
      if (client === undefined)
        return resume(Effect.fail(new SqlError.SqlError({ cause, message: "Failed to acquire connection" })))
      let broken: Error | undefined
      const onError = (error: Error) => {
        broken = error
      }
      client.on("error", onError)
      resume(
        Effect.succeed({
          connection: connectionOf(client),
          release: () => {
            client.off("error", onError)
            release(broken)
          }
        })
      )
    })
  })

/** A connection until the scope closes. */
export const reserve = (pool: Pool) =>
  Effect.map(
    Effect.acquireRelease(acquire(pool), ({ release }) => Effect.sync(release)),
    ({ connection }) => connection
  )

/** Runs one statement on a connection of its own, which is acquired again as `acquiring` says. */
export const onOneOf =
  (pool: Pool, acquiring: (acquire: Acquiring) => Acquiring = identity) =>
  <A>(use: (connection: Connection) => Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> =>
    Effect.uninterruptible(
      Effect.flatMap(acquiring(acquire(pool)), ({ connection, release }) =>
        Effect.flatMap(Effect.exit(use(connection)), (exit) => {
          release()
          return exit
        })
      )
    )
