/** Prescriptions from the file. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { ProvisioningFile } from "../../schemas/provisioning/ProvisioningFile.ts"
import { DomainClock } from "../DomainClock.ts"
import { eachEntry } from "./entry.ts"

/**
 * A prescription that has been rendered or has taken a step since stays as it is: its PDF must go on saying what it says,
 * and what has happened is not undone by starting the service again.
 */
export const provisionPrescriptions = Effect.fn("provisioning.prescriptions")(function* (file: ProvisioningFile) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Effect.flatMap(DomainClock, (clock) => clock.now)

  yield* eachEntry("prescriptions", file.prescriptions, ({ uid, organisation_uid, patient, items, ...entry }, path) =>
    Effect.gen(function* () {
      const written = yield* sql`INSERT INTO prescriptions (organisation_uid, uid, shop_uid, doctor_uid, status,
          first_name, last_name, date_of_birth, gender, created_at, updated_at)
        VALUES (${organisation_uid}, ${uid}, ${entry.shop_uid}, ${entry.doctor_uid}, ${entry.status},
          ${patient.first_name}, ${patient.last_name}, ${patient.date_of_birth}, ${patient.gender},
          to_timestamp(${now}), to_timestamp(${now}))
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET shop_uid = excluded.shop_uid,
          doctor_uid = excluded.doctor_uid, status = excluded.status, first_name = excluded.first_name,
          last_name = excluded.last_name, date_of_birth = excluded.date_of_birth, gender = excluded.gender
        WHERE prescriptions.rendering_since IS NULL
          AND NOT EXISTS (SELECT FROM files f
            WHERE f.organisation_uid = prescriptions.organisation_uid AND f.prescription_uid = prescriptions.uid)
          AND NOT EXISTS (SELECT FROM dispensings d
            WHERE d.organisation_uid = prescriptions.organisation_uid AND d.prescription_uid = prescriptions.uid)
          AND NOT EXISTS (SELECT FROM prescription_log l
            WHERE l.organisation_uid = prescriptions.organisation_uid AND l.prescription_uid = prescriptions.uid)
        RETURNING uid`
      if (written.length === 0) return
      yield* sql`DELETE FROM prescription_items
        WHERE organisation_uid = ${organisation_uid} AND prescription_uid = ${uid}`
      yield* eachEntry(
        `${path}.items`,
        items.map((item, i) => ({ ...item, position: i + 1 })),
        (item) =>
          sql`INSERT INTO prescription_items ${sql.insert({
            organisation_uid,
            prescription_uid: uid,
            ...item,
            uid: item.uid ?? `${uid}_${item.position}`
          })}`
      )
    })
  )
})
