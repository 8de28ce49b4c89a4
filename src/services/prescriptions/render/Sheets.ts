import { Effect } from "effect"
import { PrescriptionNotFound } from "../../../schemas/prescriptions/errors.ts"
import type { PrescriptionRef } from "../../../schemas/prescriptions/Prescription.ts"
import { PrescriptionSheet } from "../../../schemas/prescriptions/PrescriptionSheet.ts"
import { rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { Envelope } from "../../sealing/Envelope.ts"
import { openingItems } from "../openItems.ts"

/** The printed content of prescriptions. */
export class Sheets extends Effect.Service<Sheets>()("prescriptions/Sheets", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const sheets = rowsOf(PrescriptionSheet, openingItems(yield* Envelope))

    /** The prescription with the names of everything on it. Fails with `PrescriptionNotFound`. */
    const find = Effect.fn("Sheets.find")((ref: PrescriptionRef) =>
      sheets.firstOr(
        sql`SELECT p.uid AS prescription_uid, p.created_at AS issued_at,
          o.timezone, o.name AS organisation,
          (SELECT json_build_object('display_name', d.display_name, 'profession', d.profession, 'address', d.address,
              'phone', d.phone, 'email', d.email) FROM doctors d
            WHERE d.organisation_uid = ${ref.organisation_uid} AND d.uid = p.doctor_uid) AS prescriber,
          json_build_object('first_name', p.first_name, 'last_name', p.last_name, 'date_of_birth', p.date_of_birth,
            'gender', p.gender) AS patient,
          (SELECT coalesce(json_agg(json_build_object('product', g.display_name, 'display_name', s.display_name,
              'pzn', s.pzn, 'quantity', i.quantity, 'standard_selling_unit', s.standard_selling_unit, 'unit', s.unit,
              'organisation_uid', i.organisation_uid, 'prescription_uid', i.prescription_uid, 'uid', i.uid,
              'dosage_encrypted', i.dosage_encrypted) ORDER BY i.position), '[]')
            FROM prescription_items i JOIN skus s USING (sku_uid) JOIN products g USING (product_uid)
            WHERE i.organisation_uid = ${ref.organisation_uid} AND i.prescription_uid = p.uid) AS items
        FROM prescriptions p JOIN organisations o USING (organisation_uid)
        WHERE p.organisation_uid = ${ref.organisation_uid} AND p.uid = ${ref.prescription_uid}`,
        () => new PrescriptionNotFound()
      )
    )

    return { find } as const
  })
}) {}
