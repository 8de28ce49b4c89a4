/**
 * Reminders that have been published, and how far each reminder has been looked through: what a tick reads is what became
 * due since, not every appointment that there is. Messages are what people are sent of events; their content is written
 * when they are sent and kept nowhere.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const reminders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE INDEX appointments_reminding
    ON appointments (organisation_uid, appointment_type_uid, start_date) WHERE status = 'confirmed'`

  yield* sql`CREATE TABLE published_reminders (
    organisation_uid text NOT NULL,
    appointment_uid text NOT NULL,
    reminder_uid text NOT NULL,
    start_date timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, appointment_uid, reminder_uid))`
  yield* sql`CREATE INDEX published_reminders_age ON published_reminders (start_date)`

  yield* sql`CREATE TABLE reminder_watermarks (
    organisation_uid text NOT NULL,
    reminder_uid text NOT NULL,
    minutes_before integer NOT NULL,
    published_until timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, reminder_uid, minutes_before))`

  yield* sql`CREATE TABLE messages (
    organisation_uid text NOT NULL,
    uid text NOT NULL,
    event_id text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('reminder', 'confirmation', 'cancellation', 'rebooking')),
    appointment_uid text NOT NULL,
    recipient_role text NOT NULL CHECK (recipient_role IN ('patient', 'doctor', 'admin')),
    recipient_uid text NOT NULL,
    channel text NOT NULL CHECK (channel IN ('email', 'sms')),
    status text NOT NULL CHECK (status IN ('pending', 'sent', 'failed', 'skipped')),
    attempts integer NOT NULL,
    last_error text,
    created_at timestamptz NOT NULL,
    sent_at timestamptz,
    PRIMARY KEY (organisation_uid, uid),
    UNIQUE (organisation_uid, event_id, kind, recipient_role, recipient_uid, channel))`
  yield* sql`CREATE INDEX messages_by_appointment ON messages (organisation_uid, appointment_uid)`
  yield* sql`CREATE INDEX booking_sessions_age ON booking_sessions (expires_at)`
  yield* sql`CREATE INDEX messages_age ON messages (created_at)`
})
