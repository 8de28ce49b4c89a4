/**
 * Checkouts that came to nothing, and the uids of the prescriptions that they would have become: what they left in the
 * file store and in the shop is found by these. A row goes when that has been cleared away.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const abandonedCheckouts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE abandoned_checkouts (
    organisation_uid text NOT NULL,
    uid text NOT NULL,
    shop_uid text NOT NULL,
    prescription_uids jsonb NOT NULL,
    abandoned_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, uid),
    FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops)`
  yield* sql`CREATE INDEX abandoned_checkouts_age ON abandoned_checkouts (abandoned_at)`
})
