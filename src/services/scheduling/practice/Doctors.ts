/** Doctors of an organisation. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import type { Doctor as DoctorEntry } from "../../../schemas/provisioning/tenancy.ts"
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
    /** Creates or replaces a doctor of a provisioning file. Without a zone, the organisation's applies. */
    const provision = Effect.fn("Doctors.provision")(
      (doctor: DoctorEntry) =>
        sql`INSERT INTO doctors (organisation_uid, uid, display_name, email, phone, timezone, profession, address)
          VALUES (${doctor.organisation_uid}, ${doctor.uid}, ${doctor.display_name}, ${doctor.email}, ${doctor.phone},
            coalesce(${doctor.timezone}, (SELECT timezone FROM organisations
              WHERE organisation_uid = ${doctor.organisation_uid}), 'Europe/Berlin'),
            ${doctor.profession}, ${doctor.address})
          ON CONFLICT (organisation_uid, uid) DO UPDATE SET display_name = excluded.display_name,
            email = excluded.email, phone = excluded.phone, timezone = excluded.timezone,
            profession = excluded.profession, address = excluded.address`
    )
    return { list, ensure, provision } as const
  })
}) {}
