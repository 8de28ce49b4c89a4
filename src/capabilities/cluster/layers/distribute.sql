-- Distributes a migrated database, empty or filled, over a Citus cluster (13 or later): one organisation, one shard. `cli
-- distribute` runs it on the coordinator, statement by statement, while no service is running. Every statement is idempotent: an
-- interrupted run can be continued, and tables of later migrations are distributed by another run. docs/scaling.md says when to use it.

-- For all sessions of the service: a transaction may write reference and distributed tables; triggers only write rows of their row's
-- owner; worker nodes get the tenancy of the transaction.
DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET citus.multi_shard_modify_mode = %L', current_database(), 'sequential');
  EXECUTE format('ALTER DATABASE %I SET citus.enable_unsafe_triggers = %L', current_database(), 'on');
  EXECUTE format('ALTER DATABASE %I SET citus.propagate_set_commands = %L', current_database(), 'local');
END $$;
SET citus.multi_shard_modify_mode = 'sequential';
SET citus.enable_unsafe_triggers = on;
SET citus.propagate_set_commands = 'local';

CREATE OR REPLACE FUNCTION cluster_is_placed(of_table regclass) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = of_table AND (partmethod <> 'n' OR repmodel = 't'))
$$;

CREATE OR REPLACE FUNCTION cluster_is_distributed(of_table regclass) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = of_table AND partmethod = 'h')
$$;

-- Distributes a table with all its rows. Forced row-level security would hide them from the copy, so it is disabled; it
-- is forced again by separate_tenants. Fails without changes if a row is missing afterwards.
CREATE OR REPLACE FUNCTION cluster_place(name text, statement text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  held bigint;
  placed bigint;
BEGIN
  EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
  EXECUTE format('DROP POLICY IF EXISTS cluster_tenant ON %I', name);
  EXECUTE format('SELECT count(*) FROM %I', name) INTO held;
  EXECUTE statement;
  PERFORM truncate_local_data_after_distributing_table(name::regclass);
  EXECUTE format('SELECT count(*) FROM %I', name) INTO placed;
  IF placed <> held THEN RAISE EXCEPTION 'table % has % rows on the cluster, and had %', name, placed, held; END IF;
END $$;

CREATE OR REPLACE FUNCTION cluster_distribute(name text, owner text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cluster_is_distributed(name::regclass) THEN RETURN; END IF;
  PERFORM cluster_place(name, format('SELECT create_distributed_table(%L, %L, colocate_with => %L)', name, owner,
    CASE name WHEN 'admins' THEN 'none' ELSE 'admins' END));
END $$;

CREATE OR REPLACE FUNCTION cluster_copy(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cluster_is_placed(name::regclass) THEN RETURN; END IF;
  PERFORM cluster_place(name, format('SELECT create_reference_table(%L)', name));
END $$;

-- Stores dropped foreign keys, which are created again when both tables are distributed.
CREATE TABLE IF NOT EXISTS cluster_foreign_keys (
  of_table text NOT NULL,
  name text NOT NULL,
  definition text NOT NULL,
  PRIMARY KEY (of_table, name)
);
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT conrelid::regclass::text AS of_table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
      AND NOT (cluster_is_placed(conrelid) AND cluster_is_placed(confrelid))
      AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = conrelid)
  LOOP
    INSERT INTO cluster_foreign_keys VALUES (one.of_table, one.name, one.definition) ON CONFLICT DO NOTHING;
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.of_table, one.name);
  END LOOP;
END $$;

-- Stores dropped triggers of rows, which are created again when their tables are distributed. Triggers of statements, which Citus does
-- not support, and those of the audit log, which differ, have their counterparts below.
CREATE TABLE IF NOT EXISTS cluster_triggers (
  of_table text NOT NULL,
  name text NOT NULL,
  definition text NOT NULL,
  PRIMARY KEY (of_table, name)
);
-- Triggers would count and audit the rows that are moved to their shards.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT tgrelid::regclass::text AS of_table, tgname::text AS name, tgtype & 1 = 1 AS of_rows, pg_get_triggerdef(t.oid) AS definition
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT tgisinternal AND tgparentid = 0 AND relnamespace = 'public'::regnamespace AND tgname !~ 'citus'
      AND NOT cluster_is_placed(tgrelid) AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = tgrelid)
  LOOP
    IF one.of_rows AND one.name NOT IN ('audit_write', 'audit_delete') THEN
      INSERT INTO cluster_triggers VALUES (one.of_table, one.name, one.definition) ON CONFLICT DO NOTHING;
    END IF;
    EXECUTE format('DROP TRIGGER %I ON %s', one.name, one.of_table);
  END LOOP;
