import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { TestServer } from "./server.ts"

export interface Row {
  readonly [column: string]: unknown
}

/** An appointment as the database has it. */
export const stored = (server: TestServer, uid: string): Promise<Row> =>
  server.run(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql<Row>`SELECT * FROM appointments WHERE uid = ${uid}`).pipe(
      Effect.map(([row]) => row ?? {})
    )
  )

/** What the event log says of one subject, in order. */
export const eventsOf = (server: TestServer, subject: string): Promise<ReadonlyArray<Row>> =>
  server.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<Row>`SELECT type, data FROM events WHERE subject = ${subject} ORDER BY position`
    )
  )
