/** The seat of a group's appointment, by which its patient is named to the others (Rule 18.5.6). */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { rowsOf } from "../../database/rows.ts"
import type { StoredAppointment } from "../appointments/StoredAppointment.ts"

const Counted = Schema.Struct({ is_group: Schema.Boolean, earlier: Schema.Number })

type Seated = Pick<StoredAppointment, "organisation_uid" | "uid" | "doctor_uid" | "appointment_type_uid" | "start_date">

export class Seats extends Effect.Service<Seats>()("scheduling/Seats", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const counted = rowsOf(Counted)

    /**
     * Number of the seat from 1, in order of confirmation; seats that were given up keep theirs. Undefined for an appointment of one
     * patient. A start that several patients share is a group, also where its type has one seat by now.
     */
    const numberOf = Effect.fnUntraced(function* (one: Seated) {
      const { organisation_uid: owner, uid, doctor_uid, appointment_type_uid, start_date } = one
      if (appointment_type_uid === null) return undefined
      const { is_group, earlier } = yield* counted.one(sql`SELECT
          count(*) FILTER (WHERE a.status = 'confirmed') > 1 OR coalesce((SELECT t.seats FROM appointment_types t
            WHERE t.organisation_uid = ${owner} AND t.uid = ${appointment_type_uid}), 1) > 1 AS is_group,
          count(*) FILTER (WHERE (a.confirmed_at, a.uid COLLATE "C") < (own.confirmed_at, own.uid COLLATE "C")) AS earlier
        FROM appointments own JOIN appointments a ON a.organisation_uid = ${owner} AND a.doctor_uid = ${doctor_uid}
          AND a.start_date = to_timestamp(${start_date}) AND a.appointment_type_uid = ${appointment_type_uid}
          AND a.confirmed_at IS NOT NULL
        WHERE own.organisation_uid = ${owner} AND own.uid = ${uid}`)
      return is_group ? earlier + 1 : undefined
    })

    /** The patient's name in the room; in a group the number of their seat. */
    const nameOf = Effect.fn("Seats.nameOf")(function* (one: Seated & { readonly patient_display_name: string }) {
      const seat = yield* numberOf(one)
      return {
        name: seat === undefined ? one.patient_display_name : `Participant ${seat}`,
        isGroup: seat !== undefined
      }
    })

    return { nameOf } as const
  })
}) {}
