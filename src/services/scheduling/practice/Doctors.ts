/** Doctors of an organisation. They are provisioned; here they are only read. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { NotFound } from "../../../schemas/problems.ts"
import type { Doctor } from "../../../schemas/scheduling/DoctorSetting.ts"

export class Doctors extends Effect.Service<Doctors>()("scheduling/Doctors", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Every doctor, by name. */
    const list = Effect.fn("Doctors.list")((owner: OrganisationUid) =>
      sql<Doctor>`SELECT uid, display_name, timezone FROM doctors
        WHERE organisation_uid = ${owner} ORDER BY display_name, uid`.pipe(Effect.orDie)
    )

    /** 404 unless the doctor is the organisation's. */
    const ensure = Effect.fn("Doctors.ensure")(function* (owner: OrganisationUid, uid: DoctorUid) {
      const found = yield* sql`SELECT 1 FROM doctors WHERE organisation_uid = ${owner} AND uid = ${uid}`.pipe(
        Effect.orDie
      )
      if (found.length === 0) return yield* new NotFound({ what: "Doctor" })
    })
    return { list, ensure } as const
  })
}) {}
