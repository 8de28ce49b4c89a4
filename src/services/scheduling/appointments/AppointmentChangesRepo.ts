/** What happens to the rows of appointments after they are confirmed. Reading and inserting stand in `AppointmentsRepo`. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { AppointmentUid, OrganisationUid } from "../../../schemas/ids.ts"
import { NotFound } from "../../../schemas/problems.ts"
import { AppointmentsRepo, type StoredAppointment } from "./AppointmentsRepo.ts"

interface Ended {
  readonly organisation_uid: OrganisationUid
  readonly uid: AppointmentUid
  readonly status: "completed" | "no_show"
}

export class AppointmentChangesRepo extends Effect.Service<AppointmentChangesRepo>()(
  "scheduling/AppointmentChangesRepo",
  {
    effect: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const appointments = yield* AppointmentsRepo

      /** The appointment, locked until the transaction ends: what its state is now it stays. */
      const lock = Effect.fn("AppointmentChangesRepo.lock")(function* (
        owner: OrganisationUid,
        uid: AppointmentUid,
        now: number
      ) {
        const [row] = yield* sql<StoredAppointment>`SELECT ${appointments.columns(now)} ${appointments.joined}
          WHERE a.organisation_uid = ${owner} AND a.uid = ${uid} FOR UPDATE OF a`.pipe(Effect.orDie)
        return row === undefined ? yield* new NotFound({ what: "Appointment" }) : row
      })

      const cancel = (owner: OrganisationUid, uid: AppointmentUid, reason: string | null, now: number) =>
        sql`UPDATE appointments SET status = 'cancelled', cancelled_at = to_timestamp(${now}),
            cancellation_reason = ${reason}
          WHERE organisation_uid = ${owner} AND uid = ${uid}`.pipe(Effect.orDie, Effect.asVoid)

      const end = (owner: OrganisationUid, uid: AppointmentUid, status: Ended["status"]) =>
        sql`UPDATE appointments SET status = ${status}
          WHERE organisation_uid = ${owner} AND uid = ${uid}`.pipe(Effect.orDie, Effect.asVoid)

      /** Ends up to `limit` appointments whose join window closed before `now`, passing over those locked elsewhere. */
      const endOverdue = (closedAfterEndSeconds: number, limit: number, now: number) =>
        sql<Ended>`
        UPDATE appointments SET status =
          CASE WHEN meeting_format = 'DIGITAL' AND patient_joined_at IS NULL THEN 'no_show' ELSE 'completed' END
        WHERE (organisation_uid, uid) IN (
          SELECT organisation_uid, uid FROM appointments
          WHERE status = 'confirmed' AND end_date < to_timestamp(${now - closedAfterEndSeconds})
          ORDER BY end_date LIMIT ${limit} FOR UPDATE SKIP LOCKED)
        RETURNING organisation_uid, uid, status`.pipe(Effect.orDie)

      /** Writes down what has lapsed; everybody reads it as expired already. */
      const lapseOverdue = (limit: number, now: number) =>
        sql`
        UPDATE appointments SET status = 'expired'
        WHERE (organisation_uid, uid) IN (
          SELECT organisation_uid, uid FROM appointments
          WHERE status = 'held' AND hold_expires_at <= to_timestamp(${now})
          ORDER BY hold_expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
        RETURNING uid`.pipe(
          Effect.orDie,
          Effect.map((rows) => rows.length)
        )

      /** Notes the first time that each side entered. */
      const recordJoin = (owner: OrganisationUid, uid: AppointmentUid, role: "patient" | "doctor", now: number) => {
        const column = sql(role === "patient" ? "patient_joined_at" : "doctor_joined_at")
        return sql`UPDATE appointments SET ${column} = coalesce(${column}, to_timestamp(${now}))
          WHERE organisation_uid = ${owner} AND uid = ${uid}`.pipe(Effect.orDie, Effect.asVoid)
      }

      /** Whether a newer appointment has replaced this one. */
      const isReplaced = (owner: OrganisationUid, uid: AppointmentUid) =>
        sql`SELECT 1 FROM appointments
          WHERE organisation_uid = ${owner} AND previous_meeting_uid = ${uid} LIMIT 1`.pipe(
          Effect.orDie,
          Effect.map((rows) => rows.length > 0)
        )

      return { lock, cancel, end, endOverdue, lapseOverdue, recordJoin, isReplaced } as const
    }),
    dependencies: [AppointmentsRepo.Default]
  }
) {}
