/** Lists of an organisation's messages. Rule 7.8.2. */
import { Effect } from "effect"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { type MessageQuery, SentMessage } from "../../schemas/notifications/Message.ts"
import { paged } from "../../schemas/paging.ts"
import { countOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { pageOf, windowOf } from "../database/totals.ts"

export class MessageLists extends Effect.Service<MessageLists>()("notifications/MessageLists", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const messages = rowsOf(SentMessage)

    /** Latest first. */
    const list = Effect.fn("MessageLists.list")(function* (owner: OrganisationUid, query: MessageQuery) {
      const { status, after } = query
      const where = sql.and([
        sql`organisation_uid = ${owner}`,
        ...(status === undefined ? [] : [sql`status = ${status}`])
      ])
      const afterCursor = after === undefined ? [] : [sql`(created_at, uid) < (to_timestamp(${after[0]}), ${after[1]})`]
      const window = windowOf(query)
      return paged(
        yield* pageOf(
          query,
          messages.all(sql`SELECT uid, kind, channel, status, recipient_role, recipient_uid, appointment_uid,
              CASE WHEN recipient_role = 'patient' THEN recipient_uid ELSE
                (SELECT a.patient_uid FROM appointments a WHERE a.organisation_uid = ${owner} AND a.uid = appointment_uid)
              END AS patient_uid, attempts, last_error AS error, created_at, sent_at
            FROM messages WHERE ${sql.and([where, ...afterCursor])}
            ORDER BY created_at DESC, uid DESC LIMIT ${window.limit} OFFSET ${window.offset}`),
          ({ created_at, uid }) => [created_at, uid] as const,
          countOf(sql`SELECT count(*) FROM messages WHERE ${where}`)
        )
      )
    })

    return { list } as const
  })
}) {}
