/** The one room for the SQL of messages: who is to be told what of which event, and whether they were. */
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { type EventUid, MessageUid, type OrganisationUid } from "../../schemas/ids.ts"
import { newUid } from "../uid.ts"
import type { NoticeKind } from "./messages/AppointmentNotice.ts"

export interface NewMessage {
  readonly organisation_uid: OrganisationUid
  readonly event_id: EventUid
  readonly kind: NoticeKind
  readonly appointment_uid: string
  readonly recipient_role: "patient" | "doctor" | "admin"
  readonly recipient_uid: string
  readonly channel: "email" | "sms"
}

export interface Message extends NewMessage {
  readonly uid: string
  readonly status: "pending" | "sent" | "failed" | "skipped"
}

export type Invited = Pick<NewMessage, "recipient_role" | "recipient_uid">

export class MessagesRepo extends Effect.Service<MessagesRepo>()("events/MessagesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const key = ({ organisation_uid, uid }: Pick<Message, "organisation_uid" | "uid">) =>
      sql`organisation_uid = ${organisation_uid} AND uid = ${uid}`

    /** Adds what is not there yet; gives the uids of what was added. */
    const add = Effect.fn("MessagesRepo.add")(function* (messages: ReadonlyArray<NewMessage>, now: number) {
      if (messages.length === 0) return []
      const rows = yield* Effect.forEach(messages, (message) =>
        Effect.map(newUid(MessageUid), (uid) => ({
          ...message,
          uid,
          status: "pending",
          attempts: 0,
          created_at: new Date(now * 1000)
        }))
      )
      return yield* sql<{ uid: string }>`INSERT INTO messages ${sql.insert(rows)} ON CONFLICT DO NOTHING RETURNING uid`
    })

    const find = Effect.fn("MessagesRepo.find")(function* (organisation_uid: OrganisationUid, uid: string) {
      const [row] = yield* sql<Message>`SELECT organisation_uid, uid, event_id, kind, appointment_uid, recipient_role,
          recipient_uid, channel, status FROM messages WHERE ${key({ organisation_uid, uid })}`.pipe(Effect.orDie)
      return Option.fromNullable(row)
    })

    /** Notes that it is being sent from now on: whoever cancels meanwhile must count with its having arrived. */
    const attempt = (message: Message) =>
      sql`UPDATE messages SET attempts = attempts + 1 WHERE ${key(message)}`.pipe(Effect.orDie, Effect.asVoid)

    const settle = (message: Message, status: Message["status"], error: string | null, now: number) =>
      sql`UPDATE messages SET status = ${status}, last_error = ${error},
          sent_at = CASE WHEN ${status} = 'sent' THEN to_timestamp(${now}) END
        WHERE ${key(message)}`.pipe(Effect.orDie, Effect.asVoid)

    /** To whom a mail with an invitation to this appointment went, or may have gone. */
    const invited = (organisation_uid: OrganisationUid, appointment_uid: string) =>
      sql<Invited>`SELECT DISTINCT recipient_role, recipient_uid FROM messages
        WHERE organisation_uid = ${organisation_uid} AND appointment_uid = ${appointment_uid}
          AND channel = 'email' AND kind <> 'cancellation' AND attempts > 0 AND status <> 'failed'`.pipe(Effect.orDie)

    return { add, find, attempt, settle, invited } as const
  })
}) {}