END $$;

-- Reference tables, with a copy on every node: small, referenced by many, or read before the organisation is known. Rarely written, and
-- not while a node is down.
SELECT cluster_copy('organisations');
SELECT cluster_copy('pharmacy_groups');
SELECT cluster_copy('pharmacies');
SELECT cluster_copy('products');
SELECT cluster_copy('skus');
SELECT cluster_copy('shops');
SELECT cluster_copy('booking_token_secrets');
SELECT cluster_copy('staff_people');

-- Distributed by organisation: every transaction of an organisation stays on one node.
SELECT cluster_distribute('admins', 'organisation_uid');
SELECT cluster_distribute('doctors', 'organisation_uid');
SELECT cluster_distribute('patients', 'organisation_uid');
SELECT cluster_distribute('consent_texts', 'organisation_uid');
SELECT cluster_distribute('consents', 'organisation_uid');
SELECT cluster_distribute('patient_merges', 'organisation_uid');
SELECT cluster_distribute('appointment_types', 'organisation_uid');
SELECT cluster_distribute('reminders', 'organisation_uid');
SELECT cluster_distribute('resources', 'organisation_uid');
SELECT cluster_distribute('availability_rules', 'organisation_uid');
SELECT cluster_distribute('availability_date_overrides', 'organisation_uid');
SELECT cluster_distribute('doctor_appointment_type_settings', 'organisation_uid');
SELECT cluster_distribute('booking_sessions', 'organisation_uid');
SELECT cluster_distribute('appointments', 'organisation_uid');
SELECT cluster_distribute('claims', 'organisation_uid');
SELECT cluster_distribute('appointment_counts', 'organisation_uid');
SELECT cluster_distribute('action_links', 'organisation_uid');
SELECT cluster_distribute('appointment_notes', 'organisation_uid');
SELECT cluster_distribute('calendar_feeds', 'organisation_uid');
SELECT cluster_distribute('messages', 'organisation_uid');
SELECT cluster_distribute('published_reminders', 'organisation_uid');
SELECT cluster_distribute('reminder_watermarks', 'organisation_uid');
SELECT cluster_distribute('prescriptions', 'organisation_uid');
SELECT cluster_distribute('prescription_items', 'organisation_uid');
SELECT cluster_distribute('dispensings', 'organisation_uid');
SELECT cluster_distribute('prescription_log', 'organisation_uid');
SELECT cluster_distribute('files', 'organisation_uid');
SELECT cluster_distribute('checkouts', 'organisation_uid');
SELECT cluster_distribute('accepted_prescriptions', 'organisation_uid');
SELECT cluster_distribute('abandoned_checkouts', 'organisation_uid');
SELECT cluster_distribute('embedded_orders', 'organisation_uid');
SELECT cluster_distribute('reservations', 'organisation_uid');
SELECT cluster_distribute('storefront_orders', 'organisation_uid');
SELECT cluster_distribute('storefront_order_parts', 'organisation_uid');
SELECT cluster_distribute('storefront_webhooks', 'organisation_uid');

-- Copied, or distributed by the columns, as the manifests of capabilities say: added by distribute.ts.
-- capabilities

