/** An organisation's messages, as its staff see them and send them again. Rule 7.8. */
import { Effect } from "effect"
import type { MessageUid, OrganisationUid } from "../../../schemas/ids.ts"
import { paged } from "../../../schemas/paging.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { countOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { pageOf, windowOf } from "../../../services/database/totals.ts"
import { MessagesRepo, skippedReasons } from "../../../services/notifications/MessagesRepo.ts"
import { Jobs } from "../../../services/queue/Jobs.ts"
import { Service } from "../../../services/Service.ts"
import { MessageNotFound } from "../schemas/errors.ts"
import { type MessageQuery, SentMessage } from "../schemas/SentMessage.ts"

export class SentMessages extends Service<SentMessages>()("console/SentMessages", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const jobs = yield* Jobs
    const messages = yield* MessagesRepo
    const listed = rowsOf(SentMessage)

    const columns = (
      owner: OrganisationUid
    ) => sql`uid, kind, channel, status, recipient_role, recipient_uid, appointment_uid,
      CASE WHEN recipient_role = 'patient' THEN recipient_uid ELSE
        (SELECT a.patient_uid FROM appointments a WHERE a.organisation_uid = ${owner} AND a.uid = appointment_uid)
      END AS patient_uid, attempts, last_error AS error, created_at, sent_at, told_at`

    const find = (owner: OrganisationUid, uid: MessageUid) =>
      listed.firstOr(
        sql`SELECT ${columns(owner)} FROM messages WHERE organisation_uid = ${owner} AND uid = ${uid}`,
        () => new MessageNotFound()
      )

    /** Sends a message again that was sent, failed or was skipped. Fails with `MessageNotFound`. Rule 7.8.6. */
    const resend = Effect.fn("SentMessages.resend")(function* (organisation_uid: OrganisationUid, uid: MessageUid) {
      yield* messages.renew(organisation_uid, uid, yield* clock.now)
      const renewed = yield* find(organisation_uid, uid)
      yield* jobs.send("message.send", { organisation_uid, message_uid: uid })
      return renewed
    }, transaction)

    /** Notes that the recipient was told otherwise. Fails with `MessageNotFound`. Rule 7.8.7. */
    const tell = Effect.fn("SentMessages.tell")(function* (owner: OrganisationUid, uid: MessageUid) {
      yield* messages.tell(owner, uid, yield* clock.now)
      return yield* find(owner, uid)
    })

    /** The latest first. Rule 7.8.2. */
    const list = Effect.fn("SentMessages.list")(function* (owner: OrganisationUid, query: MessageQuery) {
      const { status, patient_uid, unreached, after } = query
      const where = sql.and([
        sql`organisation_uid = ${owner}`,
        ...(patient_uid === undefined ? [] : [sql`recipient_role = 'patient' AND recipient_uid = ${patient_uid}`]),
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(unreached === undefined
          ? []
          : [
              sql`recipient_role = 'patient' AND appointment_uid IS NOT NULL AND told_at IS NULL AND status IN ('failed', 'skipped')
                AND (status = 'failed' OR last_error = ${skippedReasons.unreachable})`
            ])
      ])
      const afterCursor = after === undefined ? [] : [sql`(created_at, uid) < (to_timestamp(${after[0]}), ${after[1]})`]
      const window = windowOf(query)
      return paged(
        yield* pageOf(
          query,
          listed.all(sql`SELECT ${columns(owner)} FROM messages WHERE ${sql.and([where, ...afterCursor])}
            ORDER BY created_at DESC, uid DESC LIMIT ${window.limit} OFFSET ${window.offset}`),
          ({ created_at, uid }) => [created_at, uid] as const,
          countOf(sql`SELECT count(*) FROM messages WHERE ${where}`)
        )
      )
    })

    return { list, resend, tell } as const
  }),
  dependencies: [MessagesRepo.Default]
}) {}
