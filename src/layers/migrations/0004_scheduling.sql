-- Appointment types, availability, booking sessions, appointments, action links, and published reminders.
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE appointment_types (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  name text NOT NULL,
  meeting_type text NOT NULL CONSTRAINT appointment_types_meeting_type
    CHECK (meeting_type IN ('CONSULTATION', 'FOLLOW_UP', 'INITIAL', 'REVIEW', 'ON_DEMAND')),
  duration_minutes integer NOT NULL CHECK (duration_minutes BETWEEN 1 AND 1440),
  hold_ttl_seconds integer NOT NULL CHECK (hold_ttl_seconds BETWEEN 1 AND 86400),
  booking_min_notice_minutes integer NOT NULL CHECK (booking_min_notice_minutes >= 0),
  cancellation_min_notice_minutes integer NOT NULL CHECK (cancellation_min_notice_minutes >= 0),
  rebooking_min_notice_minutes integer NOT NULL CHECK (rebooking_min_notice_minutes >= 0),
  room_strategy text NOT NULL CHECK (room_strategy IN ('persistent_per_provider', 'per_appointment')),
  rebooking_mode text NOT NULL CHECK (rebooking_mode IN ('same_doctor_only', 'any_doctor_same_organisation')),
  doctor_assignment_mode text NOT NULL
    CHECK (doctor_assignment_mode IN ('all_available_doctors', 'selected_doctors_only')),
  doctor_choice text NOT NULL DEFAULT 'any' CHECK (doctor_choice IN ('any', 'patient')),
  allow_patient_rebooking boolean NOT NULL,
  description text,
  preparation text,
  cancellation_rule text,
  price text,
  translations jsonb NOT NULL DEFAULT '[]', -- [{language, name, description, preparation, cancellation_rule, price}]
  requirements jsonb NOT NULL DEFAULT '[]', -- [{resource_uids, count} or {doctor_uids, count}]: beside the doctor
  buffer_before_minutes smallint NOT NULL DEFAULT 0 CHECK (buffer_before_minutes BETWEEN 0 AND 240),
  buffer_after_minutes smallint NOT NULL DEFAULT 0 CHECK (buffer_after_minutes BETWEEN 0 AND 240),
  slot_step_minutes smallint CHECK (slot_step_minutes BETWEEN 5 AND 240), -- null: duration and buffer
  closed_on_holidays boolean NOT NULL DEFAULT true,
  seats smallint NOT NULL DEFAULT 1 CHECK (seats BETWEEN 1 AND 200),
  limits jsonb NOT NULL DEFAULT '[]', -- [{per, max, scope}]: appointments in a day, week or month
  specialty_code text NOT NULL DEFAULT 'ALLG', -- of the IHE value set
  formats jsonb NOT NULL DEFAULT '["DIGITAL", "IN_PERSON"]', -- at least one: no other is offered
  added jsonb NOT NULL DEFAULT '{}', -- fields of capabilities, by name
  active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid)
);

CREATE TABLE reminders (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  appointment_type_uid text NOT NULL,
  recipient_role text NOT NULL CHECK (recipient_role IN ('patient', 'doctor', 'admin')),
  minutes_before integer NOT NULL CHECK (minutes_before BETWEEN 1 AND 86400),
  send_email boolean NOT NULL,
  send_sms boolean NOT NULL,
  active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- When it was created, enabled or moved: it is not sent for moments before that.
  effective_from timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types
);
CREATE UNIQUE INDEX reminders_one_per_moment
  ON reminders (organisation_uid, appointment_type_uid, recipient_role, minutes_before) WHERE deleted_at IS NULL;

-- What an appointment can take beside its doctor. Without hours of its own a resource is free whenever nothing takes it.
CREATE TABLE resources (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  kind text NOT NULL CONSTRAINT resources_kind CHECK (kind IN ('room', 'device', 'person')),
  name text NOT NULL,
  site text,
  always_available boolean NOT NULL,
  active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid)
);

