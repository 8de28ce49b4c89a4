/**
 * Database functions with which jobs find the owners that have due work, across tenants, where the condition is part of the
 * service's code. A release replaces those whose text differs from the database's. Like the functions of 0011_tenancy.sql, only the
 * worker's role may call them.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Capabilities, type JobFunction } from "../declarations.ts"
import { advanceWatermarks, ownersToRemind } from "../services/scheduling/reminders/dueReminders.ts"

const ownFunctions: ReadonlyArray<JobFunction> = [
  {
    name: "owners_to_remind(moment timestamp with time zone)",
    returns: "SETOF text",
    body: `RETURN QUERY ${ownersToRemind};`
  },
  {
    name: "move_watermarks(moment timestamp with time zone, of_owner text)",
    returns: "void",
    body: `${advanceWatermarks};`
  }
]

const definitionOf = (body: string) => `
      DECLARE
        before text := all_tenants();
      BEGIN
        ${body}
        PERFORM all_tenants(before);
      END `

/**
 * Creates the functions that are missing or have another text: with several nodes that needs every one, and a process must be able to start
 * while one is away. Must run as the tables' owner, in one process at a time.
 */
export const makeJobFunctions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const added = (yield* Capabilities).on.flatMap(({ jobFunctions }) => jobFunctions())
  const stored = yield* sql`SELECT format('%s(%s)', proname, pg_get_function_arguments(oid)), prosrc FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace`.values
  const bodies = new Map(stored.map(([name, body]) => [String(name), String(body)]))
  for (const { name, returns, body: statements } of [...ownFunctions, ...added]) {
    const body = definitionOf(statements)
    if (bodies.get(name) === body) continue
    const called = name.slice(0, name.indexOf("("))
    yield* sql.unsafe(`CREATE OR REPLACE FUNCTION ${name} RETURNS ${returns} LANGUAGE plpgsql
      SECURITY DEFINER SET search_path = public, pg_temp AS $$${body}$$`)
    yield* sql.unsafe(`REVOKE EXECUTE ON FUNCTION ${called} FROM PUBLIC`)
    yield* sql.unsafe(`GRANT EXECUTE ON FUNCTION ${called} TO sprechstunde_worker`)
  }
})
