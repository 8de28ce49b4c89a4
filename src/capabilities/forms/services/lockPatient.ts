import { Effect } from "effect"
import type { OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { PatientRestricted } from "../../../schemas/scheduling/errors.ts"
import { any } from "../../../services/database/rows.ts"
import type { Sql } from "../../../services/database/Sql.ts"

/**
 * Locks the patient until the transaction ends, so that what arrives at once is counted, and the later replaces the earlier. Fails with
 * `PatientRestricted`.
 */
export const lockPatient = (sql: Sql) => (owner: OrganisationUid, patient: PatientUid) =>
  Effect.asVoid(
    Effect.filterOrFail(
      any(sql`SELECT FROM patients WHERE organisation_uid = ${owner} AND uid = ${patient}
        AND restricted_at IS NULL AND erased_at IS NULL FOR NO KEY UPDATE`),
      (isFree) => isFree,
      () => new PatientRestricted()
    )
  )
