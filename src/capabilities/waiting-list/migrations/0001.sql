-- Patients who wait for a time that becomes free.
CREATE TABLE waitlist_entries (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  patient_uid text NOT NULL,
  appointment_type_uid text NOT NULL,
  doctor_uids text[] NOT NULL DEFAULT '{}', -- empty: any
  only_doctor_uid text NOT NULL GENERATED ALWAYS AS (CASE cardinality(doctor_uids) WHEN 1 THEN doctor_uids[1] ELSE '' END) STORED, -- to find
  starts_from timestamptz NOT NULL,
  starts_to timestamptz NOT NULL,
  weekdays smallint[] NOT NULL DEFAULT '{}', -- empty: all; 0 is Monday
  times jsonb NOT NULL DEFAULT '[]', -- [{from, to}] minutes of the doctor's day; empty: all
  minutes int4multirange NOT NULL DEFAULT '{[0,1440)}', -- the same for comparison
  appointment_uid text, -- the appointment that an earlier time replaces
  need text NOT NULL CONSTRAINT waitlist_entries_need CHECK (need IN ('routine', 'soon', 'urgent')),
  need_since timestamptz NOT NULL, -- when the need was last changed
  need_reason_encrypted text, -- why it is needed, by the practice
  need_rank smallint NOT NULL GENERATED ALWAYS AS (CASE need WHEN 'urgent' THEN 0 WHEN 'soon' THEN 1 ELSE 2 END) STORED,
  status text NOT NULL CONSTRAINT waitlist_entries_status CHECK (status IN ('waiting', 'offered', 'paused', 'booked', 'ended')),
  offers_made integer NOT NULL DEFAULT 0,
  unanswered integer NOT NULL DEFAULT 0, -- offers left unanswered since the last answer
  booking_session_uid text, -- whose launch code made it
  actor_kind text NOT NULL CONSTRAINT waitlist_entries_actor_kind
    CHECK (actor_kind IN ('patient', 'api_key', 'action_link', 'doctor', 'admin', 'pharmacy', 'operator', 'system')),
  actor_uid text NOT NULL,
  wish text NOT NULL, -- hash of what is wished, so that the same wish is found again
  code_hash bytea, -- of the link to its page, in the mail about an entry that the patient made
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, patient_uid) REFERENCES patients ON DELETE CASCADE,
  FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types,
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE SET NULL (appointment_uid),
  CHECK (starts_from < starts_to)
);
CREATE INDEX waitlist_entries_order -- who is asked first
  ON waitlist_entries (organisation_uid, need_rank, created_at, uid COLLATE "C") WHERE status = 'waiting' AND deleted_at IS NULL;
CREATE INDEX waitlist_entries_of_type -- which types are waited for
  ON waitlist_entries (organisation_uid, appointment_type_uid, starts_to) WHERE status = 'waiting' AND deleted_at IS NULL;
CREATE INDEX waitlist_entries_of_doctor -- whether a doctor is waited for: row security uses an index for scalars alone
  ON waitlist_entries (organisation_uid, only_doctor_uid, starts_to) WHERE status = 'waiting' AND deleted_at IS NULL;
CREATE INDEX waitlist_entries_by_age ON waitlist_entries (organisation_uid, created_at, uid COLLATE "C") WHERE deleted_at IS NULL; -- lists
CREATE INDEX waitlist_entries_of_patient ON waitlist_entries (organisation_uid, patient_uid)
  WHERE status IN ('waiting', 'offered', 'paused') AND deleted_at IS NULL;
CREATE INDEX waitlist_entries_of_session ON waitlist_entries (organisation_uid, booking_session_uid)
  WHERE booking_session_uid IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX waitlist_entries_replacing ON waitlist_entries (organisation_uid, appointment_uid)
  WHERE appointment_uid IS NOT NULL AND status IN ('waiting', 'offered', 'paused') AND deleted_at IS NULL;
