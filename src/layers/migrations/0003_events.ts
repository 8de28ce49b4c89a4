/**
 * What happened, in order. An event belongs to one owner, an organisation or a pharmacy; `subject` is the appointment,
 * order or prescription that it tells of, within which order is kept.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const events = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE events (
    owner_uid text NOT NULL,
    id text NOT NULL,
    owner_kind text NOT NULL CHECK (owner_kind IN ('organisation', 'pharmacy')),
    position bigint GENERATED ALWAYS AS IDENTITY,
    type text NOT NULL,
    subject text NOT NULL,
    data jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (owner_uid, id))`
  yield* sql`CREATE INDEX events_in_order ON events (owner_uid, position)`
  yield* sql`CREATE INDEX events_age ON events (created_at)`
})
