/** Runs a test's program in a transaction of `Database`. */
import { Effect } from "effect"
import { Database } from "../../src/services/database/Database.ts"

export const transaction = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Database, (database) => database.transaction(body))
