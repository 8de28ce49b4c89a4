/** The one place with SQL for messages: which event is to be announced to whom, and whether it was. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Recipient } from "../../schemas/events/catalogue.ts"
import { AppointmentUid, EventUid, MessageUid, OrganisationUid } from "../../schemas/ids.ts"
import { columnsOf, rowsOf } from "../rows.ts"
import { newUid } from "../uid.ts"
import { NoticeKind } from "./AppointmentNotice.ts"

const Invited = Schema.Struct({ recipient_role: Recipient.fields.role, recipient_uid: Recipient.fields.uid })
export type Invited = typeof Invited.Type

const NewMessage = Schema.Struct({
  organisation_uid: OrganisationUid,
  event_id: EventUid,
  kind: NoticeKind,
  appointment_uid: AppointmentUid,
  ...Invited.fields,
  channel: Schema.Literal("email", "sms")
})
export type NewMessage = typeof NewMessage.Type

const Message = Schema.Struct({
  ...NewMessage.fields,
  uid: MessageUid,
  status: Schema.Literal("pending", "sent", "failed", "skipped")
})
export type Message = typeof Message.Type

/** Names one message. */
export const MessageRef = Schema.Struct({ organisation_uid: OrganisationUid, message_uid: MessageUid })
export type MessageRef = typeof MessageRef.Type

export class MessagesRepo extends Effect.Service<MessagesRepo>()("notifications/MessagesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const messages = rowsOf(Message)
    const recipients = rowsOf(Invited)
    const key = ({ organisation_uid, uid }: Pick<Message, "organisation_uid" | "uid">) =>
      sql`organisation_uid = ${organisation_uid} AND uid = ${uid}`

    /** Adds messages as pending, in one statement. */
    const add = Effect.fn("MessagesRepo.add")(function* (wanted: ReadonlyArray<NewMessage>, now: number) {
      if (wanted.length === 0) return []
      const rows = yield* Effect.forEach(wanted, (message) =>
        Effect.map(newUid(MessageUid), (uid) => ({
          ...message,
          uid,
          status: "pending",
          attempts: 0,
          created_at: new Date(now * 1000)
        }))
      )
      yield* sql`INSERT INTO messages ${sql.insert(rows)}`
      return rows.map(({ organisation_uid, uid }): MessageRef => ({ organisation_uid, message_uid: uid }))
    }, Effect.orDie)

    const find = Effect.fn("MessagesRepo.find")(({ organisation_uid, message_uid }: MessageRef) =>
      messages.first(sql`SELECT ${sql.literal(columnsOf(Message))} FROM messages
        WHERE ${key({ organisation_uid, uid: message_uid })}`)
    )

    /** Notes that it is being sent from now on: a cancellation that follows has to withdraw the invitation. */
    const attempt = (message: Message) =>
      sql`UPDATE messages SET attempts = attempts + 1 WHERE ${key(message)}`.pipe(Effect.orDie, Effect.asVoid)

    const settle = (message: Message, status: Message["status"], error: string | null, now: number) =>
      sql`UPDATE messages SET status = ${status}, last_error = ${error},
          sent_at = CASE WHEN ${status} = 'sent' THEN to_timestamp(${now}) END
        WHERE ${key(message)}`.pipe(Effect.orDie, Effect.asVoid)

    /** To whom a mail with an invitation to this appointment went, or may have gone. */
    const invited = (organisation_uid: OrganisationUid, appointment_uid: AppointmentUid) =>
      recipients.all(sql`SELECT DISTINCT recipient_role, recipient_uid FROM messages
        WHERE organisation_uid = ${organisation_uid} AND appointment_uid = ${appointment_uid}
          AND channel = 'email' AND kind <> 'cancellation' AND attempts > 0 AND status <> 'failed'`)

    return { add, find, attempt, settle, invited } as const
  })
}) {}