-- Distributed by owner, an organisation or a pharmacy: on the node of the change to which they belong.
SELECT cluster_distribute('data_keys', 'owner_uid');
SELECT cluster_distribute('idempotency_keys', 'owner_uid');
SELECT cluster_distribute('webhook_subscriptions', 'owner_uid');
SELECT cluster_distribute('webhook_deliveries', 'owner_uid');
SELECT cluster_distribute('webhook_delivery_counts', 'owner_uid');
SELECT cluster_distribute('events', 'owner_uid');
SELECT cluster_distribute('audit_entries', 'owner_uid');

-- Distributed by pharmacy.
SELECT cluster_distribute('pharmacy_skus', 'pharmacy_uid');
SELECT cluster_distribute('pharmacy_orders', 'pharmacy_uid');
SELECT cluster_distribute('pharmacy_order_lines', 'pharmacy_uid');
SELECT cluster_distribute('payouts', 'pharmacy_uid');
SELECT cluster_distribute('payout_counts', 'pharmacy_uid');

-- On the coordinator, small or short-lived: sprechstunde_migrations, provisioned_entries, audit_sealing, sessions of staff,
-- master_key_canary, domain_clock, rate_limit_buckets, replicas, api_keys, images, payments, cluster_foreign_keys, cluster_triggers, cluster_commit and the schema pgboss. A
-- payment must be unique over all shards, a key's last use is written on one node, and an image is found only by its name.

-- A transaction that uses this table, even without rows, commits on all its nodes by two-phase commit: `afterJob` in index.ts.
CREATE TABLE IF NOT EXISTS cluster_commit (phases integer PRIMARY KEY);
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'cluster_commit'::regclass) THEN
    PERFORM citus_add_local_table_to_metadata('cluster_commit');
  END IF;
END $$;

CREATE OR REPLACE FUNCTION cluster_trigger(name text, of_table text, definition text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = of_table::regclass AND tgname = name) THEN
    EXECUTE format('CREATE TRIGGER %I %s', name, definition);
  END IF;
END $$;

-- Replaces ON DELETE SET NULL, which Citus does not support for keys with the distribution column. Arguments: the table and its column. Runs
-- after the statement, which may delete both rows, and by its name before the key's check.
CREATE OR REPLACE FUNCTION cluster_unlink() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('UPDATE %I SET %I = NULL WHERE organisation_uid = $1 AND %I = $2', TG_ARGV[0], TG_ARGV[1], TG_ARGV[1])
    USING OLD.organisation_uid, OLD.uid;
  RETURN NULL;
END $$;

-- A foreign key between tables that are distributed differently cannot be created again.
DO $$
DECLARE
  one record;
  unlinked text;
BEGIN
  FOR one IN SELECT k.*, (regexp_match(definition, 'REFERENCES (\w+)'))[1]::regclass AS target FROM cluster_foreign_keys k LOOP
    CONTINUE WHEN cluster_is_distributed(one.target) AND NOT cluster_is_distributed(one.of_table::regclass);
    CONTINUE WHEN NOT cluster_is_placed(one.target) AND cluster_is_placed(one.of_table::regclass);
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', one.of_table, one.name,
      regexp_replace(one.definition, ' ON DELETE SET NULL \(\w+\)', ''));
    unlinked := (regexp_match(one.definition, ' ON DELETE SET NULL \((\w+)\)'))[1];
    IF unlinked IS NOT NULL THEN
      PERFORM cluster_trigger(format('A_unlink_%s_%s', one.of_table, unlinked), one.target::text,
        format('AFTER DELETE ON %s FOR EACH ROW EXECUTE FUNCTION cluster_unlink(%L, %L)', one.target, one.of_table, unlinked));
    END IF;
    DELETE FROM cluster_foreign_keys WHERE of_table = one.of_table AND name = one.name;
  END LOOP;
END $$;

