/** A start on a database that is up to date changes no definition: on a cluster each such statement needs every node. Rule 14.3.8. */
import { expect, test } from "bun:test"
import { seeingAll } from "../support/citus.ts"
import { freshDatabase, rowsAt } from "../support/postgres.ts"
import { migrated, startServer } from "../support/server.ts"

/** Records the definitions that are changed from now on. Temporary ones are not looked at: no other node has them. */
const watch = (url: string) =>
  rowsAt(
    seeingAll(url),
    `CREATE SCHEMA watched;
    GRANT USAGE ON SCHEMA watched TO PUBLIC;
    CREATE TABLE watched.changed (tag text, statement text);
    GRANT INSERT ON watched.changed TO PUBLIC;
    CREATE FUNCTION watched.note_definition() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO watched.changed VALUES (tg_tag, current_query()); END $$;
    CREATE EVENT TRIGGER note_definition ON ddl_command_start EXECUTE FUNCTION watched.note_definition()`
  )
const changed = (url: string) => rowsAt<{ tag: string }>(seeingAll(url), "SELECT * FROM watched.changed")
const bodies = (url: string) =>
  rowsAt<{ name: string; body: string; allowed: boolean }>(
    url,
    `SELECT proname AS name, prosrc AS body, has_function_privilege('sprechstunde_worker', oid, 'EXECUTE')
        AND NOT has_function_privilege('sprechstunde_service', oid, 'EXECUTE') AS allowed
      FROM pg_proc WHERE proname IN ('owners_to_remind', 'move_watermarks', 'owners_past_retention') ORDER BY 1`
  )

test("a second process changes no definition, and one of another release replaces the functions whose text differs", async () => {
  const { url, drop } = await freshDatabase(migrated)
  const first = await startServer({}, url)
  await first.stop()
  const before = await bodies(url)
  expect(before.map(({ name, allowed }) => [name, allowed])).toEqual([
    ["move_watermarks", true],
    ["owners_past_retention", true],
    ["owners_to_remind", true]
  ])
  await watch(url)
  const second = await startServer({}, url)
  await second.stop()
  expect(await changed(url)).toEqual([])
  await rowsAt(
    url,
    `CREATE OR REPLACE FUNCTION move_watermarks(moment timestamptz, of_owner text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$`
  )
  await rowsAt(seeingAll(url), "TRUNCATE watched.changed")
  const third = await startServer({ ROLE: "http" }, url)
  await third.stop()
  expect(await bodies(url)).toEqual(before)
  expect((await changed(url)).map(({ tag }) => tag).sort()).toEqual(["CREATE FUNCTION", "GRANT", "REVOKE"])
  await drop()
})
