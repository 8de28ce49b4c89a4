/** How a practice presents its doctors and appointment types to patients (Rule 12.1.22). */

import { Effect, Option, Schema } from "effect"
import type { AppointmentTypeUid, OrganisationUid } from "../../schemas/ids.ts"
import { AppointmentType } from "../../schemas/scheduling/AppointmentType.ts"
import { inLanguage } from "../../texts/inLanguage.ts"
import type { Language } from "../../texts/language.ts"
import { Images } from "../access/Images.ts"
import { columnsOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { Service } from "../Service.ts"

const DoctorCard = Schema.Struct({
  uid: Schema.String,
  display_name: Schema.String,
  title: Schema.NullOr(Schema.String),
  specialty: Schema.NullOr(Schema.String),
  languages: Schema.Array(Schema.String),
  /** address of the picture */
  picture: Schema.NullOr(Schema.String)
})
export type DoctorCard = typeof DoctorCard.Type

const TypeCard = AppointmentType.pick(
  "name",
  "description",
  "preparation",
  "cancellation_rule",
  "price",
  "translations",
  "formats"
)

export class Presentations extends Service<Presentations>()("hosted/Presentations", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const images = yield* Images
    const cards = rowsOf(DoctorCard)
    const types = rowsOf(TypeCard)

    /** The doctors with these uids, in no order; deleted ones too. */
    const doctors = Effect.fn("Presentations.doctors")(function* (owner: OrganisationUid, uids: ReadonlyArray<string>) {
      if (uids.length === 0) return []
      const found = yield* cards.all(sql`SELECT uid, display_name, title, specialty, languages, picture FROM doctors
        WHERE organisation_uid = ${owner} AND uid = ANY(${[...uids]})`)
      return found.map((one): DoctorCard => ({ ...one, picture: images.address(one.picture) }))
    })

    /** The type in a patient's language, or as it is stored; null if there is none. */
    const type = Effect.fn("Presentations.type")(function* (
      owner: OrganisationUid,
      uid: AppointmentTypeUid | null,
      language: Language | null
    ) {
      if (uid === null) return null
      const found = yield* types.first(sql`SELECT ${sql.literal(columnsOf(TypeCard))} FROM appointment_types
        WHERE organisation_uid = ${owner} AND uid = ${uid}`)
      return Option.getOrNull(Option.map(found, (one) => (language === null ? one : inLanguage(one, language))))
    })

    return { doctors, type } as const
  }),
  dependencies: [Images.Default]
}) {}