-- Counts. Triggers on shards run per row: transition tables and INSERT … SELECT are not supported there.
CREATE OR REPLACE FUNCTION count_appointment(organisation text, doctor text, final text, start timestamptz, change bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['', doctor] LOOP
    INSERT INTO appointment_counts (organisation_uid, doctor_uid, status, day, rows)
    VALUES (organisation, one, final, (start AT TIME ZONE 'UTC')::date, change)
    ON CONFLICT (organisation_uid, doctor_uid, status, day) DO UPDATE SET rows = appointment_counts.rows + excluded.rows;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION count_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO payout_counts (pharmacy_uid, status, day, rows) VALUES (OLD.pharmacy_uid, OLD.status,
      (coalesce(OLD.routing_created_at, OLD.pharmacy_order_created_at) AT TIME ZONE 'UTC')::date, -1)
    ON CONFLICT (pharmacy_uid, status, day) DO UPDATE SET rows = payout_counts.rows + excluded.rows;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO payout_counts (pharmacy_uid, status, day, rows) VALUES (NEW.pharmacy_uid, NEW.status,
      (coalesce(NEW.routing_created_at, NEW.pharmacy_order_created_at) AT TIME ZONE 'UTC')::date, 1)
    ON CONFLICT (pharmacy_uid, status, day) DO UPDATE SET rows = payout_counts.rows + excluded.rows;
  END IF;
  RETURN NULL;
END $$;

DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT * FROM cluster_triggers LOOP
    EXECUTE one.definition;
    DELETE FROM cluster_triggers WHERE of_table = one.of_table AND name = one.name;
  END LOOP;
END $$;

SELECT cluster_trigger('count_payouts', 'payouts',
  'AFTER INSERT OR DELETE ON payouts FOR EACH ROW EXECUTE FUNCTION count_payout()');
SELECT cluster_trigger('count_updated', 'payouts', 'AFTER UPDATE ON payouts FOR EACH ROW
  WHEN ((OLD.status, coalesce(OLD.routing_created_at, OLD.pharmacy_order_created_at))
    IS DISTINCT FROM (NEW.status, coalesce(NEW.routing_created_at, NEW.pharmacy_order_created_at))) EXECUTE FUNCTION count_payout()');

-- A data key is created by the transaction of its shard.
CREATE OR REPLACE FUNCTION data_key_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.made_in := pg_current_xact_id();
  RETURN NEW;
END $$;
SELECT cluster_trigger('made_in', 'data_keys', 'BEFORE INSERT ON data_keys FOR EACH ROW EXECUTE FUNCTION data_key_made()');

-- The audit log. Positions are assigned on the owner's node: microseconds, with the last 6 bits from the transaction, so that
-- concurrent ones differ. Until it ends, the transaction holds a lock there with an earlier moment, without its last 12 bits. The lock
-- comes first: a reader that does not see it has read the clock before the position was assigned.
CREATE OR REPLACE FUNCTION audit_micros() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint & ~63::bigint
$$;

CREATE OR REPLACE FUNCTION audit_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.position < 0 THEN -- audit_changed
    IF strpos(coalesce(current_setting('sprechstunde.audited', true), ''), ' ' || NEW.owner_uid || ' ') > 0 THEN RETURN NULL; END IF;
    PERFORM set_config('sprechstunde.audited',
      coalesce(current_setting('sprechstunde.audited', true), '') || ' ' || NEW.owner_uid || ' ', true);
  END IF;
  PERFORM pg_advisory_xact_lock_shared((x'0a0d17'::bigint << 40) | (audit_micros() >> 12));
  NEW.position := audit_micros() | (pg_current_xact_id()::text::bigint & 63);
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION audit_insert(owner text, request jsonb, row_subject text) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO audit_entries (owner_uid, position, at, action, actor_kind, actor_uid, subject, purpose, trace_id, address)
  VALUES (owner, 0, clock_timestamp(), request->>'action', request->>'actor_kind', request->>'actor_uid',
    coalesce(request->>'subject', row_subject), request->>'purpose', request->>'trace_id', request->>'address');
END $$;
REVOKE EXECUTE ON FUNCTION audit_insert FROM PUBLIC;

-- For a change of a row on another owner's node, which cannot write this entry: the service calls it after the write. No
-- second entry for an owner of whom the transaction has changed something else.
CREATE OR REPLACE FUNCTION audit_changed(owner text, row_subject text) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  request jsonb := nullif(current_setting('sprechstunde.request', true), '')::jsonb;
BEGIN
  IF request IS NULL THEN RETURN; END IF;
  INSERT INTO audit_entries (owner_uid, position, at, action, actor_kind, actor_uid, subject, purpose, trace_id, address)
  VALUES (owner, -1, clock_timestamp(), request->>'action', request->>'actor_kind', request->>'actor_uid',
    coalesce(request->>'subject', row_subject), request->>'purpose', request->>'trace_id', request->>'address');
END $$;

-- Writes the entry of the owner of the row's shard; the trigger's argument names that column.
CREATE OR REPLACE FUNCTION audit_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  written jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
  owner text := written->>TG_ARGV[0];
BEGIN
  PERFORM audit_insert(owner, current_setting('sprechstunde.request')::jsonb,
    coalesce(written->>'uid', written->>'id', written->>'prescription_uid', written->>'patient_uid'));
  PERFORM set_config('sprechstunde.audited',
    coalesce(current_setting('sprechstunde.audited', true), '') || ' ' || owner || ' ', true);
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;

-- For reference tables and the coordinator's own tables: only the coordinator writes the entry, and tells the nodes.
CREATE OR REPLACE FUNCTION audit_write_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET citus.allow_nested_distributed_execution = on AS $$
DECLARE
  written jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
  owner text := coalesce(written->>'organisation_uid', written->>'pharmacy_uid', written->>'owner_uid', 'installation');
BEGIN
  IF (SELECT groupid FROM pg_dist_local_group) = 0 THEN
    PERFORM audit_insert(owner, current_setting('sprechstunde.request')::jsonb,
      coalesce(written->>'uid', written->>'id', written->>'prescription_uid', written->>'patient_uid'));
    EXECUTE format('SET LOCAL sprechstunde.audited = %L',
      coalesce(current_setting('sprechstunde.audited', true), '') || ' ' || owner || ' ');
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;

-- The position of the owner's entries on its node.
CREATE OR REPLACE FUNCTION audit_settled_here(OUT newest bigint, OUT settled bigint) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  newest := audit_micros() - 1;
  SELECT least(newest, min((((classid::bigint & 255) << 32) | objid::bigint) << 12) - 1) INTO settled FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 8 = x'0a0d17'::bigint AND pid IS DISTINCT FROM pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
END $$;

CREATE OR REPLACE FUNCTION audit_settled(of_owner text, OUT newest bigint, OUT settled bigint) LANGUAGE plpgsql AS $$
BEGIN
  SELECT (here.standing).newest, (here.standing).settled INTO newest, settled
    FROM (SELECT audit_settled_here() AS standing FROM audit_entries WHERE owner_uid = of_owner LIMIT 1) here;
  newest := coalesce(newest, 0);
  settled := coalesce(settled, 0);
END $$;

SELECT cluster_trigger('audit_place', 'audit_entries', 'BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_place()');

-- Replaces the trigger that forbids TRUNCATE, which Citus does not support: revoked from everyone, including the tables' owner.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT oid::regclass AS name, relowner::regrole AS owner FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname ~ '^audit_(entries|chain)'
      AND has_table_privilege(relowner, oid, 'TRUNCATE')
  LOOP
    EXECUTE format('REVOKE TRUNCATE ON %s FROM %s', one.name, one.owner);
  END LOOP;
END $$;

-- Row-level security. Worker nodes have no roles, only the transaction's settings: sprechstunde.role replaces the role.
CREATE OR REPLACE FUNCTION cluster_tenancy(role text, organisation text, pharmacy text, request text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT * FROM (VALUES ('sprechstunde.role', role), ('sprechstunde.organisation', organisation),
      ('sprechstunde.pharmacy', pharmacy), ('sprechstunde.request', request)) wanted (name, value)
    WHERE coalesce(current_setting(name, true), '') <> value
  LOOP
    EXECUTE format('SET LOCAL %s = %L', one.name, one.value);
  END LOOP;
END $$;

-- Of capabilities: who has due work. Citus plans no query of a function in SQL that has a parameter.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT p.proname, p.prosrc FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
    WHERE p.pronamespace = 'public'::regnamespace AND p.proname LIKE 'due\_%' AND l.lanname = 'sql'
  LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION %I(moment timestamptz) RETURNS SETOF text LANGUAGE plpgsql STABLE AS %L',
      one.proname, 'BEGIN RETURN QUERY ' || one.prosrc || '; END');
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION reaches_node(host text, port integer) RETURNS boolean LANGUAGE sql AS $$
  SELECT citus_check_connection_to_node(host, port)
$$;

-- The owners whose node answers, for background work while another node is down. Records without an owner belong to the installation.
CREATE OR REPLACE FUNCTION reachable_owners() RETURNS SETOF text LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before text := coalesce(current_setting('sprechstunde.role', true), '');
  up integer[] := ARRAY(SELECT groupid FROM pg_dist_node
    WHERE noderole = 'primary' AND citus_check_connection_to_node(nodename, nodeport));
BEGIN
  PERFORM set_config('sprechstunde.role', 'sprechstunde_operator', true);
  RETURN QUERY WITH owner AS (SELECT organisation_uid AS uid FROM organisations UNION ALL SELECT pharmacy_uid FROM pharmacies
      UNION ALL SELECT 'installation')
    SELECT o.uid FROM owner o JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('admins', o.uid)
    WHERE p.groupid = ANY (up);
  PERFORM set_config('sprechstunde.role', before, true);
END $$;

CREATE OR REPLACE FUNCTION separate_tenants() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one regclass;
BEGIN
  FOR one IN SELECT c.oid::regclass FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND tenant_predicate(c.oid) IS NOT NULL AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polname = 'cluster_tenant')
  LOOP
    IF one::text NOT LIKE 'audit\_%' THEN
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO sprechstunde_service, sprechstunde_operator', one);
    END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', one);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', one);
    EXECUTE format('DROP POLICY IF EXISTS tenant ON %s', one);
    EXECUTE format('DROP POLICY IF EXISTS every_tenant ON %s', one);
    EXECUTE format('DROP POLICY IF EXISTS search ON %s', one);
    EXECUTE format('CREATE POLICY cluster_tenant ON %s USING (current_setting(%L, true) = %L OR %s)', one, 'sprechstunde.role',
      'sprechstunde_operator', tenant_predicate(one));
  END LOOP;
