import { expect, test } from "bun:test"
import { activeWeeks, sumOf } from "../../../src/capabilities/statistics/pages/weeks.ts"
import { UnixSeconds } from "../../../src/schemas/fields.ts"
import { DoctorUid } from "../../../src/schemas/ids.ts"

const row = (week: number, doctor: string, booked: number) => ({
  doctor_uid: DoctorUid.make(doctor),
  doctor_display_name: doctor,
  week_starts_at: UnixSeconds.make(week * 604_800),
  booked,
  completed: booked,
  cancelled: 0,
  no_show: 0,
  lead_time_seconds: null,
  booked_minutes: booked * 20,
  offered_minutes: 400,
  utilisation_percent: booked * 5,
  waitlist_offers: 0,
  refilled_appointments: 0,
  refilled_minutes: 0
})

test("the sums by week and by doctor count the same weeks: those with appointments of the practice", () => {
  const rows = [row(1, "a", 0), row(1, "b", 0), row(2, "a", 16), row(2, "b", 0), row(3, "a", 8), row(3, "b", 4)]
  const active = activeWeeks(rows)
  const sums = (of: "doctor_uid" | "week_starts_at") =>
    [...Map.groupBy(active, (one) => one[of]).values()].map((own) => sumOf(own).utilisation)
  expect(sums("week_starts_at")).toEqual([0.4, 0.3])
  expect(sums("doctor_uid")).toEqual([0.6, 0.1])
  expect(sumOf(active).utilisation).toBeCloseTo(0.35)
  // with the empty week it would be a third less
  expect(sumOf(rows).utilisation).toBeLessThan(0.24)
})
