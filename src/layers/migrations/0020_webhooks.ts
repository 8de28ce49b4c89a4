/**
 * Who wants to hear of events, and what became of telling them. `owner_uid` is the organisation or the pharmacy. The feed
 * gives events their place when somebody reads it and not when they are written: writers of one organisation need not
 * wait for each other, and a reader's cursor never passes an event whose transaction was still open.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const webhooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE events ADD COLUMN feed_position bigint, ADD COLUMN secrets_sealed text`
  yield* sql`CREATE UNIQUE INDEX events_feed ON events (owner_uid, feed_position) WHERE feed_position IS NOT NULL`
  yield* sql`CREATE INDEX events_unplaced ON events (owner_uid, position) WHERE feed_position IS NULL`

  yield* sql`CREATE TABLE webhook_subscriptions (
    owner_uid text NOT NULL,
    uid text NOT NULL,
    owner_kind text NOT NULL CHECK (owner_kind IN ('organisation', 'pharmacy')),
    event_types text[] NOT NULL CHECK (cardinality(event_types) > 0),
    url text NOT NULL,
    active boolean NOT NULL,
    secret_sealed text NOT NULL,
    previous_secret_sealed text,
    previous_secret_until timestamptz,
    wake_at timestamptz,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz,
    PRIMARY KEY (owner_uid, uid))`

  yield* sql`CREATE TABLE webhook_deliveries (
    owner_uid text NOT NULL,
    uid text NOT NULL,
    subscription_uid text NOT NULL,
    event_id text NOT NULL,
    event_type text NOT NULL,
    subject text NOT NULL,
    position bigint NOT NULL,
    example jsonb,
    status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts jsonb NOT NULL,
    failed_attempts integer NOT NULL,
    next_attempt_at timestamptz,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (owner_uid, uid),
    FOREIGN KEY (owner_uid, subscription_uid) REFERENCES webhook_subscriptions,
    CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)))`
  yield* sql`CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending'`
  yield* sql`CREATE INDEX webhook_deliveries_in_order
    ON webhook_deliveries (owner_uid, subscription_uid, subject, position) WHERE status = 'pending'`
  yield* sql`CREATE INDEX webhook_deliveries_by_subscription
    ON webhook_deliveries (owner_uid, subscription_uid, created_at, uid)`
  yield* sql`CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at)`
})
