/** Prescriptions, what stands on them, what became of them, and where their PDFs lie. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const prescriptions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // date_of_birth is kept as it was sent, in Unix seconds: it is a day, not an instant, and may lie before 1970.
  yield* sql`CREATE TABLE prescriptions (
    organisation_uid text NOT NULL REFERENCES organisations,
    uid text NOT NULL,
    shop_uid text,
    doctor_uid text,
    status text NOT NULL CHECK (status IN ('WAITING_FOR_DOCTOR', 'EXTERNALLY_SIGNED', 'SIGNED', 'DISPATCHED',
      'COMPLETED', 'CANCELLED')),
    first_name text NOT NULL,
    last_name text NOT NULL,
    date_of_birth bigint,
    gender text CHECK (gender IN ('male', 'female', 'divers')),
    signature jsonb,
    rendering_since timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, uid),
    FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops,
    FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors)`

  yield* sql`CREATE TABLE prescription_items (
    organisation_uid text NOT NULL,
    prescription_uid text NOT NULL,
    uid text NOT NULL,
    position integer NOT NULL,
    sku_uid text NOT NULL REFERENCES skus,
    quantity integer NOT NULL CHECK (quantity > 0),
    dosage text,
    anamnesis_uid text,
    PRIMARY KEY (organisation_uid, prescription_uid, uid),
    FOREIGN KEY (organisation_uid, prescription_uid) REFERENCES prescriptions)`

  yield* sql`CREATE TABLE prescription_log (
    organisation_uid text NOT NULL,
    prescription_uid text NOT NULL,
    uid text NOT NULL,
    trigger text NOT NULL CHECK (trigger IN ('external_sign', 'dispatch', 'complete', 'cancel')),
    from_status text NOT NULL,
    to_status text NOT NULL,
    actor_kind text NOT NULL,
    actor_uid text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, prescription_uid, uid),
    FOREIGN KEY (organisation_uid, prescription_uid) REFERENCES prescriptions)`

  yield* sql`CREATE TABLE files (
    organisation_uid text NOT NULL,
    prescription_uid text NOT NULL,
    area text NOT NULL CHECK (area IN ('unsigned', 'signed')),
    name text NOT NULL,
    sha256 text NOT NULL,
    size bigint NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, prescription_uid, area),
    FOREIGN KEY (organisation_uid, prescription_uid) REFERENCES prescriptions)`
})
