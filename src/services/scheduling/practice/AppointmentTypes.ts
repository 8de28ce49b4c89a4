/** What an organisation lets people book (specification §2.2, §4.1). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { AppointmentTypeUid, type OrganisationUid } from "../../../schemas/ids.ts"
import { NotFound } from "../../../schemas/problems.ts"
import type {
  AppointmentType,
  AppointmentTypeChanges,
  NewAppointmentType,
  PublicAppointmentType
} from "../../../schemas/scheduling/AppointmentType.ts"
import { DomainClock } from "../../DomainClock.ts"
import { newUid } from "../../uid.ts"

const notFound = new NotFound({ what: "Appointment type" })

export class AppointmentTypes extends Effect.Service<AppointmentTypes>()("scheduling/AppointmentTypes", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock

    const columns = sql`uid, organisation_uid, name, meeting_type, duration_minutes, hold_ttl_seconds,
      booking_min_notice_minutes, cancellation_min_notice_minutes, rebooking_min_notice_minutes, room_strategy,
      rebooking_mode, doctor_assignment_mode, allow_patient_rebooking, active, created_at, updated_at`

    /** Every type that is not deleted, by name. */
    const list = Effect.fn("AppointmentTypes.list")((owner: OrganisationUid) =>
      sql<AppointmentType>`SELECT ${columns} FROM appointment_types
        WHERE organisation_uid = ${owner} AND deleted_at IS NULL ORDER BY name, uid`.pipe(Effect.orDie)
    )

    /** What patients of a shop can choose from: active types. */
    const listPublic = Effect.fn("AppointmentTypes.listPublic")((owner: OrganisationUid) =>
      sql<PublicAppointmentType>`SELECT uid, name, duration_minutes, hold_ttl_seconds, booking_min_notice_minutes,
          doctor_assignment_mode, allow_patient_rebooking, rebooking_mode
        FROM appointment_types
        WHERE organisation_uid = ${owner} AND active AND deleted_at IS NULL ORDER BY name, uid`.pipe(Effect.orDie)
    )

    const create = Effect.fn("AppointmentTypes.create")(function* (owner: OrganisationUid, type: NewAppointmentType) {
      const now = yield* clock.now
      const row = { ...type, organisation_uid: owner, uid: yield* newUid(AppointmentTypeUid) }
      const [created] = yield* sql<AppointmentType>`
        INSERT INTO appointment_types ${sql.insert({ ...row, created_at: new Date(now * 1000), updated_at: new Date(now * 1000) })}
        RETURNING ${columns}`.pipe(Effect.orDie)
      return created ?? (yield* Effect.dieMessage("an insert returns its row"))
    })

    /** Changes what is sent, in one statement: two updates of different fields both hold. */
    const update = Effect.fn("AppointmentTypes.update")(function* (
      owner: OrganisationUid,
      uid: AppointmentTypeUid,
      changes: AppointmentTypeChanges
    ) {
      const now = yield* clock.now
      const [updated] = yield* sql<AppointmentType>`
        UPDATE appointment_types SET ${sql.update({ ...changes, updated_at: new Date(now * 1000) })}
        WHERE organisation_uid = ${owner} AND uid = ${uid} AND deleted_at IS NULL RETURNING ${columns}`.pipe(
        Effect.orDie
      )
      return updated ?? (yield* notFound)
    })

    /** Takes the type out of every list; appointments of it keep its name. */
    const remove = Effect.fn("AppointmentTypes.remove")(function* (owner: OrganisationUid, uid: AppointmentTypeUid) {
      const now = yield* clock.now
      const removed = yield* sql`UPDATE appointment_types SET deleted_at = to_timestamp(${now})
        WHERE organisation_uid = ${owner} AND uid = ${uid} AND deleted_at IS NULL RETURNING uid`.pipe(Effect.orDie)
      if (removed.length === 0) return yield* notFound
    })

    /** 404 unless the type is the organisation's and not deleted; null, which stands for all types, always is. */
    const ensure = Effect.fn("AppointmentTypes.ensure")(function* (
      owner: OrganisationUid,
      uid: AppointmentTypeUid | null | undefined
    ) {
      if (uid === null || uid === undefined) return
      const found = yield* sql`SELECT 1 FROM appointment_types
        WHERE organisation_uid = ${owner} AND uid = ${uid} AND deleted_at IS NULL`.pipe(Effect.orDie)
      if (found.length === 0) return yield* notFound
    })
    return { list, listPublic, create, update, remove, ensure } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