-- A rule or an override belongs to a doctor or to a resource. Times of day are minutes from midnight in the doctor's zone, of a
-- resource in the organisation's.
CREATE TABLE availability_rules (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  doctor_uid text,
  resource_uid text,
  weekday smallint NOT NULL CHECK (weekday BETWEEN 0 AND 6),
  start_time smallint NOT NULL,
  end_time smallint NOT NULL,
  buffer_minutes integer NOT NULL CHECK (buffer_minutes >= 0),
  valid_from timestamptz,
  valid_until timestamptz,
  active boolean NOT NULL,
  appointment_type_uid text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
  FOREIGN KEY (organisation_uid, resource_uid) REFERENCES resources,
  FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types,
  CONSTRAINT availability_rules_subject CHECK (num_nonnulls(doctor_uid, resource_uid) = 1),
  CONSTRAINT availability_rules_window CHECK (0 <= start_time AND start_time < end_time AND end_time <= 1440),
  CONSTRAINT availability_rules_validity CHECK (valid_from < valid_until)
);
CREATE INDEX availability_rules_doctor ON availability_rules (organisation_uid, doctor_uid) WHERE deleted_at IS NULL;
CREATE INDEX availability_rules_resource
  ON availability_rules (organisation_uid, resource_uid) WHERE deleted_at IS NULL AND resource_uid IS NOT NULL;

-- A day off has no times.
CREATE TABLE availability_date_overrides (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  doctor_uid text,
  resource_uid text,
  date date NOT NULL,
  start_time smallint,
  end_time smallint,
  buffer_minutes integer NOT NULL CHECK (buffer_minutes >= 0),
  appointment_type_uid text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
  FOREIGN KEY (organisation_uid, resource_uid) REFERENCES resources,
  FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types,
  CONSTRAINT availability_date_overrides_subject CHECK (num_nonnulls(doctor_uid, resource_uid) = 1),
  CONSTRAINT availability_date_overrides_window CHECK (
    (start_time IS NULL AND end_time IS NULL) OR
    (start_time IS NOT NULL AND end_time IS NOT NULL
     AND 0 <= start_time AND start_time < end_time AND end_time <= 1440))
);
CREATE INDEX availability_date_overrides_doctor
  ON availability_date_overrides (organisation_uid, doctor_uid, date) WHERE deleted_at IS NULL;
CREATE INDEX availability_date_overrides_resource
  ON availability_date_overrides (organisation_uid, resource_uid, date) WHERE deleted_at IS NULL AND resource_uid IS NOT NULL;

CREATE TABLE doctor_appointment_type_settings (
  organisation_uid text NOT NULL,
  doctor_uid text NOT NULL,
  appointment_type_uid text NOT NULL,
  active boolean NOT NULL,
  booking_min_notice_minutes integer CHECK (booking_min_notice_minutes >= 0),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, doctor_uid, appointment_type_uid),
  FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
  FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types
);

