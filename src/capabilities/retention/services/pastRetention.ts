/** The database function with which retention finds the owners of rows whose period is over. */
import type { JobFunction } from "../../../declarations.ts"
import { interpolateText } from "../../../services/database/sqlTemplate.ts"
import { nameOf, type RetentionRule } from "../../../services/operation/addedRetention.ts"
import { isOver, keyOf, ownerColumn, retentionRules } from "../../shared/services/retentionRules.ts"

const pastRetention = (rule: RetentionRule) => {
  const over = interpolateText(isOver(rule), { end: "ending", owner: "r.organisation_uid" })
  return `WHEN '${nameOf(rule)}' THEN RETURN QUERY SELECT DISTINCT r.${keyOf(rule)[0]} FROM ${rule.table} r
    WHERE ${over} AND (of_owner IS NULL OR r.${ownerColumn(rule)} = of_owner) AND r.${ownerColumn(rule)} <> ALL (others);`
}

export const ownersPastRetention = (): JobFunction => ({
  name: "owners_past_retention(rule text, ending timestamp with time zone, of_owner text, others text[])",
  returns: "SETOF text",
  // A process of another release may pass a rule that this one does not know
  body: `CASE rule ${retentionRules().map(pastRetention).join("\n")} ELSE NULL; END CASE;`
})
