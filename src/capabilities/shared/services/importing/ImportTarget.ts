/** What an organisation has already, for what is brought over from other programs. */
import { Effect, Schema } from "effect"
import { StoredProfile } from "../../../../schemas/access/PatientProfile.ts"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import type { OrganisationUid } from "../../../../schemas/ids.ts"
import { MeetingFormat } from "../../../../schemas/scheduling/AppointmentType.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"

const Named = { uid: Schema.String, name: Schema.NullOr(Schema.String) }
const Home = Schema.Struct({ timezone: Schema.String })
const Shop = Schema.Struct({ ...Named, shop_identifier: Schema.String })
const Doctor = Schema.Struct({ ...Named, email: Schema.NullOr(Schema.String), timezone: Schema.String })
const Type = Schema.Struct({ ...Named, duration_minutes: Schema.Number, formats: Schema.Array(MeetingFormat) })
const Patient = Schema.Struct({
  uid: Schema.String,
  shop_uid: Schema.String,
  shop_customer_id: Schema.NullOr(Schema.String),
  profile: StoredProfile
})
const Appointment = Schema.Struct({
  uid: Schema.String,
  status: Schema.String,
  start_date: UnixSeconds,
  end_date: UnixSeconds
})

export type KnownDoctor = typeof Doctor.Type

export class ImportTarget extends Effect.Service<ImportTarget>()("provisioning/ImportTarget", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const [homes, shops, doctors] = [rowsOf(Home), rowsOf(Shop), rowsOf(Doctor)]
    const [types, patients, appointments] = [rowsOf(Type), rowsOf(Patient), rowsOf(Appointment)]

    /** The records of the organisation; `home` is undefined if there is none. Appointments: those whose uid has the prefix. */
    const read = Effect.fn("ImportTarget.read")(function* (owner: OrganisationUid, prefix: string) {
      const own = sql`organisation_uid = ${owner}`
      const [home] = yield* homes.all(sql`SELECT timezone FROM organisations WHERE ${own}`)
      return {
        home,
        now: yield* clock.now,
        shops: yield* shops.all(sql`SELECT uid, name, shop_identifier FROM shops WHERE ${own} ORDER BY uid`),
        doctors: yield* doctors.all(sql`SELECT uid, display_name AS name, email, timezone FROM doctors
          WHERE ${own} AND deleted_at IS NULL`),
        types: yield* types.all(sql`SELECT uid, name, duration_minutes, formats FROM appointment_types
          WHERE ${own} AND deleted_at IS NULL`),
        patients: yield* patients.all(
          sql`SELECT uid, shop_uid, shop_customer_id, profile FROM patients WHERE ${own} AND erased_at IS NULL`
        ),
        appointments: yield* appointments.all(sql`SELECT uid, status, start_date, end_date FROM appointments
          WHERE ${own} AND starts_with(uid, ${prefix})`)
      }
    })
    return { read } as const
  })
}) {}
