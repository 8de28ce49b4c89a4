-- The audit log. The database writes the entries itself: the first row that a transaction writes for an owner creates an
-- entry from the service's description of the request (setting sprechstunde.request), in that transaction. So no change can
-- be made without an entry, whatever code makes it. Times are real time, not domain time.

CREATE SEQUENCE audit_positions;
SELECT nextval('audit_positions'); -- from now on last_value is an assigned position

-- `owner_uid` is an organisation, a pharmacy, or 'installation'.
CREATE TABLE audit_entries (
  owner_uid text NOT NULL,
  position bigint NOT NULL,
  at timestamptz NOT NULL,
  action text NOT NULL CONSTRAINT audit_entries_action CHECK (length(action) BETWEEN 1 AND 255),
  actor_kind text NOT NULL CONSTRAINT audit_entries_actor_kind CHECK (actor_kind IN
    ('patient', 'api_key', 'action_link', 'doctor', 'admin', 'pharmacy', 'operator', 'system', 'anonymous')),
  actor_uid text NOT NULL,
  subject text,
  purpose text,
  trace_id text NOT NULL,
  address text, -- the caller's network: /24 of IPv4, /48 of IPv6
  PRIMARY KEY (owner_uid, position, at)
) PARTITION BY RANGE (at);
CREATE INDEX audit_entries_at ON audit_entries (owner_uid, at, position); -- unsealed entries
CREATE INDEX audit_entries_subject ON audit_entries (owner_uid, subject, position) WHERE subject IS NOT NULL; -- who saw or changed a record
CREATE INDEX audit_entries_patient ON audit_entries (owner_uid, actor_uid) WHERE actor_kind = 'patient'; -- actions of an erased patient

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE audit_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_entries FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_entries TO sprechstunde_service, sprechstunde_worker USING (
  owner_uid IN (current_setting('sprechstunde.organisation', true), current_setting('sprechstunde.pharmacy', true)));
CREATE POLICY every_tenant ON audit_entries TO sprechstunde_operator USING (true);
GRANT SELECT ON audit_entries TO sprechstunde_service, sprechstunde_worker, sprechstunde_operator;

-- Creates the partitions from last month to two years ahead. Runs at every start-up.
CREATE FUNCTION audit_partitions() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  first date := date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date;
  month date;
  name text;
BEGIN
  FOR ahead IN -1 .. 24 LOOP
    month := first + make_interval(months => ahead);
    name := 'audit_entries_' || to_char(month, 'YYYY_MM');
    IF to_regclass(name) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF audit_entries FOR VALUES FROM (%L) TO (%L)', name,
        month::text || ' 00:00+00', (month + interval '1 month')::date::text || ' 00:00+00');
      EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name);
    END IF;
  END LOOP;
END $$;

-- Positions are assigned before the transaction commits. Until then it holds an advisory lock with the last position assigned before
-- its own: key = 0xa0d17 in the upper 24 bits, the position in the others.
CREATE FUNCTION audit_insert(owner text, request jsonb, row_subject text) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared((x'0a0d17'::bigint << 40) | last_value) FROM audit_positions;
  INSERT INTO audit_entries (owner_uid, position, at, action, actor_kind, actor_uid, subject, purpose, trace_id, address)
  VALUES (owner, nextval('audit_positions'), clock_timestamp(), request->>'action', request->>'actor_kind',
    request->>'actor_uid', coalesce(request->>'subject', row_subject), request->>'purpose', request->>'trace_id',
    request->>'address');
END $$;
REVOKE EXECUTE ON FUNCTION audit_insert FROM PUBLIC;

-- Writes an entry for a read or a denial, always for the transaction's own owner.
CREATE FUNCTION audit_access() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT audit_insert(
    coalesce(nullif(current_setting('sprechstunde.organisation', true), ''),
      nullif(current_setting('sprechstunde.pharmacy', true), ''), 'installation'),
    current_setting('sprechstunde.request')::jsonb, NULL)
$$;

-- Writes entries for further records that the transaction changes of its organisation: the trigger writes one for the first.
CREATE FUNCTION audit_changes(subjects text[]) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT audit_insert(current_setting('sprechstunde.organisation'), current_setting('sprechstunde.request')::jsonb, one)
  FROM unnest(subjects) one WHERE current_setting('sprechstunde.request', true) <> ''
$$;

-- For a change of a row that another owner's node may have: the service calls it after the write. Here the row's trigger has written the
-- entry.
CREATE FUNCTION audit_changed(owner text, row_subject text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
END $$;

-- Trigger: writes an entry before the first row that a transaction writes for an owner.
CREATE FUNCTION audit_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  written jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
  owner text := coalesce(written->>'organisation_uid', written->>'pharmacy_uid', written->>'owner_uid', 'installation');
BEGIN
  PERFORM audit_insert(owner, current_setting('sprechstunde.request')::jsonb,
    coalesce(written->>'uid', written->>'id', written->>'prescription_uid', written->>'patient_uid'));
  PERFORM set_config('sprechstunde.audited',
    coalesce(current_setting('sprechstunde.audited', true), '') || ' ' || owner || ' ', true);
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;

-- Adds the triggers that write entries to every tenant's table, except for the service's bookkeeping: stored idempotent
-- responses, delivery attempts, watermarks and counts. Runs at every start-up.
CREATE FUNCTION audit_writes() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record;
  owner text;
BEGIN
  FOR one IN SELECT c.oid::regclass AS name,
      array(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attname IN ('organisation_uid', 'pharmacy_uid', 'owner_uid')) AS owners
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND tenant_predicate(c.oid::regclass) IS NOT NULL
      AND c.relname NOT LIKE 'audit\_%' AND c.relname NOT IN ('data_keys', 'idempotency_keys', 'webhook_deliveries', 'published_reminders',
        'reminder_watermarks', 'payout_counts', 'appointment_counts', 'claims', 'webhook_delivery_counts')
      AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'audit_write')
  LOOP
    FOR operation IN 1 .. 2 LOOP
      SELECT 'coalesce(' || string_agg((ARRAY['NEW.', 'OLD.'])[operation] || name, ', ' ORDER BY array_position(
          ARRAY['organisation_uid', 'pharmacy_uid', 'owner_uid'], name)) || ', ''installation'')'
        INTO owner FROM unnest(one.owners) name;
      EXECUTE format($t$CREATE TRIGGER %I BEFORE %s ON %s FOR EACH ROW
        WHEN (coalesce(current_setting('sprechstunde.request', true), '') <> ''
          AND strpos(coalesce(current_setting('sprechstunde.audited', true), ''), ' ' || %s || ' ') = 0)
        EXECUTE FUNCTION audit_write()$t$,
        (ARRAY['audit_write', 'audit_delete'])[operation], (ARRAY['INSERT OR UPDATE', 'DELETE'])[operation], one.name, owner);
    END LOOP;
  END LOOP;
END $$;
