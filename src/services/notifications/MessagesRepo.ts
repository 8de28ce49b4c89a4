/** The repository of messages: the recipients of each event's messages, and their status. */
import { Effect, Schema } from "effect"
import { Recipient } from "../../schemas/events/catalogue.ts"
import { AppointmentUid, EventUid, MessageUid, OrganisationUid } from "../../schemas/ids.ts"
import { type OptionalNoticeKind, StoredNoticeKind } from "../../schemas/notifications/notices.ts"
import { Inserts } from "../database/Inserts.ts"
import { any, columnsOf, done, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { newUid } from "../uid.ts"

/** Texts of the list of messages, which pages for staff translate. */
export const skippedReasons = {
  changed: "no longer needed: what it is about has changed or begun",
  unreachable: "the recipient has no address for it"
} as const

const Invited = Schema.Struct({ recipient_role: Recipient.fields.role, recipient_uid: Recipient.fields.uid })
export type Invited = typeof Invited.Type

/** A holder of an invitation to an appointment. */
const Invitation = Schema.Struct({ appointment_uid: AppointmentUid, ...Invited.fields })

const NewMessage = Schema.Struct({
  organisation_uid: OrganisationUid,
  event_id: EventUid,
  kind: StoredNoticeKind,
  /** Null for messages about other records, which `subject_uid` identifies. */
  appointment_uid: Schema.NullOr(AppointmentUid),
  subject_uid: Schema.NullOr(Schema.String),
  ...Invited.fields,
  channel: Schema.Literal("email", "sms"),
  /** The attached calendar file: an invitation or an update of it, or its cancellation. */
  invite: Schema.NullOr(Schema.Literal("REQUEST", "CANCEL"))
})
/**
 * `due_at`: when it is sent, Unix seconds; default at once. `opted_in`: the kind of messages to which the organisation has to have opted in;
 * default: none.
 */
export type NewMessage = typeof NewMessage.Type & { readonly due_at?: number; readonly opted_in?: OptionalNoticeKind }

const Message = Schema.Struct({
  ...NewMessage.fields,
  uid: MessageUid,
  status: Schema.Literal("pending", "sent", "failed", "skipped"),
  attempts: Schema.Number,
  /** How often it was sent again on wish. */
  resends: Schema.Number
})
export type Message = typeof Message.Type

/** Identifies one message. */
export const MessageRef = Schema.Struct({ organisation_uid: OrganisationUid, message_uid: MessageUid })
export type MessageRef = typeof MessageRef.Type
const AddedMessage = Schema.Struct({ ...MessageRef.fields, is_due: Schema.Boolean })

export class MessagesRepo extends Effect.Service<MessagesRepo>()("notifications/MessagesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { ofSelected } = yield* Inserts
    const messages = rowsOf(Message)
    const invitations = rowsOf(Invitation)
    const refs = rowsOf(MessageRef)
    const addedOnes = rowsOf(AddedMessage)
    const key = ({ organisation_uid, uid }: Pick<Message, "organisation_uid" | "uid">) =>
      sql`organisation_uid = ${organisation_uid} AND uid = ${uid}`

    /** Adds messages of one organisation as pending, in one statement; returns those that are due at once. A message for later is found when it is due. */
    const add = Effect.fnUntraced(function* (wanted: ReadonlyArray<NewMessage>, now: number) {
      const [first] = wanted
      if (first === undefined) return []
      const { organisation_uid: owner } = first
      const named: Array<NewMessage & { readonly uid: MessageUid }> = []
      for (const message of wanted) named.push({ due_at: now, ...message, uid: yield* newUid(MessageUid) })
      const insert = sql`INSERT INTO messages (organisation_uid, uid, event_id, kind, appointment_uid, subject_uid, recipient_role,
        recipient_uid, channel, invite, status, attempts, next_attempt_at, created_at)`
      const rows = sql`SELECT ${owner}::text AS organisation_uid, w.uid, w.event_id, w.kind, w.appointment_uid, w.subject_uid,
          w.recipient_role, w.recipient_uid, w.channel, w.invite, 'pending' AS status, 0 AS attempts,
          to_timestamp(w.due_at) AS next_attempt_at, to_timestamp(${now}) AS created_at
        FROM jsonb_to_recordset(${JSON.stringify(named)}::jsonb) AS w(uid text, event_id text, kind text, appointment_uid text,
          subject_uid text, recipient_role text, recipient_uid text, channel text, invite text, due_at bigint, opted_in text)
        WHERE w.opted_in IS NULL
          OR w.opted_in = ANY ((SELECT o.messages FROM organisations o WHERE o.organisation_uid = ${owner})::text[])`
      const returning = sql`organisation_uid, uid AS message_uid, next_attempt_at <= to_timestamp(${now}) AS is_due`
      const added = yield* addedOnes.all(ofSelected(sql, { insert, rows, returning }))
      return added.flatMap(({ is_due, ...ref }) => (is_due ? ref : []))
    })

    const find = ({ organisation_uid, message_uid }: MessageRef) =>
      messages.first(sql`SELECT ${sql.literal(columnsOf(Message))} FROM messages
        WHERE ${key({ organisation_uid, uid: message_uid })}`)

    /**
     * Claims a due message for an attempt; none if another process has claimed it. Its next attempt moves to the lease's expiry, so that
     * it is due again if this process dies. From now on a cancellation has to cancel the invitation.
     */
    const claim = (message: Message, now: number, leaseSeconds: number) =>
      messages.first(sql`UPDATE messages
        SET attempts = attempts + 1, next_attempt_at = to_timestamp(${now + leaseSeconds})
        WHERE ${key(message)} AND status = 'pending' AND next_attempt_at <= to_timestamp(${now})
        RETURNING ${sql.literal(columnsOf(Message))}`)

    /** Ends a pending message. Returns whether it was pending. */
    const settle = (
      message: Message,
      status: Exclude<Message["status"], "pending">,
      error: string | null,
      now: number
    ) =>
      any(sql`UPDATE messages SET status = ${status}, last_error = ${error}, next_attempt_at = NULL,
          sent_at = CASE WHEN ${status} = 'sent' THEN to_timestamp(${now}) END
        WHERE ${key(message)} AND status = 'pending' RETURNING uid`)

    const postpone = (message: Message, error: string, until: number) =>
      sql`UPDATE messages SET last_error = ${error}, next_attempt_at = to_timestamp(${until})
        WHERE ${key(message)} AND status = 'pending'`.pipe(Effect.orDie, Effect.asVoid)

    /** Moves the next attempt of a due message that nobody has claimed. */
    const putOff = ({ organisation_uid, message_uid: uid }: MessageRef, now: number, seconds: number) =>
      done(sql`UPDATE messages SET next_attempt_at = to_timestamp(${now + seconds})
        WHERE ${key({ organisation_uid, uid })} AND status = 'pending' AND next_attempt_at <= to_timestamp(${now})`)

    /** An organisation's due messages, up to `limit`, oldest first. */
    const due = (owner: OrganisationUid, now: number, limit: number) =>
      refs.all(sql`SELECT organisation_uid, uid AS message_uid FROM messages
        WHERE organisation_uid = ${owner} AND status = 'pending' AND next_attempt_at <= to_timestamp(${now})
        ORDER BY next_attempt_at LIMIT ${limit}`)

    /**
     * Holders of an invitation to each of these appointments, or to one that it replaced: their latest mail with a calendar file that was,
     * or may have been, delivered is not a cancellation.
     */
    const invited = (owner: OrganisationUid, appointment_uids: ReadonlyArray<AppointmentUid>) =>
      invitations.all(sql`WITH asked AS MATERIALIZED (
          SELECT uid, slot_group FROM appointments WHERE organisation_uid = ${owner} AND uid = ANY (${[...appointment_uids]})
        ), related AS MATERIALIZED (
          SELECT a.uid, a.slot_group FROM appointments a
          WHERE a.organisation_uid = ${owner} AND a.slot_group = ANY (ARRAY(SELECT slot_group FROM asked))
        )
        SELECT asked.uid AS appointment_uid, recipient_role, recipient_uid FROM asked JOIN (
          SELECT DISTINCT ON (related.slot_group, m.recipient_role, m.recipient_uid)
            related.slot_group, m.recipient_role, m.recipient_uid, m.invite
          FROM messages m JOIN related ON related.uid = m.appointment_uid
          WHERE m.organisation_uid = ${owner} AND m.invite IS NOT NULL
            AND (m.invite = 'CANCEL' OR m.attempts > 0 AND m.status <> 'failed')
            -- arrays, so that the appointments are found first; a join may read all messages
            AND m.appointment_uid = ANY (ARRAY(SELECT uid FROM related))
          ORDER BY related.slot_group, m.recipient_role, m.recipient_uid, m.created_at DESC, m.uid DESC
        ) latest USING (slot_group)
        WHERE invite = 'REQUEST' ORDER BY recipient_role, recipient_uid`)

    /** Whether there is a message of this kind about the record. */
    const isPlanned = (owner: OrganisationUid, kind: NewMessage["kind"], subject_uid: string) =>
      any(
        sql`SELECT 1 FROM messages WHERE organisation_uid = ${owner} AND subject_uid = ${subject_uid} AND kind = ${kind} LIMIT 1`
      )

    /** Makes a message that has ended due again; one that waits stays as it is. Rule 7.8.6. */
    const renew = (owner: OrganisationUid, uid: MessageUid, now: number) =>
      done(sql`UPDATE messages SET status = 'pending', attempts = 0, resends = resends + 1, last_error = NULL, sent_at = NULL,
        told_at = NULL, next_attempt_at = to_timestamp(${now})
        WHERE ${key({ organisation_uid: owner, uid })} AND status <> 'pending'`)

    /** Notes that the recipient was told otherwise. Rule 7.8.7. */
    const tell = (owner: OrganisationUid, uid: MessageUid, now: number) =>
      done(sql`UPDATE messages SET told_at = to_timestamp(${now}) WHERE ${key({ organisation_uid: owner, uid })}`)

    return { renew, tell, add, find, isPlanned, claim, settle, postpone, putOff, due, invited } as const
  })
}) {}
