/** Links by which a patient acts on one appointment, and what the services behind them look up. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const actionLinks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE action_links (
    organisation_uid text NOT NULL,
    uid text NOT NULL,
    appointment_uid text NOT NULL,
    action text NOT NULL CHECK (action IN ('join', 'rebook', 'cancel')),
    code_hash bytea NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, uid),
    FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE CASCADE)`
  yield* sql`CREATE INDEX action_links_code ON action_links (code_hash)`
  yield* sql`CREATE INDEX action_links_age ON action_links (expires_at)`
  yield* sql`CREATE INDEX appointments_previous
    ON appointments (organisation_uid, previous_meeting_uid) WHERE previous_meeting_uid IS NOT NULL`
  yield* sql`CREATE INDEX appointments_replacing
    ON appointments (organisation_uid, replaces_appointment_uid) WHERE status = 'held'`
})
