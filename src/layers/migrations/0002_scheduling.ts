/** Appointment types, availability, booking sessions and appointments. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const scheduling = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE appointment_types (
    organisation_uid text NOT NULL REFERENCES organisations,
    uid text NOT NULL,
    name text NOT NULL,
    meeting_type text NOT NULL CHECK (meeting_type IN ('CONSULTATION', 'FOLLOW_UP', 'INITIAL', 'REVIEW', 'ON_DEMAND')),
    duration_minutes integer NOT NULL CHECK (duration_minutes BETWEEN 1 AND 1440),
    hold_ttl_seconds integer NOT NULL CHECK (hold_ttl_seconds BETWEEN 1 AND 86400),
    booking_min_notice_minutes integer NOT NULL CHECK (booking_min_notice_minutes >= 0),
    cancellation_min_notice_minutes integer NOT NULL CHECK (cancellation_min_notice_minutes >= 0),
    rebooking_min_notice_minutes integer NOT NULL CHECK (rebooking_min_notice_minutes >= 0),
    room_strategy text NOT NULL CHECK (room_strategy IN ('persistent_per_provider', 'per_appointment')),
    rebooking_mode text NOT NULL CHECK (rebooking_mode IN ('same_doctor_only', 'any_doctor_same_organisation')),
    doctor_assignment_mode text NOT NULL
      CHECK (doctor_assignment_mode IN ('all_available_doctors', 'selected_doctors_only')),
    allow_patient_rebooking boolean NOT NULL,
    active boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    PRIMARY KEY (organisation_uid, uid))`

  yield* sql`CREATE TABLE reminders (
    organisation_uid text NOT NULL,
    uid text NOT NULL,
    appointment_type_uid text NOT NULL,
    recipient_role text NOT NULL CHECK (recipient_role IN ('patient', 'doctor', 'admin')),
    minutes_before integer NOT NULL CHECK (minutes_before BETWEEN 1 AND 86400),
    send_email boolean NOT NULL,
    send_sms boolean NOT NULL,
    active boolean NOT NULL,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz,
    PRIMARY KEY (organisation_uid, uid),
    FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types)`
  yield* sql`CREATE UNIQUE INDEX reminders_one_per_moment
    ON reminders (organisation_uid, appointment_type_uid, recipient_role, minutes_before) WHERE deleted_at IS NULL`

  yield* sql`CREATE TABLE availability_rules (
    organisation_uid text NOT NULL,
    uid text NOT NULL,
    doctor_uid text NOT NULL,
    weekday smallint NOT NULL CHECK (weekday BETWEEN 0 AND 6),
    start_time smallint NOT NULL,
    end_time smallint NOT NULL,
    buffer_minutes integer NOT NULL CHECK (buffer_minutes >= 0),
    valid_from timestamptz,
    valid_until timestamptz,
    active boolean NOT NULL,
    appointment_type_uid text,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz,
    PRIMARY KEY (organisation_uid, uid),
    FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
    FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types,
    CONSTRAINT availability_rules_window CHECK (0 <= start_time AND start_time < end_time AND end_time <= 1440))`
  yield* sql`CREATE INDEX availability_rules_doctor
    ON availability_rules (organisation_uid, doctor_uid) WHERE deleted_at IS NULL`

  yield* sql`CREATE TABLE availability_date_overrides (
    organisation_uid text NOT NULL,
    uid text NOT NULL,
    doctor_uid text NOT NULL,
    date timestamptz NOT NULL,
    start_time smallint,
    end_time smallint,
    buffer_minutes integer NOT NULL CHECK (buffer_minutes >= 0),
    appointment_type_uid text,
    created_at timestamptz NOT NULL,
    deleted_at timestamptz,
    PRIMARY KEY (organisation_uid, uid),
    FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
    FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types,
    CONSTRAINT availability_date_overrides_window CHECK (
      (start_time IS NULL AND end_time IS NULL) OR
      (start_time IS NOT NULL AND end_time IS NOT NULL
       AND 0 <= start_time AND start_time < end_time AND end_time <= 1440)))`
  yield* sql`CREATE INDEX availability_date_overrides_doctor
    ON availability_date_overrides (organisation_uid, doctor_uid, date) WHERE deleted_at IS NULL`

  yield* sql`CREATE TABLE doctor_appointment_type_settings (
    organisation_uid text NOT NULL,
    doctor_uid text NOT NULL,
    appointment_type_uid text NOT NULL,
    active boolean NOT NULL,
    booking_min_notice_minutes integer CHECK (booking_min_notice_minutes >= 0),
    PRIMARY KEY (organisation_uid, doctor_uid, appointment_type_uid),
    FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
    FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types)`

  yield* sql`CREATE TABLE booking_sessions (
    organisation_uid text NOT NULL,
    uid text NOT NULL,
    shop_uid text NOT NULL,
    patient_uid text NOT NULL,
    mode text NOT NULL CHECK (mode IN ('booking', 'rebooking')),
    appointment_type_uid text NOT NULL,
    replaces_appointment_uid text,
    start_from timestamptz NOT NULL,
    start_to timestamptz NOT NULL,
    return_url text,
    launch_code_hash bytea NOT NULL,
    launch_code_sealed text NOT NULL,
    actor_kind text NOT NULL,
    actor_uid text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, uid),
    FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops,
    FOREIGN KEY (organisation_uid, patient_uid) REFERENCES patients,
    FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types,
    CHECK ((mode = 'rebooking') = (replaces_appointment_uid IS NOT NULL)))`
  yield* sql`CREATE INDEX booking_sessions_code ON booking_sessions (launch_code_hash)`

  // slot_group ties an appointment to those that replace it: a rebooking hold may overlap the very appointment that it is
  // to replace, and nothing else. A group has at most one live hold and one confirmed appointment.
  yield* sql`CREATE TABLE appointments (
    organisation_uid text NOT NULL REFERENCES organisations,
    uid text NOT NULL,
    doctor_uid text NOT NULL,
    patient_uid text NOT NULL,
    appointment_type_uid text,
    booking_session_uid text,
    previous_meeting_uid text,
    replaces_appointment_uid text,
    slot_group text NOT NULL,
    status text NOT NULL CHECK (status IN ('held', 'confirmed', 'cancelled', 'expired', 'completed', 'no_show')),
    meeting_type text NOT NULL CHECK (meeting_type IN ('CONSULTATION', 'FOLLOW_UP', 'INITIAL', 'REVIEW', 'ON_DEMAND')),
    meeting_format text NOT NULL CHECK (meeting_format IN ('DIGITAL', 'IN_PERSON')),
    visit_reason text,
    start_date timestamptz NOT NULL,
    end_date timestamptz NOT NULL,
    hold_ttl_seconds integer,
    hold_expires_at timestamptz,
    room_name text NOT NULL,
    created_at timestamptz NOT NULL,
    confirmed_at timestamptz,
    patient_joined_at timestamptz,
    doctor_joined_at timestamptz,
    cancelled_at timestamptz,
    cancellation_reason text,
    invite_sequence integer NOT NULL DEFAULT 0,
    PRIMARY KEY (organisation_uid, uid),
    FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
    FOREIGN KEY (organisation_uid, patient_uid) REFERENCES patients,
    FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types,
    CHECK (start_date < end_date),
    CHECK (status <> 'held' OR hold_expires_at IS NOT NULL),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CONSTRAINT appointments_no_overlap EXCLUDE USING gist (
      organisation_uid WITH =, doctor_uid WITH =, slot_group WITH <>, tstzrange(start_date, end_date) WITH &&)
      WHERE (status IN ('held', 'confirmed')))`
  yield* sql`CREATE UNIQUE INDEX appointments_one_live_hold_per_group
    ON appointments (organisation_uid, slot_group) WHERE status = 'held'`
  yield* sql`CREATE UNIQUE INDEX appointments_one_confirmed_per_group
    ON appointments (organisation_uid, slot_group) WHERE status = 'confirmed'`
  yield* sql`CREATE INDEX appointments_by_start ON appointments (organisation_uid, start_date, uid)`
  yield* sql`CREATE INDEX appointments_live_by_doctor
    ON appointments (organisation_uid, doctor_uid, start_date) WHERE status IN ('held', 'confirmed')`
  yield* sql`CREATE INDEX appointments_by_patient ON appointments (organisation_uid, patient_uid, start_date)`
  yield* sql`CREATE INDEX appointments_lapsing ON appointments (hold_expires_at) WHERE status = 'held'`
  yield* sql`CREATE INDEX appointments_finishing ON appointments (end_date) WHERE status = 'confirmed'`
  yield* sql`CREATE INDEX appointments_session
    ON appointments (organisation_uid, booking_session_uid) WHERE status = 'held'`
})