END $$;
SELECT separate_tenants();

-- Lookups across tenants for jobs: sets the role on every node and restores the previous one. Here too the worker's role sees no tenant's
-- rows. Functions that query all nodes are exempt from citus.multi_task_query_log_level (docs/scaling.md), these to the transaction's end.
CREATE OR REPLACE FUNCTION all_tenants(back_to text DEFAULT NULL) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  before text := coalesce(current_setting('sprechstunde.role', true), '');
BEGIN
  PERFORM set_config('citus.multi_task_query_log_level', 'off', true);
  EXECUTE format('SET LOCAL sprechstunde.role = %L', coalesce(back_to, 'sprechstunde_operator'));
  RETURN before;
END $$;

CREATE OR REPLACE FUNCTION is_operator() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('sprechstunde.role', true), '') = 'sprechstunde_operator'
$$;

-- Lookups across tenants for requests. Without roles each function changes the role's setting and restores it. For tables
-- on the coordinator that suffices; for distributed tables each worker node must be told.
CREATE OR REPLACE FUNCTION organisation_by(kind text, given text) RETURNS text LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before text := coalesce(current_setting('sprechstunde.role', true), '');
  found text;
BEGIN
  PERFORM set_config('sprechstunde.role', 'sprechstunde_operator', true);
  CASE kind
    WHEN 'shop' THEN found := (SELECT organisation_uid FROM shops WHERE uid = given);
    WHEN 'shop_identifier' THEN found := (SELECT organisation_uid FROM shops WHERE shop_identifier = given);
    WHEN 'tag' THEN found := (SELECT organisation_uid FROM organisations WHERE organisation_tag(organisation_uid) = given);
    WHEN 'booking_token_secret' THEN found := (SELECT organisation_uid FROM booking_token_secrets WHERE key_id = given);
    WHEN 'staff_person' THEN found := (SELECT organisation_uid FROM staff_people WHERE subject = given AND removed_at IS NULL
      ORDER BY created_at, organisation_uid LIMIT 1);
    ELSE EXECUTE format('SELECT %I($1)', 'organisation_of_' || kind) INTO found USING given; -- of a capability
  END CASE;
  PERFORM set_config('sprechstunde.role', before, true);
  RETURN found;
