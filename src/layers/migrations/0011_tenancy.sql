-- Roles, and row-level security of all tenants' tables. A statement runs in one of four roles, which the service sets for each
-- transaction: sprechstunde_service sees the rows of the organisation and the pharmacy that the transaction names (settings
-- sprechstunde.organisation and sprechstunde.pharmacy); sprechstunde_search sees orders and payouts, for text search;
-- sprechstunde_worker sees no tenant's table: it calls functions that return owners with due work.
-- sprechstunde_operator sees all rows, for the operator's requests and commands. Requests and jobs access other tenants only
-- through the functions below. The database user that applies the migrations owns the tables and is a member of all four roles:
-- the functions see all rows, like the operator. Roles are global to a server: several databases of one server share them,
-- and for a database user without CREATEROLE they must be created beforehand (docs/operating.md).

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sprechstunde_service', 'sprechstunde_worker', 'sprechstunde_search', 'sprechstunde_operator'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', name); END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database's migration was first
    END;
    BEGIN
      -- From PostgreSQL 16 on, who creates a role may grant it, but not set it
      EXECUTE format('GRANT %I TO CURRENT_USER', name);
    EXCEPTION WHEN insufficient_privilege THEN NULL; -- granted by an administrator
      WHEN internal_error OR unique_violation THEN NULL; -- another database's migration was first
    END;
  END LOOP;
END $$;

-- Jobs belong to no tenant. pg-boss creates their tables in this schema later.
CREATE SCHEMA IF NOT EXISTS pgboss;
GRANT USAGE ON SCHEMA pgboss TO sprechstunde_service, sprechstunde_operator;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO sprechstunde_service, sprechstunde_operator;
ALTER DEFAULT PRIVILEGES IN SCHEMA pgboss
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO sprechstunde_service, sprechstunde_operator;
GRANT USAGE ON SCHEMA public TO sprechstunde_service, sprechstunde_worker, sprechstunde_search, sprechstunde_operator;

-- The policy expression of a table, by its tenant columns; null for a table without one.
CREATE FUNCTION tenant_predicate(of_table regclass) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT string_agg(CASE attname
      WHEN 'organisation_uid' THEN $p$organisation_uid = current_setting('sprechstunde.organisation', true)$p$
      WHEN 'pharmacy_uid' THEN $p$pharmacy_uid = current_setting('sprechstunde.pharmacy', true)$p$
      ELSE $p$owner_uid IN (current_setting('sprechstunde.organisation', true), current_setting('sprechstunde.pharmacy', true))$p$
    END, ' OR ' ORDER BY attname)
  FROM pg_attribute
  WHERE attrelid = of_table AND NOT attisdropped AND attname IN ('organisation_uid', 'pharmacy_uid', 'owner_uid')
$$;

-- Lookups across tenants for requests, by something that the caller has. These functions run with the privileges of the tables'
-- owner; the roles may execute them but cannot read other tenants' rows themselves.

-- The organisation of a shop, of the tag in a code, a room name or a draft order's uid, of a booking-token key, or of what a capability names; null if
-- there is none.
CREATE FUNCTION organisation_by(kind text, given text) RETURNS text LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  found text;
BEGIN
  CASE kind
    WHEN 'shop' THEN RETURN (SELECT organisation_uid FROM shops WHERE uid = given);
    WHEN 'shop_identifier' THEN RETURN (SELECT organisation_uid FROM shops WHERE shop_identifier = given);
    WHEN 'tag' THEN RETURN (SELECT organisation_uid FROM organisations WHERE organisation_tag(organisation_uid) = given);
    WHEN 'booking_token_secret' THEN RETURN (SELECT organisation_uid FROM booking_token_secrets WHERE key_id = given);
    WHEN 'staff_person' THEN RETURN (SELECT organisation_uid FROM staff_people WHERE subject = given AND removed_at IS NULL
      ORDER BY created_at, organisation_uid LIMIT 1);
    ELSE EXECUTE format('SELECT %I($1)', 'organisation_of_' || kind) INTO found USING given; -- of a capability
      RETURN found;
  END CASE;
END $$;

CREATE FUNCTION api_key_with(hash bytea) RETURNS SETOF api_keys LANGUAGE sql STABLE ROWS 1
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM api_keys WHERE key_hash = hash AND revoked_at IS NULL
$$;

CREATE FUNCTION api_key_used(key_uid text, used_at timestamptz) RETURNS void LANGUAGE sql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE api_keys SET last_used_at = used_at WHERE uid = key_uid
$$;

