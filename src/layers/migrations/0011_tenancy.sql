-- Roles, and row-level security of every tenant's table. A statement runs in one of two roles, which the service sets for each
-- transaction: sprechstunde_service sees the rows of the organisation and the pharmacy that the transaction names (settings
-- sprechstunde.organisation and sprechstunde.pharmacy), sprechstunde_worker all rows. The database user that applies the
-- migrations owns the tables and is a member of both; security is forced, so that owning them opens nothing. Roles belong to
-- the whole server: several databases of one server share them, and a database user without CREATEROLE needs them made
-- beforehand (docs/operating.md).

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sprechstunde_service', 'sprechstunde_worker'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', name); END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database's migration was first
    END;
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.roleid
                     WHERE r.rolname = name AND m.member = current_user::regrole) THEN
        EXECUTE format('GRANT %I TO CURRENT_USER', name);
      END IF;
    EXCEPTION WHEN internal_error OR unique_violation THEN NULL; -- likewise
    END;
  END LOOP;
END $$;

-- Jobs are no tenant's: pg-boss makes their tables in here later.
CREATE SCHEMA IF NOT EXISTS pgboss;
GRANT USAGE ON SCHEMA pgboss TO sprechstunde_service, sprechstunde_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO sprechstunde_service, sprechstunde_worker;
ALTER DEFAULT PRIVILEGES IN SCHEMA pgboss
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO sprechstunde_service, sprechstunde_worker;
GRANT USAGE ON SCHEMA public TO sprechstunde_service, sprechstunde_worker;

-- Which rows are the transaction's, by the columns that name a tenant; null for a table that names none.
CREATE FUNCTION tenant_predicate(of_table regclass) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT string_agg(CASE attname
      WHEN 'organisation_uid' THEN $p$organisation_uid = current_setting('sprechstunde.organisation', true)$p$
      WHEN 'pharmacy_uid' THEN $p$pharmacy_uid = current_setting('sprechstunde.pharmacy', true)$p$
      ELSE $p$owner_uid IN (current_setting('sprechstunde.organisation', true), current_setting('sprechstunde.pharmacy', true))$p$
    END, ' OR ' ORDER BY attname)
  FROM pg_attribute
  WHERE attrelid = of_table AND NOT attisdropped AND attname IN ('organisation_uid', 'pharmacy_uid', 'owner_uid')
$$;

-- Lets a database user that owns nothing run the service: it may take both roles, and has of its own what pg-boss needs. A user
-- made with NOINHERIT sees no row before it has taken a role.
CREATE FUNCTION grant_service(login text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT sprechstunde_service, sprechstunde_worker TO %I', login);
  EXECUTE format('GRANT USAGE ON SCHEMA public, pgboss TO %I', login);
  EXECUTE format('GRANT SELECT ON sprechstunde_migrations TO %I', login);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO %I', login);
  EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA pgboss GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %I', login);
END $$;
REVOKE EXECUTE ON FUNCTION grant_service FROM PUBLIC;

-- Deletes all rows of an organisation, its keys among them, and tells how many of which table. What remains are rows of a
-- pharmacy, whose orders are its own records, and the audit log. Tables refer to each other: what cannot be deleted yet is
-- tried again after the others.
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
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition AND c.relname NOT LIKE 'audit\_%'
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

-- Opens every table that is not yet open to the two roles; one that names a tenant together with its row-level security.
-- Runs after all migrations at every start: a new table that names a tenant cannot be without it.
CREATE FUNCTION separate_tenants() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one regclass;
BEGIN
  FOR one IN SELECT c.oid::regclass FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND NOT has_table_privilege('sprechstunde_worker', c.oid, 'SELECT')
  LOOP
    IF tenant_predicate(one) IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', one);
      EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', one);
      EXECUTE format('CREATE POLICY tenant ON %s TO sprechstunde_service USING (%s)', one, tenant_predicate(one));
      EXECUTE format('CREATE POLICY every_tenant ON %s TO sprechstunde_worker USING (true)', one);
    END IF;
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO sprechstunde_service, sprechstunde_worker', one);
  END LOOP;
END $$;
