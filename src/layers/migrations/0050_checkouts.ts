/**
 * What partners send into shops. A prescription's id is blocked by its row in `accepted_prescriptions` once that is
 * accepted; until then the row only keeps the uid that a repeated request is to get.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const checkouts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE checkouts (
    organisation_uid text NOT NULL,
    uid text NOT NULL,
    shop_uid text NOT NULL,
    draft_order_id text,
    created_at timestamptz NOT NULL,
    accepted_at timestamptz,
    PRIMARY KEY (organisation_uid, uid),
    FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops)`
  yield* sql`CREATE INDEX checkouts_unfinished ON checkouts (created_at) WHERE accepted_at IS NULL`

  yield* sql`CREATE TABLE accepted_prescriptions (
    organisation_uid text NOT NULL,
    id text NOT NULL,
    prescription_uid text NOT NULL,
    checkout_uid text NOT NULL,
    accepted_at timestamptz,
    PRIMARY KEY (organisation_uid, id),
    UNIQUE (organisation_uid, prescription_uid),
    FOREIGN KEY (organisation_uid, checkout_uid) REFERENCES checkouts ON DELETE CASCADE)`
  yield* sql`CREATE INDEX accepted_prescriptions_checkout ON accepted_prescriptions (organisation_uid, checkout_uid)`

  yield* sql`CREATE TABLE reservations (
    organisation_uid text NOT NULL,
    shop_uid text NOT NULL,
    draft_order_id text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, shop_uid, draft_order_id),
    FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops)`
})