-- Whose mail address this is: people of practices, doctors, pharmacies, their groups, operators. Rule 17.1.10.
CREATE FUNCTION staff_with(mail text) RETURNS TABLE (kind text, owner_uid text, uid text, subject text, person text, place text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before text := all_tenants();
BEGIN
  RETURN QUERY SELECT 'admin', s.organisation_uid, s.uid, s.subject, s.display_name, o.name
    FROM staff_people s JOIN organisations o ON o.organisation_uid = s.organisation_uid
    WHERE lower(s.email) = lower(mail) AND s.removed_at IS NULL AND s.role IS NOT NULL ORDER BY s.organisation_uid, s.uid;
  RETURN QUERY SELECT 'doctor', d.organisation_uid, d.uid, d.uid, d.display_name, o.name
    FROM doctors d JOIN organisations o ON o.organisation_uid = d.organisation_uid
    WHERE lower(d.email) = lower(mail) AND d.deleted_at IS NULL ORDER BY d.organisation_uid, d.uid;
  RETURN QUERY SELECT 'pharmacy', p.pharmacy_uid, p.pharmacy_uid, p.pharmacy_uid, p.name, p.name
    FROM pharmacies p WHERE lower(p.email) = lower(mail) ORDER BY p.pharmacy_uid;
  RETURN QUERY SELECT 'group', g.pharmacy_group_uid, g.pharmacy_group_uid, g.pharmacy_group_uid, g.name, g.name
    FROM pharmacy_groups g WHERE lower(g.email) = lower(mail) ORDER BY g.pharmacy_group_uid;
  RETURN QUERY SELECT 'operator', 'installation', o.uid, o.uid, o.email, 'Sprechstunde'
    FROM operators o WHERE lower(o.email) = lower(mail);
  PERFORM all_tenants(before);
END $$;

-- An image of a public page; its name is the hash of its content.
CREATE FUNCTION image_named(wanted text) RETURNS SETOF images LANGUAGE sql STABLE ROWS 1
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM images WHERE name = wanted LIMIT 1
$$;

CREATE FUNCTION is_embed_origin(origin text) RETURNS boolean LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM organisations WHERE embed_origins @> ARRAY[origin])
$$;

-- The last position of each owner's events since then, for live pages.
CREATE FUNCTION changes_since(since timestamptz) RETURNS TABLE (owner_uid text, "position" bigint) LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT e.owner_uid, max(e.position) FROM events e WHERE e.created_at >= since GROUP BY e.owner_uid
$$;

-- The pharmacy, if it is this one or a member of this group.
CREATE FUNCTION pharmacy_in_scope(asked text, own text, of_group text) RETURNS SETOF pharmacies LANGUAGE sql STABLE ROWS 1
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM pharmacies WHERE pharmacy_uid = asked AND (pharmacy_uid = own OR pharmacy_group_uid = of_group)
$$;

CREATE FUNCTION known_pharmacies(uids text[]) RETURNS TABLE (pharmacy_uid text) LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.pharmacy_uid FROM pharmacies p WHERE p.pharmacy_uid = ANY (uids)
$$;

-- The pharmacy among these (null: all) that carries all wanted items, [{sku_uid, quantity}], at the lowest total price.
CREATE FUNCTION cheapest_pharmacy(wanted jsonb, among text[]) RETURNS text LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH line AS (SELECT * FROM jsonb_to_recordset(wanted) AS w(sku_uid text, quantity bigint)),
  offer AS (SELECT k.pharmacy_uid, k.sku_uid, min(k.price) * l.quantity AS price
    FROM line l JOIN pharmacy_skus k ON k.sku_uid = l.sku_uid AND k.deleted_at IS NULL
    WHERE among IS NULL OR k.pharmacy_uid = ANY (among)
    GROUP BY k.pharmacy_uid, k.sku_uid, l.quantity)
  SELECT pharmacy_uid FROM offer GROUP BY pharmacy_uid HAVING count(*) = (SELECT count(*) FROM line)
  ORDER BY sum(price), pharmacy_uid LIMIT 1
$$;

CREATE FUNCTION is_payment_of_another(organisation text, payment text) RETURNS boolean LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM payments WHERE payment_id = payment AND organisation_uid <> organisation)
$$;

CREATE FUNCTION is_operator() RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT current_setting('role') = 'sprechstunde_operator' $$;