END $$;

CREATE OR REPLACE FUNCTION changes_since(since timestamptz) RETURNS TABLE (owner_uid text, "position" bigint) LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = public, pg_temp SET citus.multi_task_query_log_level = off AS $$
DECLARE
  before text := coalesce(current_setting('sprechstunde.role', true), '');
BEGIN
  SET LOCAL sprechstunde.role = 'sprechstunde_operator';
  RETURN QUERY SELECT e.owner_uid, max(e.position) FROM events e WHERE e.created_at >= since GROUP BY e.owner_uid;
  EXECUTE format('SET LOCAL sprechstunde.role = %L', before);
END $$;

CREATE OR REPLACE FUNCTION cheapest_pharmacy(wanted jsonb, among text[]) RETURNS text LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = public, pg_temp SET citus.multi_task_query_log_level = off AS $$
DECLARE
  before text := coalesce(current_setting('sprechstunde.role', true), '');
  cheapest text;
  skus text[] := ARRAY(SELECT w.sku_uid FROM jsonb_to_recordset(wanted) AS w(sku_uid text));
BEGIN
  SET LOCAL sprechstunde.role = 'sprechstunde_operator';
  WITH line AS (SELECT * FROM jsonb_to_recordset(wanted) AS w(sku_uid text, quantity bigint)),
  price AS (SELECT k.pharmacy_uid, k.sku_uid, min(k.price) AS price FROM pharmacy_skus k
    WHERE k.sku_uid = ANY (skus) AND k.deleted_at IS NULL
      AND (among IS NULL OR k.pharmacy_uid = ANY (among))
    GROUP BY k.pharmacy_uid, k.sku_uid)
  SELECT p.pharmacy_uid INTO cheapest FROM price p JOIN line l USING (sku_uid)
  GROUP BY p.pharmacy_uid HAVING count(*) = (SELECT count(*) FROM line)
  ORDER BY sum(p.price * l.quantity), p.pharmacy_uid LIMIT 1;
  EXECUTE format('SET LOCAL sprechstunde.role = %L', before);
  RETURN cheapest;
