/** Erasing an organisation: its keys, so that nothing that they sealed can be read again, and all of its rows and files. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { OrganisationNotFound } from "../../schemas/access/errors.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { Database } from "../Database.ts"
import { PrescriptionFiles } from "../prescriptions/PrescriptionFiles.ts"
import { PrescriptionsRepo } from "../prescriptions/PrescriptionsRepo.ts"
import { anyOr, rowsOf } from "../rows.ts"

const Counted = Schema.Struct({ what: Schema.String, count: Schema.Number })

export class OrganisationErasure extends Effect.Service<OrganisationErasure>()("services/OrganisationErasure", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { transaction } = yield* Database
    const prescriptions = yield* PrescriptionsRepo
    const files = yield* PrescriptionFiles
    const counted = rowsOf(Counted)

    /**
     * Deletes the organisation's keys and rows in one transaction, after its files. Gives what was deleted and what is kept,
     * table by table. Fails with `OrganisationNotFound`, also the second time.
     */
    const erase = Effect.fn("OrganisationErasure.erase")(function* (uid: OrganisationUid) {
      yield* anyOr(sql`SELECT FROM organisations WHERE organisation_uid = ${uid}`, () => new OrganisationNotFound())
      const stored = yield* prescriptions.filesOf(uid)
      for (const { ref, file } of stored) yield* files.remove(file.area, ref)
      const erased = yield* transaction(counted.all(sql`SELECT what, count FROM erase_organisation(${uid})`))
      const kept = yield* counted.all(sql`SELECT 'pharmacy_orders' AS what, count(*) FROM pharmacy_orders
          WHERE organisation_uid = ${uid}
        UNION ALL SELECT 'audit_entries', count(*) FROM audit_entries WHERE owner_uid = ${uid}`)
      return { erased: [...erased, { what: "files in the store", count: stored.length }], kept }
    })

    return { erase } as const
  }),
  dependencies: [Database.Default, PrescriptionFiles.Default, PrescriptionsRepo.Default]
}) {}