-- The dates of birth that this may be midnight of, in any zone.
CREATE FUNCTION birth_days(born bigint) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT array_agg(to_char(day, 'YYYY-MM-DD'))
  FROM unnest(ARRAY[0, 1]) back, date_trunc('day', to_timestamp(born + 14 * 3600) AT TIME ZONE 'UTC') latest,
    LATERAL (SELECT latest - back * interval '1 day' AS day) d
  WHERE extract(epoch FROM day) >= born - 12 * 3600
$$;

-- The only patient of the transaction's organisation with this name and date of birth, which may be midnight of any
-- zone; null for none or several. Patients who booked without a partner have proved an address, not an identity. A function, since a policy
-- would prevent the use of the index.
CREATE FUNCTION patient_called(organisation text, first_name text, last_name text, born bigint) RETURNS text LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  days text[] := birth_days(born);
  found text;
BEGIN
  IF organisation = current_setting('sprechstunde.organisation', true) OR is_operator() THEN
    SELECT min(p.uid) INTO found FROM patients p
      WHERE p.organisation_uid = organisation AND p.erased_at IS NULL AND coalesce(p.shop_customer_id, '') NOT LIKE 'public:%'
        AND lower(p.profile->>'last_name') = lower($3) AND lower(p.profile->>'first_name') = lower($2)
        AND p.profile->>'date_of_birth' = ANY (days)
      HAVING count(*) = 1;
  END IF;
  RETURN found;
END $$;

-- The shop's patients with one of these names; a date of birth, where both have one, must be the same. As `patient_called` otherwise.
CREATE FUNCTION patients_named(organisation text, shop text, first_names text[], last_names text[], born bigint) RETURNS text[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  days text[] := birth_days(born);
  found text[];
BEGIN
  IF organisation = current_setting('sprechstunde.organisation', true) OR is_operator() THEN
    SELECT array_agg(DISTINCT p.uid) INTO found FROM unnest(first_names, last_names) AS named (given, family)
      JOIN patients p ON p.organisation_uid = organisation
        AND lower(p.profile->>'last_name') = lower(family) AND lower(p.profile->>'first_name') = lower(given)
      WHERE p.shop_uid = shop AND p.erased_at IS NULL AND coalesce(p.shop_customer_id, '') NOT LIKE 'public:%'
        AND (born IS NULL OR p.profile->>'date_of_birth' IS NULL OR p.profile->>'date_of_birth' = ANY (days));
  END IF;
  RETURN found;
END $$;

-- The stored responses of the transaction's owner that have one of these uids. A function, since a policy would prevent the use of the
-- index: && is not leakproof.
CREATE FUNCTION responses_with(owner text, hashes bigint[]) RETURNS TABLE (scope text, key text) LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF is_operator()
    OR owner IN (current_setting('sprechstunde.organisation', true), current_setting('sprechstunde.pharmacy', true)) THEN
    RETURN QUERY SELECT k.scope, k.key FROM idempotency_keys k WHERE k.owner_uid = owner AND k.uid_hashes && hashes;
  END IF;
END $$;

-- Uses of demo and simulated parts, which a production installation must not have.
CREATE FUNCTION uses_of_trial(key_hashes bytea[], booking_key_id text,
  OUT demo_keys boolean, OUT mails boolean, OUT texts boolean, OUT payments boolean) LANGUAGE sql STABLE
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM api_keys WHERE revoked_at IS NULL AND key_hash = ANY (key_hashes))
      OR EXISTS (SELECT FROM booking_token_secrets WHERE revoked_at IS NULL AND key_id = booking_key_id),
    EXISTS (SELECT FROM organisations WHERE cardinality(messages) > 0)
      OR EXISTS (SELECT FROM reminders WHERE active AND deleted_at IS NULL AND send_email),
    EXISTS (SELECT FROM reminders WHERE active AND deleted_at IS NULL AND send_sms),
    EXISTS (SELECT FROM pharmacies WHERE payment_account IS NOT NULL)
$$;

DO $$
DECLARE
  found regprocedure;
BEGIN
  FOR found IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname IN
    ('organisation_by', 'staff_with', 'api_key_with', 'api_key_used', 'image_named', 'is_embed_origin', 'changes_since', 'pharmacy_in_scope',
     'known_pharmacies', 'cheapest_pharmacy', 'is_payment_of_another', 'patient_called', 'patients_named', 'responses_with', 'uses_of_trial')
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', found);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO sprechstunde_service, sprechstunde_operator', found);
  END LOOP;
END $$;

