/** Previews which appointments a change of an organisation's holidays hits. Read-only (Rule 3.11.5). */
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentUid, DoctorUid, type OrganisationUid } from "../../../schemas/ids.ts"
import { holidayFields } from "../../../schemas/scheduling/Holiday.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { ANSWER_LIMITS } from "../../../services/recordLimits.ts"
import { Service } from "../../../services/Service.ts"
import { publicAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import { holidayName } from "../../../services/scheduling/calendar/closedDays.ts"
import { spanAt, zoneOf } from "../../../services/scheduling/slots/zones.ts"
import type { OrganisationChanges } from "../../shared/schemas/Organisation.ts"
import { Organisations } from "../../shared/services/Organisations.ts"

const Ahead = Schema.Struct({
  uid: AppointmentUid,
  doctor_uid: DoctorUid,
  timezone: Schema.String,
  start_date: UnixSeconds,
  ...holidayFields
})

export class HolidayPreviews extends Service<HolidayPreviews>()("scheduling/HolidayPreviews", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const organisations = yield* Organisations
    const appointments = yield* BookingRepo
    const rows = rowsOf(Ahead)

    /**
     * The confirmed appointments ahead that would be on a holiday and are not today. Types that are offered on holidays, and dates with an
     * override of the doctor, are not hit. Fails with `OrganisationNotFound`.
     */
    const preview = Effect.fn("HolidayPreviews.preview")(function* (
      owner: OrganisationUid,
      changes: Pick<OrganisationChanges, "holiday_region" | "extra_holidays">
    ) {
      const before = yield* organisations.find(owner)
      const after = { ...before, ...changes }
      const now = yield* clock.now
      const ahead =
        yield* rows.all(sql`SELECT a.uid, a.doctor_uid, d.timezone, a.start_date, d.holiday_region, d.extra_holidays
        FROM appointments a
        JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = a.doctor_uid
        JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = a.appointment_type_uid AND t.closed_on_holidays
        WHERE a.organisation_uid = ${owner} AND a.status = 'confirmed' AND a.start_date > to_timestamp(${now})
          AND NOT EXISTS (SELECT FROM availability_date_overrides o
            WHERE o.organisation_uid = ${owner} AND o.doctor_uid = a.doctor_uid AND o.deleted_at IS NULL
              AND o.date = (a.start_date AT TIME ZONE d.timezone)::date
              AND (o.appointment_type_uid IS NULL OR o.appointment_type_uid = a.appointment_type_uid))
        ORDER BY a.start_date, a.uid COLLATE "C"`)
      const hit = ahead.filter(({ start_date, timezone, ...doctor }) => {
        const day = Math.floor((start_date + spanAt(zoneOf(timezone), start_date).offset) / DAY)
        return holidayName(before, doctor)(day) === undefined && holidayName(after, doctor)(day) !== undefined
      })
      const uids = hit.slice(0, ANSWER_LIMITS.previewedAppointments).map(({ uid }) => uid)
      const found = new Map((yield* appointments.all(owner, uids, now)).map((one) => [one.uid, publicAppointment(one)]))
      return { appointments: uids.flatMap((uid) => found.get(uid) ?? []), count: hit.length }
    })
    return { preview } as const
  }),
  dependencies: [Organisations.Default, BookingRepo.Default]
}) {}
