/**
 * Functions of the database by which jobs find, across tenants, for whom something is due, where the condition stands in the service's
 * own code. Made anew by every release, whose conditions they know; like those of 0011_tenancy.sql, for the worker's role alone.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { interpolateText } from "../services/database/sqlTemplate.ts"
import { isOver, nameOf, ownerColumn, retentionRules } from "../services/operation/retentionRules.ts"
import { advanceWatermarks, ownersToRemind } from "../services/scheduling/reminders/dueReminders.ts"

const pastRetention = retentionRules.map((rule) => {
  const over = interpolateText(isOver(rule), { end: "ending", owner: "r.organisation_uid" })
  return `WHEN '${nameOf(rule)}' THEN RETURN QUERY SELECT DISTINCT r.${rule.key[0]} FROM ${rule.table} r
    WHERE ${over} AND (of_owner IS NULL OR r.${ownerColumn(rule)} = of_owner) AND r.${ownerColumn(rule)} <> ALL (others);`
})

const functions = [
  {
    name: "owners_to_remind(moment timestamptz)",
    returns: "SETOF text",
    body: `RETURN QUERY ${ownersToRemind};`
  },
  {
    name: "move_watermarks(moment timestamptz, of_owner text)",
    returns: "void",
    body: `${advanceWatermarks};`
  },
  {
    name: "owners_past_retention(rule text, ending timestamptz, of_owner text, others text[])",
    returns: "SETOF text",
    // A process of another release may ask by a name that this one does not know
    body: `CASE rule ${pastRetention.join("\n")} ELSE NULL; END CASE;`
  }
]

/** Makes the functions. To be run by the tables' owner, by one process at a time. */
export const makeJobFunctions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const { name, returns, body } of functions) {
    const called = name.slice(0, name.indexOf("("))
    yield* sql.unsafe(`CREATE OR REPLACE FUNCTION ${name} RETURNS ${returns} LANGUAGE plpgsql
      SECURITY DEFINER SET search_path = public, pg_temp AS $$
      DECLARE
        before text := all_tenants();
      BEGIN
        ${body}
        PERFORM all_tenants(before);
      END $$`)
    yield* sql.unsafe(`REVOKE EXECUTE ON FUNCTION ${called} FROM PUBLIC`)
    yield* sql.unsafe(`GRANT EXECUTE ON FUNCTION ${called} TO sprechstunde_worker`)
  }
})
