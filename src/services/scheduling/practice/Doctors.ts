/** Doctors of an organisation. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { Doctor } from "../../../schemas/scheduling/DoctorSetting.ts"
import { DoctorNotFound } from "../../../schemas/scheduling/errors.ts"
import { anyOr, columnsOf, rowsOf } from "../../rows.ts"

export class Doctors extends Effect.Service<Doctors>()("scheduling/Doctors", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const doctors = rowsOf(Doctor)

    /** Every doctor, by name. */
    const list = Effect.fn("Doctors.list")((owner: OrganisationUid) =>
      doctors.all(sql`SELECT ${sql.literal(columnsOf(Doctor))} FROM doctors
        WHERE organisation_uid = ${owner} ORDER BY display_name, uid`)
    )

    /** Fails with `DoctorNotFound` unless the doctor is the organisation's. */
    const ensure = Effect.fn("Doctors.ensure")((owner: OrganisationUid, uid: DoctorUid) =>
      anyOr(sql`SELECT 1 FROM doctors WHERE organisation_uid = ${owner} AND uid = ${uid}`, () => new DoctorNotFound())
    )
    return { list, ensure } as const
  })
}) {}
