/**
 * Erasure of an organisation: its keys, so that nothing encrypted with them can be read again (crypto-shredding), and all of its rows and
 * files.
 */
import { Effect, Schema } from "effect"
import { OrganisationNotFound } from "../../../schemas/access/errors.ts"
import { MessageUid, type OrganisationUid } from "../../../schemas/ids.ts"
import { Database } from "../../../services/database/Database.ts"
import { anyOr, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { PrescriptionFiles } from "../../../services/prescriptions/PrescriptionFiles.ts"
import { PrescriptionsRepo } from "../../../services/prescriptions/PrescriptionsRepo.ts"
import { Jobs } from "../../../services/queue/Jobs.ts"
import { Service } from "../../../services/Service.ts"

const MESSAGES_PER_JOB = 2_000

const Counted = Schema.Struct({ what: Schema.String, count: Schema.Number })

export class OrganisationErasure extends Service<OrganisationErasure>()("services/OrganisationErasure", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const prescriptions = yield* PrescriptionsRepo
    const files = yield* PrescriptionFiles
    const jobs = yield* Jobs
    const counted = rowsOf(Counted)
    const messages = rowsOf(Schema.Struct({ uid: MessageUid }))

    /**
     * Deletes the organisation's keys and rows in one transaction, after its files. Returns what was deleted and what is retained, by
     * table. Fails with `OrganisationNotFound`, also if it was already erased.
     */
    const erase = Effect.fn("OrganisationErasure.erase")(function* (uid: OrganisationUid) {
      yield* anyOr(sql`SELECT FROM organisations WHERE organisation_uid = ${uid}`, () => new OrganisationNotFound())
      const stored = yield* prescriptions.filesOf(uid)
      for (const { ref, file } of stored) yield* files.remove(file.area, ref)
      const erased = yield* transaction(
        Effect.gen(function* () {
          const message_uids = (yield* messages.all(sql`SELECT uid FROM messages WHERE organisation_uid = ${uid}`)).map(
            (message) => message.uid
          )
          for (let at = 0; at < message_uids.length; at += MESSAGES_PER_JOB)
            yield* jobs.send("message.forget", {
              organisation_uid: uid,
              message_uids: message_uids.slice(at, at + MESSAGES_PER_JOB)
            })
          return yield* counted.all(sql`SELECT what, count FROM erase_organisation(${uid})`)
        })
      )
      const kept = yield* counted.all(sql`SELECT 'pharmacy_orders' AS what, count(*) FROM pharmacy_orders
          WHERE organisation_uid = ${uid}
        UNION ALL SELECT 'audit_entries', count(*) FROM audit_entries WHERE owner_uid = ${uid}`)
      return { erased: [...erased, { what: "files in the store", count: stored.length }], kept }
    })

    return { erase } as const
  }),
  dependencies: [PrescriptionFiles.Default, PrescriptionsRepo.Default]
}) {}
