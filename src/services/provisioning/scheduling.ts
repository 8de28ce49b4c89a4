/** Appointment types, availability and appointments from the file. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { ProvisioningFile } from "../../schemas/provisioning/ProvisioningFile.ts"
import { DomainClock } from "../DomainClock.ts"
import { calendarDate, onConstraint } from "../SqlErrors.ts"
import { roomName } from "../scheduling/joining/rooms.ts"
import { effectiveFrom } from "../scheduling/practice/Reminders.ts"
import { eachEntry, mustFind, reject, rejected } from "./entry.ts"

export const provisionScheduling = Effect.fn("provisioning.scheduling")(function* (file: ProvisioningFile) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Effect.flatMap(DomainClock, (clock) => clock.now)
  const at = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000))

  const ownerOf = (table: "doctors" | "appointment_types", uid: string, path: string) =>
    mustFind(path, sql<{ organisation_uid: string }>`SELECT organisation_uid FROM ${sql(table)} WHERE uid = ${uid}`)

  yield* eachEntry("appointment_types", file.appointment_types, (type, path) =>
    Effect.gen(function* () {
      const foreign = yield* sql`SELECT 1 FROM appointment_types
        WHERE uid = ${type.uid} AND organisation_uid <> ${type.organisation_uid} LIMIT 1`
      if (foreign.length > 0) return yield* reject(`${path}.uid`, "belongs to another organisation")
      const { uid: _uid, organisation_uid: _owner, ...fields } = type
      yield* sql`INSERT INTO appointment_types ${sql.insert({ ...type, created_at: at(now), updated_at: at(now) })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE
        SET ${sql.update({ ...fields, updated_at: at(now) })}, deleted_at = NULL`
    })
  )

  yield* eachEntry("reminders", file.reminders, (reminder, path) =>
    Effect.gen(function* () {
      const { organisation_uid } = yield* ownerOf(
        "appointment_types",
        reminder.appointment_type_uid,
        `${path}.appointment_type_uid`
      )
      const { uid: _uid, ...fields } = reminder
      yield* sql`INSERT INTO reminders
          ${sql.insert({ organisation_uid, ...reminder, created_at: at(now), effective_from: at(now) })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(fields)}, deleted_at = NULL,
          effective_from = ${effectiveFrom(sql, reminder, now)}`
    })
  )

  yield* eachEntry("availability_rules", file.availability_rules, (rule, path) =>
    Effect.gen(function* () {
      const { organisation_uid } = yield* ownerOf("doctors", rule.doctor_uid, `${path}.doctor_uid`)
      const { uid, ...rest } = rule
      const fields = { ...rest, valid_from: at(rule.valid_from), valid_until: at(rule.valid_until) }
      yield* sql`INSERT INTO availability_rules ${sql.insert({ organisation_uid, uid, ...fields, created_at: at(now) })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(fields)}, deleted_at = NULL`
    })
  )

  yield* eachEntry("availability_date_overrides", file.availability_date_overrides, (override, path) =>
    Effect.gen(function* () {
      const { organisation_uid } = yield* ownerOf("doctors", override.doctor_uid, `${path}.doctor_uid`)
      const { uid, day_off: _told, ...rest } = override
      const fields = { ...rest, date: calendarDate(override.date) }
      yield* sql`INSERT INTO availability_date_overrides
        ${sql.insert({ organisation_uid, uid, ...fields, created_at: at(now) })}
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET ${sql.update(fields)}, deleted_at = NULL`
    })
  )

  yield* eachEntry("doctor_appointment_type_settings", file.doctor_appointment_type_settings, (setting, path) =>
    Effect.gen(function* () {
      const { organisation_uid } = yield* ownerOf("doctors", setting.doctor_uid, `${path}.doctor_uid`)
      yield* sql`INSERT INTO doctor_appointment_type_settings ${sql.insert({ organisation_uid, ...setting })}
        ON CONFLICT (organisation_uid, doctor_uid, appointment_type_uid) DO UPDATE
        SET active = excluded.active, booking_min_notice_minutes = excluded.booking_min_notice_minutes`
    })
  )

  // An appointment that is there already lives its own life: the same file at the next start must not undo it.
  yield* eachEntry("appointments", file.appointments, (appointment, path) =>
    Effect.gen(function* () {
      const { uid, organisation_uid, doctor_uid, status } = appointment
      const [type] = yield* sql<{ hold_ttl_seconds: number; room_strategy: string; meeting_type: string }>`
        SELECT hold_ttl_seconds, room_strategy, meeting_type FROM appointment_types
        WHERE organisation_uid = ${organisation_uid} AND uid = ${appointment.appointment_type_uid}`
      const ttl = type?.hold_ttl_seconds ?? 600
      const fields = {
        doctor_uid,
        patient_uid: appointment.patient_uid,
        appointment_type_uid: appointment.appointment_type_uid,
        status,
        visit_reason: appointment.visit_reason,
        meeting_type: appointment.meeting_type ?? type?.meeting_type ?? "CONSULTATION",
        meeting_format: appointment.meeting_format,
        start_date: at(appointment.start_date),
        end_date: at(appointment.end_date),
        hold_ttl_seconds: status === "held" ? ttl : null,
        hold_expires_at: status === "held" ? at(now + ttl) : null,
        confirmed_at: status === "held" || status === "expired" ? null : at(Math.min(now, appointment.start_date)),
        cancelled_at: status === "cancelled" ? at(now) : null
      }
      const room_name = yield* roomName(type?.room_strategy ?? "per_appointment", organisation_uid, doctor_uid)
      yield* sql`INSERT INTO appointments
        ${sql.insert({ organisation_uid, uid, ...fields, slot_group: uid, room_name, created_at: at(now) })}
        ON CONFLICT (organisation_uid, uid) DO NOTHING`.pipe(
        onConstraint("appointments_no_overlap", () =>
          rejected(
            `${path}.start_date`,
            "overlaps another held or confirmed appointment of the same doctor: move one, or give it another status"
          )
        )
      )
    })
  )
})