-- Found by the hash of the launch code. A session can be used until it expires; its page shows the booking until the
-- appointment ends (kept_until). Retention deletes sessions a day after that.
CREATE TABLE booking_sessions (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  shop_uid text NOT NULL,
  patient_uid text NOT NULL,
  mode text NOT NULL, -- 'booking', 'rebooking', or one that a capability adds, in which no time is booked
  appointment_type_uid text, -- null, as the range: no time is booked
  replaces_appointment_uid text,
  start_from timestamptz,
  start_to timestamptz,
  return_url text,
  ignored_profile_fields text[] NOT NULL DEFAULT '{}', -- of the token that opened it: their values could not be used
  meeting_format text CHECK (meeting_format IN ('DIGITAL', 'IN_PERSON')), -- null: not chosen
  language text, -- chosen on the page; null: none was
  timezone text, -- likewise
  launch_code_hash bytea NOT NULL,
  launch_code_sealed text NOT NULL,
  actor_kind text NOT NULL CONSTRAINT booking_sessions_actor_kind
    CHECK (actor_kind IN ('patient', 'api_key', 'action_link', 'doctor', 'admin', 'pharmacy', 'operator', 'system')),
  actor_uid text NOT NULL,
  link_kind text CONSTRAINT booking_sessions_link_kind -- the kind of the action code that opened it; null: none did
    CHECK (link_kind IN ('page', 'join', 'rebook', 'cancel')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  kept_until timestamptz NOT NULL CHECK (kept_until >= expires_at),
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops,
  FOREIGN KEY (organisation_uid, patient_uid) REFERENCES patients,
  FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types,
  CHECK ((mode = 'rebooking') = (replaces_appointment_uid IS NOT NULL)),
  CHECK (num_nonnulls(appointment_type_uid, start_from, start_to) = CASE WHEN mode IN ('booking', 'rebooking') THEN 3 ELSE 0 END)
);
CREATE INDEX booking_sessions_code ON booking_sessions (launch_code_hash);
CREATE INDEX booking_sessions_of_patient ON booking_sessions (organisation_uid, patient_uid, expires_at);
CREATE INDEX booking_sessions_age ON booking_sessions (kept_until); -- retention
CREATE INDEX booking_sessions_replacing -- the session that a partner or an action link opened before
  ON booking_sessions (organisation_uid, replaces_appointment_uid) WHERE replaces_appointment_uid IS NOT NULL;

-- slot_group links an appointment and those that replace it: a rebooking hold may overlap the appointment that it will
-- replace, but no other. A group has at most one live hold and one confirmed appointment. What a live appointment takes is in
-- claims, written by the triggers below.
CREATE TABLE appointments (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  doctor_uid text NOT NULL,
  patient_uid text NOT NULL,
  appointment_type_uid text,
  booking_session_uid text, -- null after the session is deleted
  previous_meeting_uid text, -- the appointment that this one replaced
  replaces_appointment_uid text, -- the appointment that confirming this hold replaces
  slot_group text NOT NULL,
  series_uid text, -- appointments booked as one act
  further_doctor_uids text[] NOT NULL DEFAULT '{}', -- taken beside doctor_uid
  resource_uids text[] NOT NULL DEFAULT '{}',
  shared_group text, -- of a type with several seats: the appointments with this doctor at this start
  seat smallint, -- from 1 on
  buffer_minutes integer NOT NULL DEFAULT 0, -- of the window it was booked in
  squeezed_in boolean NOT NULL DEFAULT false, -- booked by explicit choice where nothing was offered
  squeezed_into text, -- the group of the claim whose time it shares
  moved_by_practice boolean NOT NULL DEFAULT false, -- in place of one that an absence or a closed room made impossible
  status text NOT NULL CONSTRAINT appointments_status
    CHECK (status IN ('held', 'confirmed', 'cancelled', 'expired', 'completed', 'no_show')),
  meeting_type text NOT NULL CONSTRAINT appointments_meeting_type
    CHECK (meeting_type IN ('CONSULTATION', 'FOLLOW_UP', 'INITIAL', 'REVIEW', 'ON_DEMAND')),
  meeting_format text NOT NULL CONSTRAINT appointments_meeting_format CHECK (meeting_format IN ('DIGITAL', 'IN_PERSON')),
  visit_reason_encrypted text,
  start_date timestamptz NOT NULL,
  end_date timestamptz NOT NULL,
  hold_ttl_seconds integer,
  hold_expires_at timestamptz,
  is_offer boolean NOT NULL DEFAULT false, -- a hold that the service made for the patient: it does not count as theirs
  room_name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  patient_joined_at timestamptz,
  patient_waiting_at timestamptz, -- when the patient first was in the waiting room
  doctor_joined_at timestamptz,
  cancelled_at timestamptz,
  cancellation_reason text CHECK (cancellation_reason = 'superseded'), -- a reason set by the service
  cancellation_reason_encrypted text, -- a reason given by a person
  late_minutes smallint CONSTRAINT appointments_late CHECK (late_minutes BETWEEN 1 AND 120), -- announced by the patient
  doctor_late_minutes smallint CONSTRAINT appointments_doctor_late -- announced by the doctor
    CHECK (doctor_late_minutes BETWEEN 1 AND 120),
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
  FOREIGN KEY (organisation_uid, patient_uid) REFERENCES patients,
  FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types,
  FOREIGN KEY (organisation_uid, booking_session_uid) REFERENCES booking_sessions ON DELETE SET NULL (booking_session_uid),
  FOREIGN KEY (organisation_uid, previous_meeting_uid) REFERENCES appointments ON DELETE SET NULL (previous_meeting_uid),
  FOREIGN KEY (organisation_uid, replaces_appointment_uid) REFERENCES appointments ON DELETE SET NULL (replaces_appointment_uid),
  CHECK (start_date < end_date),
  CHECK (status <> 'held' OR hold_expires_at IS NOT NULL),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((shared_group IS NULL) = (seat IS NULL))
);
CREATE UNIQUE INDEX appointments_one_of_each_seat
  ON appointments (organisation_uid, shared_group, seat) WHERE shared_group IS NOT NULL AND status IN ('held', 'confirmed');
CREATE UNIQUE INDEX appointments_one_seat_of_each_patient
  ON appointments (organisation_uid, shared_group, patient_uid) WHERE shared_group IS NOT NULL AND status IN ('held', 'confirmed');
CREATE UNIQUE INDEX appointments_one_of_each_per_group
  ON appointments (organisation_uid, slot_group, status) WHERE status IN ('held', 'confirmed');
-- Sort order of lists. Uids are compared by bytes, independent of the database's collation.
CREATE INDEX appointments_by_start ON appointments (organisation_uid, start_date, uid COLLATE "C");
CREATE INDEX appointments_by_status -- lists of one status, totals of future appointments, due reminders
  ON appointments (organisation_uid, status, start_date);
CREATE INDEX appointments_by_doctor ON appointments (organisation_uid, doctor_uid, start_date); -- a doctor's lists
CREATE INDEX appointments_with_further_doctors -- lists of further doctors
  ON appointments (organisation_uid, start_date) WHERE further_doctor_uids <> '{}';
CREATE INDEX appointments_with_resources -- use of resources
  ON appointments (organisation_uid, start_date) WHERE resource_uids <> '{}';
CREATE INDEX appointments_by_patient ON appointments (organisation_uid, patient_uid, start_date); -- a patient's lists
CREATE INDEX appointments_squeezed_in ON appointments (organisation_uid, start_date) WHERE squeezed_in; -- marks of a calendar
CREATE INDEX appointments_together ON appointments (organisation_uid, series_uid) WHERE series_uid IS NOT NULL;
CREATE INDEX appointments_by_group ON appointments (organisation_uid, slot_group); -- recipients of an invitation
CREATE INDEX appointments_by_update ON appointments (organisation_uid, updated_at); -- lists by updated_after
CREATE INDEX appointments_expiring ON appointments (hold_expires_at) WHERE status = 'held'; -- expiry job
CREATE INDEX appointments_unused ON appointments (hold_expires_at) -- retention of holds that were never confirmed
  WHERE status IN ('expired', 'cancelled') AND confirmed_at IS NULL;
CREATE INDEX appointments_cancelled ON appointments (cancelled_at) WHERE cancelled_at IS NOT NULL; -- retention
CREATE INDEX appointments_records ON appointments (end_date) WHERE status IN ('completed', 'no_show'); -- retention
CREATE INDEX appointments_finishing ON appointments (end_date) WHERE status = 'confirmed'; -- completion job
CREATE INDEX appointments_of_session
  ON appointments (organisation_uid, booking_session_uid) WHERE booking_session_uid IS NOT NULL;
CREATE INDEX appointments_previous -- the replacement of an appointment
  ON appointments (organisation_uid, previous_meeting_uid) WHERE previous_meeting_uid IS NOT NULL;
CREATE INDEX appointments_room ON appointments (room_name); -- the organisation of a meeting page

-- Number of ended appointments, by doctor, final status and the UTC day of their start: a list's total is a sum over
-- days. Doctor '' counts the whole organisation. Maintained by triggers, so that every writer
-- is counted; holds and confirmations, which set no final status, do not touch it.
CREATE TABLE appointment_counts (
  organisation_uid text NOT NULL REFERENCES organisations,
  doctor_uid text NOT NULL,
  status text NOT NULL CONSTRAINT appointment_counts_status
    CHECK (status IN ('cancelled', 'expired', 'completed', 'no_show')),
  day date NOT NULL,
  rows bigint NOT NULL,
  PRIMARY KEY (organisation_uid, doctor_uid, status, day)
);

-- The time that is taken of a doctor or a resource, all that slot search knows of it. Exclusive rows are what held and confirmed
-- appointments take, written by the triggers below alone: none is taken twice, except within one slot group, that is an appointment and
-- the hold that is to replace it, the seats of one group, or an appointment and what is squeezed into it. Others close time that may be
-- closed already (src/services/scheduling/booking/TakenTime.ts).
CREATE TABLE claims (
  organisation_uid text NOT NULL,
  claimant text NOT NULL DEFAULT 'appointment', -- what takes it, a word of its writer
  claimed_by text NOT NULL, -- the uid of the appointment, or of the writer's record
  subject_kind text NOT NULL CONSTRAINT claims_subject_kind CHECK (subject_kind IN ('doctor', 'resource')),
  subject_uid text NOT NULL, -- '': all doctors
  slot_group text NOT NULL DEFAULT '',
  exclusive boolean NOT NULL DEFAULT true,
  buffered boolean NOT NULL DEFAULT true, -- whether appointments keep their buffers from it
  during tstzrange NOT NULL,
  -- for searches: lower() and upper() are not leakproof, so row-level security keeps conditions on them out of an index
  start_date timestamptz GENERATED ALWAYS AS (lower(during)) STORED,
  end_date timestamptz GENERATED ALWAYS AS (upper(during)) STORED,
  appointment_type_uid text, -- of the booked doctor's claim; null for further doctors and resources, which have no buffers
  buffer_before_minutes smallint NOT NULL DEFAULT 0, -- the type's present ones
  buffer_after_minutes smallint NOT NULL DEFAULT 0,
  buffer_minutes integer NOT NULL DEFAULT 0, -- the appointment's
  shared boolean NOT NULL DEFAULT false, -- the booked doctor's claim for a seat of a group
  counts_from timestamptz, -- null: at once
  held_until timestamptz, -- null: without end. A hold that has expired still claims until a booking or the expiry job stores its expiry
  PRIMARY KEY (organisation_uid, claimed_by, claimant, subject_kind, subject_uid, start_date),
  -- A CASE, through which the planner does not see: this index is for the constraint alone. Searched for anything else it
  -- reads far more than the others, and a small partial index is what the planner likes where statistics are old.
  CONSTRAINT claims_no_overlap EXCLUDE USING gist (
    organisation_uid WITH =, subject_uid WITH =, subject_kind WITH =, slot_group WITH <>, during WITH &&)
    WHERE (CASE WHEN exclusive AND NOT isempty(during) THEN true ELSE false END)
);
CREATE INDEX claims_by_subject -- slot search
  ON claims (organisation_uid, subject_uid, start_date);
CREATE INDEX claims_kept -- which appointments limits still count
  ON claims (organisation_uid, held_until) WHERE NOT exclusive AND held_until IS NOT NULL;
CREATE INDEX claims_of_long_buffers -- how far around its range a search looks for them
  ON claims (organisation_uid, subject_uid) WHERE buffer_minutes > 240;

CREATE FUNCTION is_live(status text) RETURNS boolean LANGUAGE sql IMMUTABLE
  RETURN status IN ('held', 'confirmed');

-- A live appointment has a claim for its doctor and for each further doctor and resource; any other has none. Statements with
-- constants only, so that it also runs where tables are divided over nodes.
CREATE FUNCTION take_claims() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  hold_end timestamptz := CASE WHEN NEW.status = 'held' THEN NEW.hold_expires_at END;
  taken tstzrange := tstzrange(NEW.start_date, NEW.end_date);
  claim_group text := coalesce(NEW.squeezed_into, NEW.shared_group, NEW.slot_group);
  terms record;
  subject text;
BEGIN
  IF TG_OP = 'UPDATE' AND is_live(OLD.status) THEN
    IF is_live(NEW.status)
      AND (OLD.doctor_uid, OLD.slot_group, OLD.shared_group, OLD.start_date, OLD.end_date, OLD.further_doctor_uids, OLD.resource_uids)
        IS NOT DISTINCT FROM
        (NEW.doctor_uid, NEW.slot_group, NEW.shared_group, NEW.start_date, NEW.end_date, NEW.further_doctor_uids, NEW.resource_uids)
    THEN
      UPDATE claims SET held_until = hold_end
        WHERE organisation_uid = NEW.organisation_uid AND claimed_by = NEW.uid AND claimant = 'appointment';
      RETURN NULL;
    END IF;
    DELETE FROM claims WHERE organisation_uid = OLD.organisation_uid AND claimed_by = OLD.uid AND claimant = 'appointment';
  END IF;
  IF NOT is_live(NEW.status) THEN RETURN NULL; END IF;
  SELECT t.buffer_before_minutes AS before, t.buffer_after_minutes AS after, t.seats INTO terms FROM appointment_types t
    WHERE t.organisation_uid = NEW.organisation_uid AND t.uid = NEW.appointment_type_uid;
  IF NEW.seat > terms.seats THEN
    RAISE EXCEPTION 'the type has % seats', terms.seats USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'appointments_seats';
  END IF;
  INSERT INTO claims (organisation_uid, claimed_by, subject_kind, subject_uid, slot_group, during, held_until,
      appointment_type_uid, buffer_before_minutes, buffer_after_minutes, buffer_minutes, shared)
    VALUES (NEW.organisation_uid, NEW.uid, 'doctor', NEW.doctor_uid, claim_group, taken, hold_end,
      NEW.appointment_type_uid, coalesce(terms.before, 0), coalesce(terms.after, 0), NEW.buffer_minutes, NEW.shared_group IS NOT NULL);
  FOREACH subject IN ARRAY NEW.further_doctor_uids LOOP
    INSERT INTO claims (organisation_uid, claimed_by, subject_kind, subject_uid, slot_group, during, held_until)
      VALUES (NEW.organisation_uid, NEW.uid, 'doctor', subject, claim_group, taken, hold_end);
  END LOOP;
  FOREACH subject IN ARRAY NEW.resource_uids LOOP
    INSERT INTO claims (organisation_uid, claimed_by, subject_kind, subject_uid, slot_group, during, held_until)
      VALUES (NEW.organisation_uid, NEW.uid, 'resource', subject, claim_group, taken, hold_end);
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER claims_inserted AFTER INSERT ON appointments
  FOR EACH ROW WHEN (is_live(NEW.status)) EXECUTE FUNCTION take_claims();
CREATE TRIGGER claims_updated AFTER UPDATE OF status, hold_expires_at, start_date, end_date, doctor_uid, slot_group,
    shared_group, further_doctor_uids, resource_uids ON appointments
  FOR EACH ROW WHEN (is_live(OLD.status) OR is_live(NEW.status)) EXECUTE FUNCTION take_claims();

CREATE FUNCTION drop_claims() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM claims WHERE organisation_uid = OLD.organisation_uid AND claimed_by = OLD.uid AND claimant = 'appointment';
  RETURN NULL;
END $$;

CREATE TRIGGER claims_deleted AFTER DELETE ON appointments
  FOR EACH ROW WHEN (is_live(OLD.status)) EXECUTE FUNCTION drop_claims();

CREATE FUNCTION change_buffers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE claims SET buffer_before_minutes = NEW.buffer_before_minutes, buffer_after_minutes = NEW.buffer_after_minutes
    WHERE organisation_uid = NEW.organisation_uid AND appointment_type_uid = NEW.uid;
  RETURN NULL;
END $$;

CREATE TRIGGER buffers_changed AFTER UPDATE OF buffer_before_minutes, buffer_after_minutes ON appointment_types
  FOR EACH ROW WHEN ((OLD.buffer_before_minutes, OLD.buffer_after_minutes)
    IS DISTINCT FROM (NEW.buffer_before_minutes, NEW.buffer_after_minutes)) EXECUTE FUNCTION change_buffers();

-- A booking session can be used at least until its last hold expires. Until the end of what it holds it confirms, and its page shows the booking.
CREATE FUNCTION keep_session() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  hold_end timestamptz := CASE WHEN NEW.status = 'held' THEN NEW.hold_expires_at END;
BEGIN
  UPDATE booking_sessions SET expires_at = greatest(expires_at, hold_end), kept_until = greatest(kept_until, hold_end, NEW.end_date)
    WHERE organisation_uid = NEW.organisation_uid AND uid = NEW.booking_session_uid
      AND (expires_at < hold_end OR kept_until < greatest(hold_end, NEW.end_date));
  RETURN NULL;
END $$;

CREATE TRIGGER session_of_new AFTER INSERT ON appointments
  FOR EACH ROW WHEN (NEW.booking_session_uid IS NOT NULL AND is_live(NEW.status)) EXECUTE FUNCTION keep_session();
CREATE TRIGGER session_of_confirmed AFTER UPDATE OF status ON appointments
  FOR EACH ROW WHEN (NEW.booking_session_uid IS NOT NULL AND NEW.status = 'confirmed' AND OLD.status <> 'confirmed')
  EXECUTE FUNCTION keep_session();

CREATE FUNCTION is_final(status text) RETURNS boolean LANGUAGE sql IMMUTABLE
  RETURN status NOT IN ('held', 'confirmed');

CREATE FUNCTION count_appointment(organisation text, doctor text, final text, start timestamptz, change bigint) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO appointment_counts (organisation_uid, doctor_uid, status, day, rows)
  SELECT organisation, one, final, (start AT TIME ZONE 'UTC')::date, change
  FROM (VALUES (''), (doctor)) doctors (one)
  ON CONFLICT (organisation_uid, doctor_uid, status, day) DO UPDATE SET rows = appointment_counts.rows + excluded.rows
$$;

CREATE FUNCTION count_final_appointments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND is_final(OLD.status) THEN
    PERFORM count_appointment(OLD.organisation_uid, OLD.doctor_uid, OLD.status, OLD.start_date, -1);
  END IF;
  IF TG_OP <> 'DELETE' AND is_final(NEW.status) THEN
    PERFORM count_appointment(NEW.organisation_uid, NEW.doctor_uid, NEW.status, NEW.start_date, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER count_inserted AFTER INSERT ON appointments
  FOR EACH ROW WHEN (is_final(NEW.status)) EXECUTE FUNCTION count_final_appointments();
CREATE TRIGGER count_deleted AFTER DELETE ON appointments
  FOR EACH ROW WHEN (is_final(OLD.status)) EXECUTE FUNCTION count_final_appointments();
CREATE TRIGGER count_updated AFTER UPDATE OF status, doctor_uid, start_date ON appointments
  FOR EACH ROW WHEN ((is_final(OLD.status) OR is_final(NEW.status)) AND (OLD.status, OLD.doctor_uid, OLD.start_date)
    IS DISTINCT FROM (NEW.status, NEW.doctor_uid, NEW.start_date)) EXECUTE FUNCTION count_final_appointments();

ALTER TABLE booking_sessions
  ADD FOREIGN KEY (organisation_uid, replaces_appointment_uid) REFERENCES appointments ON DELETE CASCADE;

-- A doctor's own note on an appointment.
CREATE TABLE appointment_notes (
  organisation_uid text NOT NULL,
  appointment_uid text NOT NULL,
  note_encrypted text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, appointment_uid),
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE CASCADE
);

-- Codes with which a patient can act on one appointment, found by their hash.
CREATE TABLE action_links (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  appointment_uid text NOT NULL,
  action text NOT NULL CHECK (action IN ('join', 'rebook', 'cancel')), -- of a page: the action shown first
  kind text NOT NULL CONSTRAINT action_links_kind CHECK (kind IN ('page', 'join', 'rebook', 'cancel')),
  code_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- issued by another code, and ends with it; otherwise a move of the appointment extends the code
  fixed_expiry boolean NOT NULL,
  has_moved boolean NOT NULL DEFAULT false, -- a session that it opened has moved the appointment
  CONSTRAINT action_links_kind_of_action CHECK (kind IN ('page', action)),
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE CASCADE
);
CREATE INDEX action_links_code ON action_links (code_hash);
CREATE INDEX action_links_of_appointment ON action_links (organisation_uid, appointment_uid); -- extended after a move
CREATE INDEX action_links_age ON action_links (expires_at); -- retention

-- The secret URL of a doctor's calendar, found by its hash; one per doctor.
CREATE TABLE calendar_feeds (
  organisation_uid text NOT NULL,
  doctor_uid text NOT NULL,
  code_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, doctor_uid),
  FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors ON DELETE CASCADE
);
CREATE INDEX calendar_feeds_code ON calendar_feeds (code_hash);

-- Published reminders, and a watermark for each reminder: a tick reads only what became due
-- since the watermark, not every appointment.
CREATE TABLE published_reminders (
  organisation_uid text NOT NULL,
  appointment_uid text NOT NULL,
  reminder_uid text NOT NULL,
  minutes_before integer NOT NULL,
  start_date timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, appointment_uid, reminder_uid, minutes_before)
);
CREATE INDEX published_reminders_age ON published_reminders (start_date); -- retention

CREATE TABLE reminder_watermarks (
  organisation_uid text NOT NULL,
  reminder_uid text NOT NULL,
  minutes_before integer NOT NULL,
  published_until timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, reminder_uid, minutes_before)
);
