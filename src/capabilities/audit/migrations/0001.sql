-- Hash chain of each owner's entries, in the order in which they were sealed: mac is an HMAC over the previous mac and the entry.
CREATE TABLE audit_chain (
  owner_uid text NOT NULL,
  number bigint NOT NULL CHECK (number > 0),
  position bigint NOT NULL,
  at timestamptz NOT NULL,
  mac bytea NOT NULL,
  PRIMARY KEY (owner_uid, number),
  UNIQUE (owner_uid, position)
);
CREATE INDEX audit_chain_at ON audit_chain (at);

-- The head of each owner's chain, which detects truncation. Its mac covers owner, number and mac.
CREATE TABLE audit_heads (
  owner_uid text PRIMARY KEY,
  number bigint NOT NULL,
  mac bytea NOT NULL
);

-- The key of the macs, created with the first seal, and the time when all entries were last sealed.
CREATE TABLE audit_sealing (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  key_sealed text NOT NULL,
  sealed_until timestamptz NOT NULL
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_chain FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON audit_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE audit_chain ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_chain FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_chain TO sprechstunde_service, sprechstunde_worker
  USING (owner_uid = current_setting('sprechstunde.organisation', true));
CREATE POLICY every_tenant ON audit_chain TO sprechstunde_operator USING (true);
ALTER TABLE audit_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_heads FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_heads TO sprechstunde_service, sprechstunde_worker
  USING (owner_uid = current_setting('sprechstunde.organisation', true));
CREATE POLICY every_tenant ON audit_heads TO sprechstunde_operator USING (true);
GRANT SELECT ON audit_chain, audit_heads TO sprechstunde_service, sprechstunde_worker, sprechstunde_operator;
-- The worker seals, with access only to the rows of the current owner.
GRANT SELECT, INSERT, UPDATE ON audit_sealing TO sprechstunde_worker;
GRANT INSERT ON audit_chain TO sprechstunde_worker;
GRANT INSERT, UPDATE ON audit_heads TO sprechstunde_worker;
GRANT SELECT ON audit_sealing TO sprechstunde_operator;

-- The newest position, and the one up to which no other transaction can add entries any more. What a later statement reads
-- up to there is complete.
CREATE FUNCTION audit_settled(of_owner text, OUT newest bigint, OUT settled bigint) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  SELECT last_value INTO newest FROM audit_positions;
  SELECT least(newest, min(((classid::bigint & 255) << 32) | objid::bigint)) INTO settled FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 8 = x'0a0d17'::bigint AND pid <> pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
END $$;

-- The owners with entries after this time that are in no chain.
CREATE FUNCTION due_audit(moment timestamptz) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT DISTINCT e.owner_uid FROM audit_entries e WHERE e.at > moment
    AND NOT EXISTS (SELECT FROM audit_chain c WHERE c.owner_uid = e.owner_uid AND c.position = e.position)
$$;
REVOKE EXECUTE ON FUNCTION due_audit FROM PUBLIC;