CREATE INDEX waitlist_entries_age ON waitlist_entries (starts_to); -- retention
CREATE INDEX waitlist_entries_code ON waitlist_entries (organisation_uid, code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX waitlist_entries_over ON waitlist_entries (starts_to) -- ending job
  WHERE status IN ('waiting', 'offered', 'paused') AND deleted_at IS NULL;

CREATE TABLE waitlist_offers (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  entry_uid text NOT NULL,
  freeing text NOT NULL, -- identifies how the time became free: an entry is offered a time once for each
  doctor_uid text NOT NULL,
  appointment_type_uid text NOT NULL,
  start_date timestamptz NOT NULL,
  end_date timestamptz NOT NULL,
  hold_uid text, -- of an offer made more than 24 hours ahead
  appointment_uid text, -- the booking of an accepted one
  replaces_appointment_uid text,
  need text NOT NULL, -- the entry's when the offer was made
  status text NOT NULL CONSTRAINT waitlist_offers_status CHECK (status IN ('offered', 'accepted', 'declined', 'lapsed', 'lost')),
  sent_at timestamptz NOT NULL, -- when its mail or SMS goes out
  expires_at timestamptz NOT NULL,
  answered_at timestamptz,
  code_hash bytea NOT NULL,
  code_sealed text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, entry_uid) REFERENCES waitlist_entries ON DELETE CASCADE,
  FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
  FOREIGN KEY (organisation_uid, hold_uid) REFERENCES appointments ON DELETE SET NULL (hold_uid),
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE SET NULL (appointment_uid),
  FOREIGN KEY (organisation_uid, replaces_appointment_uid) REFERENCES appointments ON DELETE SET NULL (replaces_appointment_uid),
  CHECK (start_date < end_date)
);
CREATE INDEX waitlist_offers_of_entry ON waitlist_offers (organisation_uid, entry_uid, created_at);
CREATE INDEX waitlist_offers_code ON waitlist_offers (organisation_uid, code_hash);
CREATE INDEX waitlist_offers_of_hold ON waitlist_offers (organisation_uid, hold_uid) WHERE hold_uid IS NOT NULL;
CREATE INDEX waitlist_offers_live ON waitlist_offers (organisation_uid, doctor_uid, start_date) WHERE status = 'offered';
CREATE INDEX waitlist_offers_due ON waitlist_offers (expires_at) WHERE status = 'offered'; -- lapsing job
CREATE INDEX waitlist_offers_by_start ON waitlist_offers (organisation_uid, start_date); -- statistics

-- Time that became free and that somebody waits for, until it has been offered: what it frees is closed to search and holds, for at most
-- a minute unless no process runs.
CREATE TABLE waitlist_openings (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  doctor_uids text[] NOT NULL, -- the booked doctor and further ones
  resource_uids text[] NOT NULL DEFAULT '{}',
  freeing text NOT NULL,
  during tstzrange NOT NULL,
  buffer_before_minutes smallint NOT NULL DEFAULT 0, -- of the appointment that was given back
  buffer_after_minutes smallint NOT NULL DEFAULT 0,
  buffer_minutes integer NOT NULL DEFAULT 0,
  reach_minutes integer NOT NULL DEFAULT 0, -- how far around it buffers can have closed other starts
  closed_until timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, uid)
);
CREATE INDEX waitlist_openings_by_start ON waitlist_openings (organisation_uid, lower(during), uid); -- slot search, and the job's order

