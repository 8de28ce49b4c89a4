-- The FHIR interface: clients that authenticate with a key pair, their assertions, and what a booking by FHIR keeps beside the appointment.

-- A client's public keys are given in place or at an address. The name is looked up before the organisation is known: it is unique
-- over all organisations.
CREATE TABLE fhir_clients (
  organisation_uid text NOT NULL REFERENCES organisations,
  client_id text NOT NULL CONSTRAINT fhir_clients_client UNIQUE,
  name text NOT NULL,
  jwks jsonb,
  jwks_uri text,
  scopes text[] NOT NULL, -- SMART scopes, as registered
  active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, client_id),
  CHECK ((jwks IS NULL) <> (jwks_uri IS NULL))
);

CREATE FUNCTION organisation_of_fhir_client(given text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT organisation_uid FROM fhir_clients WHERE client_id = given
$$;
REVOKE EXECUTE ON FUNCTION organisation_of_fhir_client FROM PUBLIC;

-- Assertions that were used, until they expire: each is accepted once.
CREATE TABLE fhir_assertions (
  organisation_uid text NOT NULL,
  client_id text NOT NULL,
  jti_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, client_id, jti_hash),
  FOREIGN KEY (organisation_uid, client_id) REFERENCES fhir_clients ON DELETE CASCADE
);

-- Appointments that were booked by FHIR: they carry the tag `external`.
CREATE TABLE fhir_bookings (
  organisation_uid text NOT NULL,
  appointment_uid text NOT NULL,
  priority_code text, -- SNOMED CT; null: none was sent
  priority_version text, -- of SNOMED CT, as sent
  instruction_encrypted text, -- for the patient, as sent; null: none was
  related_person_encrypted text, -- who booked for the patient, JSON; null: the patient
  PRIMARY KEY (organisation_uid, appointment_uid),
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE CASCADE
);

-- Whether any organisation uses FHIR: for callers without a credential.
CREATE FUNCTION fhir_is_offered() RETURNS boolean LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM organisations WHERE (added #>> '{fhir,enabled}')::boolean)
$$;
REVOKE EXECUTE ON FUNCTION fhir_is_offered FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fhir_is_offered TO sprechstunde_service, sprechstunde_operator;