-- Lookups across tenants for jobs: owners with due work and counts, never rows. Jobs then work under the tenancy of one
-- owner at a time. These functions see all rows, like the tables' owner. Where further nodes have no roles, all_tenants tells
-- the nodes and returns the previous setting; here it does nothing. Every release replaces more of them: jobFunctions.ts.
CREATE FUNCTION all_tenants(back_to text DEFAULT NULL) RETURNS text LANGUAGE sql AS $$ SELECT ''::text $$;
REVOKE EXECUTE ON FUNCTION all_tenants FROM PUBLIC;

-- Whether the database reaches a node of its own: here there is no other one.
CREATE FUNCTION reaches_node(host text, port integer) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;

-- The owners whose node answers: here all, since there is one node.
CREATE FUNCTION reachable_owners() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT organisation_uid FROM organisations UNION ALL SELECT pharmacy_uid FROM pharmacies UNION ALL SELECT 'installation'
$$;

-- The owners with work of this kind that is due at the moment or overdue.
CREATE FUNCTION owners_with_due(kind text, moment timestamptz) RETURNS SETOF text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before text := all_tenants();
BEGIN
  CASE kind
    WHEN 'holds' THEN RETURN QUERY
      SELECT DISTINCT organisation_uid FROM appointments WHERE status = 'held' AND hold_expires_at <= moment
        AND (NOT is_offer OR hold_expires_at <= moment - interval '1 day');
    WHEN 'appointments' THEN RETURN QUERY
      SELECT DISTINCT organisation_uid FROM appointments WHERE status = 'confirmed' AND end_date < moment;
    WHEN 'messages' THEN RETURN QUERY
      SELECT DISTINCT organisation_uid FROM messages WHERE status = 'pending' AND next_attempt_at <= moment;
    WHEN 'deliveries' THEN RETURN QUERY
      SELECT DISTINCT owner_uid FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= moment;
    WHEN 'payouts' THEN RETURN QUERY
      SELECT DISTINCT pharmacy_uid FROM payouts WHERE routing = 'pending' AND (tried_at IS NULL OR tried_at <= moment);
    WHEN 'waiting_orders' THEN RETURN QUERY
      SELECT DISTINCT organisation_uid FROM storefront_orders WHERE waiting_since <= moment;
    WHEN 'checkouts' THEN RETURN QUERY
      SELECT DISTINCT organisation_uid FROM checkouts WHERE accepted_at IS NULL AND created_at < moment;
    WHEN 'abandoned_checkouts' THEN RETURN QUERY
      SELECT DISTINCT organisation_uid FROM abandoned_checkouts WHERE abandoned_at < moment;
    ELSE RETURN QUERY EXECUTE format('SELECT %I($1)', 'due_' || kind) USING moment; -- of a capability
  END CASE;
  PERFORM all_tenants(before);
END $$;

-- Retention periods set by organisations, in days by kind of data.
CREATE FUNCTION retention_periods() RETURNS TABLE (organisation_uid text, retention jsonb) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before text := all_tenants();
BEGIN
  RETURN QUERY SELECT o.organisation_uid, o.retention FROM organisations o WHERE o.retention <> '{}';
  PERFORM all_tenants(before);
END $$;

-- Backlog of all tenants, for metrics.
CREATE FUNCTION waiting_counts(late timestamptz) RETURNS TABLE (what text, count bigint) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before text := all_tenants();
BEGIN
  RETURN QUERY SELECT 'webhooks', count(*) FROM webhook_deliveries WHERE status = 'pending'
    UNION ALL SELECT 'webhooks due', count(*) FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at <= late
    UNION ALL SELECT 'message ' || channel, count(*) FROM messages WHERE status = 'pending' GROUP BY 1
    UNION ALL SELECT 'payout ' || routing, count(*) FROM payouts WHERE routing IN ('pending', 'parked') GROUP BY 1
    UNION ALL SELECT 'order ' || waiting_reason, count(*) FROM storefront_orders WHERE waiting_since IS NOT NULL GROUP BY 1;
  PERFORM all_tenants(before);
END $$;

DO $$
DECLARE
  found regprocedure;
BEGIN
  FOR found IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname IN
    ('owners_with_due', 'reachable_owners', 'retention_periods', 'waiting_counts')
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', found);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO sprechstunde_worker', found);
  END LOOP;
END $$;

