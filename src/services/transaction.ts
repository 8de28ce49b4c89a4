/** The transaction of `Database`, for callers that have not taken it as a service yet. */
import { SqlClient, type SqlError } from "@effect/sql"
import { Effect } from "effect"
import { transactionsOf } from "./Database.ts"

export const transaction = <A, E, R>(
  body: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => transactionsOf(sql)(body))
