/** People whom the service writes to, and how: patients, doctors, administrators. */
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { type Language, languageOf } from "../../events/messages/AppointmentNotice.ts"

export type RecipientRole = "patient" | "doctor" | "admin"

/** As events tell of them. */
export interface Recipient {
  readonly role: RecipientRole
  readonly uid: string
  readonly display_name: string
  readonly email: string | null
  readonly phone: string | null
}

/** As they are written to. */
export interface Addressee extends Recipient {
  readonly timezone: string
  readonly language: Language
}

export interface Sender {
  readonly name: string
  readonly timezone: string
  readonly messages: ReadonlyArray<"confirmation" | "cancellation" | "rebooking">
  readonly visit_reason_in_messages: boolean
}

type Row = Omit<Addressee, "language"> & { readonly language: string | null }

export class Recipients extends Effect.Service<Recipients>()("scheduling/Recipients", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const name = sql.literal("trim(concat_ws(' ', p.profile->>'first_name', p.profile->>'last_name'))")
    const rows = {
      patient: (owner: OrganisationUid, uid: string) =>
        sql<Row>`SELECT 'patient' AS role, p.uid, ${name} AS display_name, p.profile->>'email' AS email,
            p.profile->>'phone' AS phone, o.timezone, p.profile->>'language' AS language
          FROM patients p JOIN organisations o USING (organisation_uid)
          WHERE p.organisation_uid = ${owner} AND p.uid = ${uid}`,
      doctor: (owner: OrganisationUid, uid: string) =>
        sql<Row>`SELECT 'doctor' AS role, uid, display_name, email, phone, timezone, NULL AS language FROM doctors
          WHERE organisation_uid = ${owner} AND uid = ${uid}`,
      admin: (owner: OrganisationUid, uid: string) =>
        sql<Row>`SELECT 'admin' AS role, a.uid, a.display_name, a.email, a.phone, o.timezone, NULL AS language
          FROM admins a JOIN organisations o USING (organisation_uid)
          WHERE a.organisation_uid = ${owner} AND a.uid = ${uid}`
    }

    /** The person as they can be reached now; none when they are gone. Only patients say in which language. */
    const find = Effect.fn("Recipients.find")(function* (owner: OrganisationUid, role: RecipientRole, uid: string) {
      const [row] = yield* rows[role](owner, uid).pipe(Effect.orDie)
      return Option.map(
        Option.fromNullable(row),
        (found): Addressee => ({ ...found, language: languageOf(found.language) })
      )
    })

    const sender = Effect.fn("Recipients.sender")(function* (owner: OrganisationUid) {
      const [row] = yield* sql<Sender>`SELECT name, timezone, messages, visit_reason_in_messages FROM organisations
        WHERE organisation_uid = ${owner}`.pipe(Effect.orDie)
      return row ?? (yield* Effect.dieMessage("an organisation's record is never deleted"))
    })

    return { find, sender } as const
  })
}) {}