-- LIKE is not leakproof, so under row-level security PostgreSQL cannot use a text index for it. Searches run in a
-- separate role that reads no other table; their WHERE on the tenant is the only one that no policy backs up.
CREATE POLICY search ON pharmacy_orders FOR SELECT TO sprechstunde_search USING (true);
CREATE POLICY search ON payouts FOR SELECT TO sprechstunde_search USING (true);
CREATE POLICY search ON pharmacy_order_lines FOR SELECT TO sprechstunde_search
  USING (pharmacy_uid = current_setting('sprechstunde.pharmacy', true));
CREATE POLICY search ON pharmacy_skus FOR SELECT TO sprechstunde_search
  USING (pharmacy_uid = current_setting('sprechstunde.pharmacy', true));
GRANT SELECT ON pharmacy_orders, payouts, pharmacy_order_lines, pharmacy_skus, skus, products TO sprechstunde_search;

-- Grants a database user that owns nothing the privileges for requests, and optionally jobs and operator requests. It itself has what
-- pg-boss needs, and the function with which every request begins. With NOINHERIT it sees no row before it sets a role.
CREATE FUNCTION grant_service(login text, jobs boolean, operator boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT sprechstunde_service, sprechstunde_search TO %I', login);
  EXECUTE format(CASE WHEN jobs THEN 'GRANT sprechstunde_worker TO %I' ELSE 'REVOKE sprechstunde_worker FROM %I' END, login);
  EXECUTE format(CASE WHEN operator THEN 'GRANT sprechstunde_operator TO %I' ELSE 'REVOKE sprechstunde_operator FROM %I' END, login);
  EXECUTE format('GRANT EXECUTE ON FUNCTION organisation_by TO %I', login);
  EXECUTE format('GRANT USAGE ON SCHEMA public, pgboss TO %I', login);
  EXECUTE format('GRANT SELECT ON sprechstunde_migrations TO %I', login);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO %I', login);
  EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA pgboss GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %I', login);
END $$;
REVOKE EXECUTE ON FUNCTION grant_service FROM PUBLIC;

-- Deletes all rows of an organisation, including its data keys, and returns the number by table. Kept are rows of a
-- pharmacy, whose orders are its own records, and the audit log. Tables reference each other: a blocked deletion is
-- retried after the others.
CREATE FUNCTION erase_organisation(erased text) RETURNS TABLE (what text, count bigint) LANGUAGE plpgsql AS $$
DECLARE
  one record;
  deleted bigint;
  progress boolean := true;
  refused text;
  counts jsonb := '{}';
BEGIN
  WHILE progress LOOP
    progress := false;
    refused := NULL;
    FOR one IN SELECT c.relname AS name, a.attname AS owner FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped AND a.attname IN ('organisation_uid', 'owner_uid')
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT LIKE 'audit\_%'
        AND NOT EXISTS (SELECT FROM pg_index i JOIN pg_attribute k ON k.attrelid = c.oid AND k.attnum = i.indkey[0]
          WHERE i.indrelid = c.oid AND i.indisprimary AND k.attname = 'pharmacy_uid')
      ORDER BY c.oid DESC
    LOOP
      BEGIN
        EXECUTE format('DELETE FROM %I WHERE %I = $1', one.name, one.owner) USING erased;
        GET DIAGNOSTICS deleted = ROW_COUNT;
        IF deleted > 0 THEN
          progress := true;
          counts := counts || jsonb_build_object(one.name, deleted + coalesce((counts->>one.name)::bigint, 0));
        END IF;
      EXCEPTION WHEN foreign_key_violation THEN refused := one.name;
      END;
    END LOOP;
  END LOOP;
  IF refused IS NOT NULL THEN RAISE EXCEPTION 'rows of % are referred to by rows that stay', refused; END IF;
  RETURN QUERY SELECT key, value::bigint FROM jsonb_each_text(counts) ORDER BY key;
END $$;

-- Grants access to every table that requests and the operator cannot access yet, for tenants' tables together with row-level security.
-- Runs after all migrations at every start-up, so that no new tenant's table is without it.
CREATE FUNCTION separate_tenants() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one regclass;
BEGIN
  FOR one IN SELECT c.oid::regclass FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND NOT has_table_privilege('sprechstunde_operator', c.oid, 'SELECT')
  LOOP
    IF tenant_predicate(one) IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', one);
      EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', one);
      EXECUTE format('CREATE POLICY tenant ON %s TO sprechstunde_service USING (%s)', one, tenant_predicate(one));
      EXECUTE format('CREATE POLICY every_tenant ON %s TO sprechstunde_operator USING (true)', one);
    END IF;
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO sprechstunde_service, sprechstunde_operator', one);
  END LOOP;
END $$;
