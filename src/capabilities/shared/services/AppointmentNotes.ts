/** A doctor's private note on each appointment, encrypted with the organisation's key; only that doctor reads it (Rule 8.4.4). */
import { Effect, Option, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import type { AppointmentUid } from "../../../schemas/ids.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Service } from "../../../services/Service.ts"
import { Appointments, type Caller } from "../../../services/scheduling/appointments/Appointments.ts"
import { Envelope } from "../../../services/sealing/Envelope.ts"
import type { AppointmentNote } from "../schemas/AppointmentNote.ts"

const Stored = Schema.Struct({ note: Schema.String, updated_at: UnixSeconds })

export class AppointmentNotes extends Service<AppointmentNotes>()("scheduling/AppointmentNotes", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const appointments = yield* Appointments
    const clock = yield* DomainClock
    const envelope = yield* Envelope
    const stored = rowsOf(Stored, envelope.openRows("appointment_notes", ["organisation_uid", "appointment_uid"]))

    const read = Effect.fnUntraced(function* ({ organisation_uid }: Caller, uid: AppointmentUid) {
      const found = yield* stored.first(sql`SELECT organisation_uid, appointment_uid, note_encrypted,
          extract(epoch FROM updated_at)::bigint AS updated_at FROM appointment_notes
        WHERE organisation_uid = ${organisation_uid} AND appointment_uid = ${uid}`)
      return Option.getOrElse(found, (): AppointmentNote => ({ note: null, updated_at: null }))
    })

    /** Fails with `AppointmentNotFound`, also for another doctor's appointment. */
    const find = Effect.fn("AppointmentNotes.find")((caller: Caller, uid: AppointmentUid) =>
      Effect.zipRight(appointments.findOwn(caller, uid), read(caller, uid))
    )

    /** As `find`, with the appointment locked until the transaction ends. */
    const findForChange = Effect.fn("AppointmentNotes.findForChange")(function* (caller: Caller, uid: AppointmentUid) {
      yield* appointments.lock(caller, uid, yield* clock.now)
      return yield* read(caller, uid)
    })

    /** Replaces the note; null removes it. Fails as `find`. */
    const write = Effect.fn("AppointmentNotes.write")(function* (
      caller: Caller,
      uid: AppointmentUid,
      note: string | null
    ) {
      const { organisation_uid } = yield* appointments.findOwn(caller, uid)
      const now = yield* clock.now
      if (note === null) {
        yield* Effect.orDie(sql`DELETE FROM appointment_notes
          WHERE organisation_uid = ${organisation_uid} AND appointment_uid = ${uid}`)
        return { note: null, updated_at: null }
      }
      const place = {
        table: "appointment_notes",
        column: "note_encrypted",
        row: [organisation_uid, uid]
      } as const
      const sealed = yield* envelope.sealed(place, note)
      yield* Effect.orDie(sql`INSERT INTO appointment_notes (organisation_uid, appointment_uid, note_encrypted, updated_at)
        VALUES (${organisation_uid}, ${uid}, ${sealed}, to_timestamp(${now}))
        ON CONFLICT (organisation_uid, appointment_uid)
          DO UPDATE SET note_encrypted = excluded.note_encrypted, updated_at = excluded.updated_at`)
      return { note, updated_at: now }
    }, transaction)

    return { find, findForChange, write } as const
  }),
  dependencies: [Appointments.Default]
}) {}