END $$;

CREATE OR REPLACE FUNCTION uses_of_trial(key_hashes bytea[], booking_key_id text,
  OUT demo_keys boolean, OUT mails boolean, OUT texts boolean, OUT payments boolean) LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = public, pg_temp SET citus.multi_task_query_log_level = off AS $$
DECLARE
  before text := coalesce(current_setting('sprechstunde.role', true), '');
BEGIN
  SET LOCAL sprechstunde.role = 'sprechstunde_operator';
  demo_keys := EXISTS (SELECT FROM api_keys WHERE revoked_at IS NULL AND key_hash = ANY (key_hashes))
    OR EXISTS (SELECT FROM booking_token_secrets WHERE revoked_at IS NULL AND key_id = booking_key_id);
  SELECT coalesce(bool_or(send_email), false), coalesce(bool_or(send_sms), false) INTO mails, texts
    FROM reminders WHERE active AND deleted_at IS NULL;
  mails := mails OR EXISTS (SELECT FROM organisations WHERE cardinality(messages) > 0);
  payments := EXISTS (SELECT FROM pharmacies WHERE payment_account IS NOT NULL);
  EXECUTE format('SET LOCAL sprechstunde.role = %L', before);
END $$;

-- All other functions that read across tenants, also capabilities': their tables are on the coordinator.
DO $do$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT proname AS name, pg_get_function_arguments(oid) AS arguments,
      pg_get_function_result(oid) AS result, proretset AS many, prosrc AS body FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql')
      AND prosecdef AND (provolatile = 's' OR proname = 'api_key_used')
  LOOP
    EXECUTE format($f$CREATE OR REPLACE FUNCTION %I(%s) RETURNS %s LANGUAGE plpgsql VOLATILE
      SECURITY DEFINER SET search_path = public, pg_temp AS $b$
      DECLARE
        before text := coalesce(current_setting('sprechstunde.role', true), '');
        %s
      BEGIN
        PERFORM set_config('sprechstunde.role', 'sprechstunde_operator', true);
        %s
        PERFORM set_config('sprechstunde.role', before, true);
        %s
      END $b$$f$, one.name, one.arguments, one.result,
      CASE WHEN one.many OR one.result = 'void' THEN '' ELSE format('answer %s;', one.result) END,
      CASE WHEN one.many THEN 'RETURN QUERY ' || one.body || ';' WHEN one.result = 'void' THEN one.body || ';'
        ELSE format('answer := (%s);', one.body) END,
      CASE WHEN one.many OR one.result = 'void' THEN 'RETURN;' ELSE 'RETURN answer;' END);
  END LOOP;
