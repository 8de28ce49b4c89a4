/** Recipients of messages and their contact data: patients, doctors, administrators. */
import { Effect, Option, Schema } from "effect"
import { Branding } from "../../schemas/access/Branding.ts"
import { PUBLIC_CUSTOMER } from "../../schemas/access/Patient.ts"
import { Recipient } from "../../schemas/events/catalogue.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { MessageText } from "../../schemas/notifications/MessageText.ts"
import { type NoticeKind, optionalNoticeKinds } from "../../schemas/notifications/notices.ts"
import { type Language, languageOfProfile } from "../../texts/language.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"

/** A recipient with locale and zone. */
export interface Addressee extends Recipient {
  /** The zone of displayed times. */
  readonly timezone: string
  /** The zone in which a patient chose the time, displayed beside the other one. */
  readonly chosen_timezone?: string
  readonly language: Language
}

const Row = Schema.Struct({
  ...Recipient.fields,
  timezone: Schema.String,
  language: Schema.NullOr(Schema.String)
})

/** An organisation as sender, the messages that it has opted in to, and its own texts of one kind. */
const Sender = Schema.Struct({
  name: Schema.String,
  branding: Branding,
  messages: Schema.Array(Schema.Literal(...optionalNoticeKinds)),
  message_texts: Schema.Array(MessageText),
  visit_reason_in_messages: Schema.Boolean,
  /** Of national telephone numbers. */
  country_code: Schema.String
})
export type Sender = typeof Sender.Type

export class Recipients extends Effect.Service<Recipients>()("notifications/Recipients", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const people = rowsOf(Row)
    const senders = rowsOf(Sender)

    // who booked for a child or another person reads the message
    const name = sql.literal(
      "coalesce(p.profile->>'booked_by', trim(concat_ws(' ', p.profile->>'first_name', p.profile->>'last_name')))"
    )
    const queries = {
      // A phone number from a public form is unverified: no text messages are sent to it
      patient: (owner: OrganisationUid, uid: string) =>
        sql`SELECT 'patient' AS role, p.uid, ${name} AS display_name, p.profile->>'email' AS email,
            CASE WHEN starts_with(p.shop_customer_id, ${PUBLIC_CUSTOMER}) THEN NULL ELSE p.profile->>'phone' END AS phone, o.timezone, p.profile->>'language' AS language
          FROM patients p JOIN organisations o USING (organisation_uid)
          WHERE p.organisation_uid = ${owner} AND p.uid = ${uid} AND num_nonnulls(p.restricted_at, p.erased_at) = 0`,
      doctor: (owner: OrganisationUid, uid: string) =>
        sql`SELECT 'doctor' AS role, uid, display_name, email, phone, timezone, NULL AS language FROM doctors
          WHERE organisation_uid = ${owner} AND uid = ${uid}`,
      admin: (owner: OrganisationUid, uid: string) =>
        sql`SELECT 'admin' AS role, a.uid, a.display_name, a.email, a.phone, o.timezone, NULL AS language
          FROM admins a JOIN organisations o USING (organisation_uid)
          WHERE a.organisation_uid = ${owner} AND a.uid = ${uid}`
    }

    /**
     * The person's current contact data; none if the record is gone, or a patient's data must not be used. Only patients have a language.
     */
    const find = (owner: OrganisationUid, role: Recipient["role"], uid: string) =>
      Effect.map(
        people.first(queries[role](owner, uid)),
        Option.map((found): Addressee => ({ ...found, language: languageOfProfile(found.language) }))
      )

    /** With its own texts of this kind of message. */
    const sender = (owner: OrganisationUid, kind?: NoticeKind) =>
      senders.one(sql`SELECT name, branding, messages, visit_reason_in_messages, country_code, jsonb_path_query_array(message_texts,
          '$[*] ? (@.kind == $kind)', jsonb_build_object('kind', ${kind ?? ""}::text)) AS message_texts
        FROM organisations WHERE organisation_uid = ${owner}`)

    return { find, sender } as const
  })
}) {}
