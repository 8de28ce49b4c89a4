-- Prescriptions, their items, what became of them, and where their PDFs are.

-- A shop's order need not name the patient: names, date of birth and gender are null where unknown. date_of_birth is kept
-- in Unix seconds as it was sent, which may not be midnight, because it is returned unchanged.
CREATE TABLE prescriptions (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  shop_uid text,
  doctor_uid text,
  status text NOT NULL CONSTRAINT prescriptions_status CHECK (status IN ('WAITING_FOR_DOCTOR', 'EXTERNALLY_SIGNED',
    'SIGNED', 'DISPATCHED', 'COMPLETED', 'CANCELLED')),
  first_name text CHECK (first_name <> ''),
  last_name text CHECK (last_name <> ''),
  date_of_birth bigint,
  gender text CHECK (gender IN ('male', 'female', 'divers')),
  -- Set if exactly one patient of the organisation has this name and date of birth. Like the name it outlives the patient's row.
  patient_uid text,
  -- By which a patient's prescriptions without patient_uid are found. A column, since a policy prevents the use of an index on lower().
  patient_name text GENERATED ALWAYS AS (lower(last_name) || E'\n' || lower(first_name)) STORED,
  signature jsonb,
  rendering_since timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops,
  FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors
);

CREATE INDEX prescriptions_patient ON prescriptions (organisation_uid, patient_uid) WHERE patient_uid IS NOT NULL; -- a patient's rights
CREATE INDEX prescriptions_patient_name ON prescriptions (organisation_uid, patient_name) WHERE patient_uid IS NULL; -- the same, by name
CREATE INDEX prescriptions_waiting ON prescriptions (organisation_uid, created_at) WHERE status = 'WAITING_FOR_DOCTOR'; -- lists of doctors
CREATE INDEX prescriptions_by_age ON prescriptions (organisation_uid, created_at, uid); -- lists
CREATE INDEX prescriptions_age ON prescriptions (updated_at); -- retention

CREATE TABLE prescription_items (
  organisation_uid text NOT NULL,
  prescription_uid text NOT NULL,
  uid text NOT NULL,
  position integer NOT NULL,
  sku_uid text NOT NULL REFERENCES skus,
  quantity integer NOT NULL CHECK (quantity > 0),
  -- The sum of its dispensings.
  dispensed integer NOT NULL DEFAULT 0,
  dosage_encrypted text,
  anamnesis_uid text,
  PRIMARY KEY (organisation_uid, prescription_uid, uid),
  UNIQUE (organisation_uid, prescription_uid, uid, sku_uid),
  FOREIGN KEY (organisation_uid, prescription_uid) REFERENCES prescriptions ON DELETE CASCADE,
  CONSTRAINT prescription_items_dispensed CHECK (dispensed BETWEEN 0 AND quantity)
);

-- Which lines of pharmacy orders are dispensed from which item: of the same article, by the foreign key. Pharmacies'
-- tables are on other shards, so there is no foreign key to the line.
CREATE TABLE dispensings (
  organisation_uid text NOT NULL,
  prescription_uid text NOT NULL,
  item_uid text NOT NULL,
  sku_uid text NOT NULL,
  pharmacy_uid text NOT NULL,
  pharmacy_order_uid text NOT NULL,
  pharmacy_order_line_uid text NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  PRIMARY KEY (organisation_uid, prescription_uid, item_uid, pharmacy_uid, pharmacy_order_uid, pharmacy_order_line_uid),
  FOREIGN KEY (organisation_uid, prescription_uid, item_uid, sku_uid)
    REFERENCES prescription_items (organisation_uid, prescription_uid, uid, sku_uid) ON DELETE CASCADE
);

CREATE TABLE prescription_log (
  organisation_uid text NOT NULL,
  prescription_uid text NOT NULL,
  uid text NOT NULL,
  trigger text NOT NULL CHECK (trigger IN ('external_sign', 'dispatch', 'complete', 'cancel')),
  from_status text NOT NULL CONSTRAINT prescription_log_from_status CHECK (from_status IN ('WAITING_FOR_DOCTOR',
    'EXTERNALLY_SIGNED', 'SIGNED', 'DISPATCHED', 'COMPLETED', 'CANCELLED')),
  to_status text NOT NULL CONSTRAINT prescription_log_to_status CHECK (to_status IN ('WAITING_FOR_DOCTOR',
    'EXTERNALLY_SIGNED', 'SIGNED', 'DISPATCHED', 'COMPLETED', 'CANCELLED')),
  actor_kind text NOT NULL CONSTRAINT prescription_log_actor_kind
    CHECK (actor_kind IN ('patient', 'api_key', 'action_link', 'doctor', 'admin', 'pharmacy', 'operator', 'system')),
  actor_uid text NOT NULL,
  reason_encrypted text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, prescription_uid, uid),
  FOREIGN KEY (organisation_uid, prescription_uid) REFERENCES prescriptions ON DELETE CASCADE
);

CREATE TABLE files (
  organisation_uid text NOT NULL,
  prescription_uid text NOT NULL,
  area text NOT NULL CHECK (area IN ('unsigned', 'signed')),
  name text NOT NULL,
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint NOT NULL, -- of the PDF, like the hash; the object in the store is encrypted
  data_key text NOT NULL, -- id of the data key of the object
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, prescription_uid, area),
  FOREIGN KEY (organisation_uid, prescription_uid) REFERENCES prescriptions ON DELETE CASCADE
);