END $do$;

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'audit_entries'::regclass AND polname = 'written') THEN
    EXECUTE format('CREATE POLICY written ON audit_entries FOR INSERT TO %s WITH CHECK (true)',
      (SELECT relowner::regrole FROM pg_class WHERE oid = 'audit_entries'::regclass));
  END IF;
END $$;

CREATE OR REPLACE FUNCTION audit_partitions() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
      EXECUTE format('REVOKE TRUNCATE ON %I FROM %I', name, current_user);
    END IF;
  END LOOP;
END $$;

-- The same as on a single node, with audit_write_once for tables that are not distributed.
CREATE OR REPLACE FUNCTION audit_writes() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record;
  owner text;
BEGIN
  FOR one IN SELECT c.oid::regclass AS name, CASE WHEN s.shard IS NULL THEN 'audit_write_once()' ELSE format('audit_write(%L)', s.shard) END AS noting,
      array(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid
        AND CASE WHEN s.shard IS NULL THEN attname IN ('organisation_uid', 'pharmacy_uid', 'owner_uid') ELSE attname = s.shard END) AS owners
    FROM pg_class c LEFT JOIN LATERAL (SELECT column_to_column_name(logicalrelid, partkey) AS shard FROM pg_dist_partition
      WHERE logicalrelid = c.oid AND partmethod = 'h') s ON true
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
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
        EXECUTE FUNCTION %s$t$,
        (ARRAY['audit_write', 'audit_delete'])[operation], (ARRAY['INSERT OR UPDATE', 'DELETE'])[operation], one.name, owner, one.noting);
    END LOOP;
  END LOOP;
END $$;
SELECT audit_writes();