-- Whether a type with these requirements can take one of the doctors, as a further one, or of the resources.
CREATE FUNCTION requires_any(requirements jsonb, doctors text[], resources text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT EXISTS (SELECT FROM jsonb_array_elements(requirements) one
    WHERE one -> 'doctor_uids' ?| doctors OR one -> 'resource_uids' ?| resources)
$$;

-- The periods of these limits that a moment lies in, as one range; null without limits. A limit of the organisation has its zone.
CREATE FUNCTION limited_period(limits jsonb, doctor_zone text, organisation_zone text, moment timestamptz) RETURNS tstzrange
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN limits <> '[]' THEN (
    SELECT tstzrange(min(begins AT TIME ZONE zone), max((begins + ('1 ' || per)::interval) AT TIME ZONE zone))
    FROM jsonb_array_elements(limits) one
    CROSS JOIN LATERAL (SELECT one ->> 'per' AS per,
      CASE one ->> 'scope' WHEN 'organisation' THEN organisation_zone ELSE doctor_zone END AS zone) how
    CROSS JOIN LATERAL (SELECT date_trunc(per, moment AT TIME ZONE zone) AS begins) first) END
$$;

-- How far around an appointment with such a buffer those of other types and of the doctor's hours can close other starts, minutes.
-- PL/pgSQL: Citus does not plan parameters in SQL functions.
CREATE FUNCTION reach_of_buffers(organisation text, doctor text, own integer, starts timestamptz) RETURNS integer LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN greatest(own,
    (SELECT own + max(greatest(t.buffer_before_minutes, t.buffer_after_minutes)) FROM appointment_types t
      WHERE t.organisation_uid = organisation AND t.active AND t.deleted_at IS NULL),
    (SELECT max(r.buffer_minutes) FROM availability_rules r WHERE r.organisation_uid = organisation AND r.doctor_uid = doctor
      AND r.deleted_at IS NULL),
    (SELECT max(o.buffer_minutes) FROM availability_date_overrides o WHERE o.organisation_uid = organisation AND o.doctor_uid = doctor
      AND o.deleted_at IS NULL AND o.date BETWEEN starts::date - 2 AND starts::date + 2));
END $$;

-- Whether somebody waits for a time of the doctors, for one that takes a doctor or a resource beside another, or for one of the type of all
-- (null: none). It does not look at weekdays, times of day and the types that a doctor offers: the service does.
-- Types and the organisation are read only where somebody waits. PL/pgSQL: a database of several nodes plans no parameters in SQL functions.
CREATE FUNCTION is_waited_for(organisation text, doctors text[], resources text[], type_of_all text, starts timestamptz, ends timestamptz)
RETURNS boolean LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan AS $$ -- a plan for any doctor would read all entries
DECLARE
  types text[] := ARRAY(SELECT t.uid FROM appointment_types t
    WHERE t.organisation_uid = organisation AND (t.uid = type_of_all OR requires_any(t.requirements, doctors, resources)));
BEGIN
  RETURN NOT (SELECT coalesce((o.added ->> 'waitlist_paused')::boolean, false) FROM organisations o WHERE o.organisation_uid = organisation)
    AND (EXISTS (SELECT FROM waitlist_entries e WHERE e.organisation_uid = organisation AND e.status = 'waiting' AND e.deleted_at IS NULL
        AND e.starts_from < ends AND e.starts_to > starts - interval '1 day'
        AND e.only_doctor_uid = ANY (ARRAY[''] || doctors) AND (e.doctor_uids = '{}' OR e.doctor_uids && doctors))
      OR types <> '{}' AND EXISTS (SELECT FROM waitlist_entries e WHERE e.organisation_uid = organisation AND e.status = 'waiting'
        AND e.deleted_at IS NULL AND e.starts_from < ends AND e.starts_to > starts - interval '1 day'
        AND e.appointment_type_uid = ANY (types)));
END $$;

-- The organisations with offers that have lapsed, entries whose range is over, free time that is not yet offered, or nobody who waits any more.
CREATE FUNCTION due_waitlist(moment timestamptz) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT organisation_uid FROM waitlist_openings
  UNION SELECT organisation_uid FROM waitlist_offers WHERE status = 'offered' AND expires_at <= moment
  UNION SELECT organisation_uid FROM waitlist_entries
    WHERE status IN ('waiting', 'offered', 'paused') AND deleted_at IS NULL AND starts_to <= moment
  UNION SELECT o.organisation_uid FROM organisations o WHERE o.lapsed_holds_close AND NOT EXISTS (SELECT FROM waitlist_entries e
    WHERE e.organisation_uid = o.organisation_uid AND e.status IN ('waiting', 'offered') AND e.deleted_at IS NULL)
$$;
REVOKE EXECUTE ON FUNCTION due_waitlist FROM PUBLIC;
