/** People offered on the development issuer's page. Reads all tenants, so only for local machines. */
import { Effect, Schema } from "effect"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { acrossTenants } from "../../../services/tenancy/Tenancy.ts"

/** Roles of a practice that can be tried beside its owner's, `admin`. */
export const demoPracticeRoles = ["reception", "assistant", "billing"] as const
const DemoRole = Schema.Literal("doctor", "admin", ...demoPracticeRoles, "pharmacy", "operator")
const DemoPerson = Schema.Struct({ role: DemoRole, uid: Schema.String, owner: Schema.String, name: Schema.String })
export type DemoPerson = typeof DemoPerson.Type

/** Maximum of each role: a test database has thousands. */
const SHOWN_MAX = 20

export class DemoPeople extends Effect.Service<DemoPeople>()("access/DemoPeople", {
  effect: Effect.map(Sql, (sql) => {
    const people = rowsOf(DemoPerson)

    /** By role and name; with `only`, those of this organisation, pharmacy or group. */
    const list = (only: string | null) =>
      acrossTenants(
        people.all(sql`
          (SELECT 'doctor' AS role, uid, organisation_uid AS owner, display_name AS name FROM doctors
            WHERE deleted_at IS NULL AND (${only}::text IS NULL OR organisation_uid = ${only}) ORDER BY uid LIMIT ${SHOWN_MAX})
          UNION ALL (SELECT role, organisation_uid, organisation_uid, name FROM (SELECT organisation_uid, name FROM organisations
            WHERE ${only}::text IS NULL OR organisation_uid = ${only} ORDER BY organisation_uid LIMIT ${SHOWN_MAX}) practices
            CROSS JOIN unnest(${["admin", ...demoPracticeRoles]}::text[]) AS role)
          UNION ALL (SELECT 'pharmacy', pharmacy_uid, pharmacy_uid, name FROM pharmacies
            WHERE ${only}::text IS NULL OR pharmacy_uid = ${only} ORDER BY pharmacy_uid LIMIT ${SHOWN_MAX})
          UNION ALL (SELECT 'pharmacy', pharmacy_group_uid, 'group', name FROM pharmacy_groups
            WHERE ${only}::text IS NULL OR pharmacy_group_uid = ${only} ORDER BY pharmacy_group_uid LIMIT ${SHOWN_MAX})
          UNION ALL (SELECT 'operator', 'operator', 'installation', 'Sprechstunde'
            WHERE ${only}::text IS NULL OR ${only} = 'operator')`)
      )
    return { list } as const
  })
}) {}
