/**
 * Advisory locks that serialise bookings until the transaction ends. One order for all: the doctors, further doctors, resources and types
 * that a booking can take, sorted by name, and then the patient.
 */
import { Effect, Schema } from "effect"
import type {
  AppointmentTypeUid,
  AppointmentUid,
  DoctorUid,
  OrganisationUid,
  PatientUid,
  ResourceUid
} from "../../../schemas/ids.ts"
import { withGenericPlan } from "../../database/Database.ts"
import { rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"

/** What a booking can take. */
export interface Lockable {
  readonly doctor_uids: ReadonlyArray<DoctorUid>
  readonly resource_uids?: ReadonlyArray<ResourceUid>
  /** Types: all units that meet their requirements; and themselves, if the organisation limits them. */
  readonly appointment_type_uids?: ReadonlyArray<AppointmentTypeUid>
  /** Appointments that are confirmed or replaced: all that they take, and likewise their types. */
  readonly appointment_uids?: ReadonlyArray<AppointmentUid>
}

export class BookingLocks extends Effect.Service<BookingLocks>()("scheduling/BookingLocks", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const locks = rowsOf(Schema.Struct({ locked: Schema.Boolean }))

    /**
     * Locks; a statement of its own, so that the next one sees what the previous holder committed. If the booking can take only one
     * doctor, whose lock another transaction holds, returns false without waiting, unless `waits`. A unit that is added to the type
     * concurrently is not locked: then the exclusion constraint decides. "never" waits for nothing, however many there are.
     */
    const lock = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      { doctor_uids, resource_uids = [], appointment_type_uids = [], appointment_uids = [] }: Lockable,
      patient: PatientUid | null,
      waits: boolean | "never"
    ) {
      const uids = [...appointment_uids]
      const subjects = [...doctor_uids, ...resource_uids]
      const key = (name: string) => sql.literal(`hashtextextended(${name}, 0)`)
      const thePatient =
        patient === null
          ? sql`true`
          : sql`pg_advisory_xact_lock(hashtextextended(${`${owner}/patient/${patient}`}, 0)) IS NOT NULL`
      const { locked } = yield* withGenericPlan(
        locks.one(sql`WITH types AS (
          SELECT t.uid, t.requirements, t.limits FROM appointment_types t WHERE t.organisation_uid = ${owner}
            AND t.uid = ANY (${[...appointment_type_uids]} || ARRAY(
              SELECT a.appointment_type_uid FROM appointments a WHERE a.organisation_uid = ${owner} AND a.uid = ANY (${uids})))),
        needed AS MATERIALIZED (SELECT ARRAY(
          SELECT DISTINCT ${owner}::text || '/' || name COLLATE "C" AS name FROM (
            SELECT unnest(${subjects}::text[]) AS name
            UNION ALL SELECT unnest(a.doctor_uid || a.further_doctor_uids || a.resource_uids) FROM appointments a
              WHERE a.organisation_uid = ${owner} AND a.uid = ANY (${uids})
            UNION ALL SELECT jsonb_array_elements_text(coalesce(one -> 'resource_uids', one -> 'doctor_uids'))
              FROM types, jsonb_array_elements(types.requirements) one
            UNION ALL SELECT 'type/' || uid FROM types WHERE limits @> '[{"scope": "organisation"}]') subjects
          ORDER BY name) AS names)
        SELECT CASE
          WHEN ${waits === "never"} THEN
            (SELECT coalesce(bool_and(pg_try_advisory_xact_lock(${key("name")})), true) FROM unnest(names) name)
          WHEN ${waits === true} OR cardinality(names) > 1 THEN
            -- in this order: rows of unnest are returned in the order of the array
            CASE WHEN (SELECT count(pg_advisory_xact_lock(${key("name")})) FROM unnest(names) name) > 0
              THEN ${thePatient} ELSE false END
          ELSE CASE WHEN pg_try_advisory_xact_lock(${key("names[1]")}) THEN ${thePatient} ELSE false END
        END AS locked FROM needed`)
      )
      return locked
    })

    /** Waits for the locks of these doctors. */
    const lockDoctors = (owner: OrganisationUid, doctor_uids: ReadonlyArray<DoctorUid>) =>
      Effect.asVoid(lock(owner, { doctor_uids }, null, true))

    return { lock, lockDoctors } as const
  })
}) {}
