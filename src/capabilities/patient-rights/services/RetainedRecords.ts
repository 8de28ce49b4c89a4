/** Data of erased patients that the law requires to be retained; the only writer of its table (Rule 12.2.6). */
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { type OrganisationUid, type PatientUid, uid } from "../../../schemas/ids.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Envelope, type SealedPlace } from "../../../services/sealing/Envelope.ts"
import { newUid } from "../../../services/uid.ts"

export const RetainedRecordUid = uid("RetainedRecordUid", "rrc")
export type RetainedRecordUid = typeof RetainedRecordUid.Type

const What = Schema.Literal("treatments", "files", "orders")

const Stored = Schema.Struct({
  uid: RetainedRecordUid,
  what: What,
  content_encrypted: Schema.String,
  kept_until: UnixSeconds
})

/** A record to retain; its content is stored as JSON. */
export interface Retained {
  readonly what: typeof What.Type
  readonly content: unknown
  readonly kept_until: UnixSeconds
}

const placeOf = (owner: OrganisationUid, uid: RetainedRecordUid): SealedPlace => ({
  table: "retained_records",
  column: "content_encrypted",
  row: [owner, uid]
})

export class RetainedRecords extends Effect.Service<RetainedRecords>()("rights/RetainedRecords", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const envelope = yield* Envelope
    const stored = rowsOf(Stored)

    const add = Effect.fn("RetainedRecords.add")(function* (
      owner: OrganisationUid,
      patient: PatientUid,
      { what, content, kept_until }: Retained,
      now: UnixSeconds
    ) {
      const uid = yield* newUid(RetainedRecordUid)
      const sealed = yield* envelope.sealed(placeOf(owner, uid), JSON.stringify(content))
      yield* sql`INSERT INTO retained_records (organisation_uid, uid, patient_uid, what, content_encrypted, kept_until, created_at)
        VALUES (${owner}, ${uid}, ${patient}, ${what}, ${sealed}, to_timestamp(${kept_until}), to_timestamp(${now}))`
      return uid
    }, Effect.orDie)

    /** Sets the retention end of records that were added before it was known. */
    const keep = (owner: OrganisationUid, uids: ReadonlyArray<RetainedRecordUid>, until: UnixSeconds) =>
      Effect.orDie(sql`UPDATE retained_records SET kept_until = to_timestamp(${until})
        WHERE organisation_uid = ${owner} AND uid = ANY (${[...uids]})`)

    /** Decrypts an erased patient's retained data, for those legally entitled to it. */
    const open = Effect.fn("RetainedRecords.open")(function* (owner: OrganisationUid, patient: PatientUid) {
      const rows = yield* stored.all(sql`SELECT uid, what, content_encrypted, kept_until FROM retained_records
        WHERE organisation_uid = ${owner} AND patient_uid = ${patient} ORDER BY created_at, uid`)
      return yield* Effect.forEach(rows, ({ uid, what, content_encrypted, kept_until }) =>
        Effect.map(envelope.open(placeOf(owner, uid), content_encrypted), (json): Retained => {
          const content: unknown = JSON.parse(json)
          return { what, content, kept_until }
        })
      )
    })

    return { add, keep, open } as const
  })
}) {}
