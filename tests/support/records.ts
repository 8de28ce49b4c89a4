import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Predicate } from "effect"
import { Envelope } from "../../src/services/sealing/Envelope.ts"
import type { TestLayers } from "./server.ts"

export interface Row {
  readonly [column: string]: unknown
}

/** An appointment's row. */
export const stored = (server: TestLayers, uid: string): Promise<Row> =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { openRows } = yield* Envelope
      const [row] = yield* openRows("appointments", ["organisation_uid", "uid"])(
        sql<Row>`SELECT * FROM appointments WHERE uid = ${uid}`
      )
      return Predicate.isRecord(row) ? row : {}
    })
  )

interface StoredEvent extends Row {
  readonly owner_uid: string
  readonly owner_kind: string
  readonly type: string
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
}

const isEvent = (row: unknown): row is StoredEvent & { readonly data: string } =>
  Predicate.isRecord(row) && Predicate.isString(row.data)

/** Rows of the event log with decrypted data, in order. */
export const openedEvents = (
  server: TestLayers,
  where: (sql: SqlClient.SqlClient) => Statement.Fragment
): Promise<ReadonlyArray<StoredEvent>> =>
  server.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { openRows } = yield* Envelope
      const rows = yield* openRows("events", ["owner_uid", "id"])(
        sql`SELECT * FROM events WHERE ${where(sql)} ORDER BY position`
      )
      return rows.filter(isEvent).map((row) => ({ ...row, data: JSON.parse(row.data) }))
    })
  )

/** The events of one subject, in order. */
export const eventsOf = async (server: TestLayers, subject: string): Promise<ReadonlyArray<Row>> =>
  (await openedEvents(server, (sql) => sql`subject = ${subject}`)).map(({ type, data }) => ({ type, data }))
