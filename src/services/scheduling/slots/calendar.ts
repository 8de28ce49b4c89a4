/**
 * Input of the slot core: plain records with the field names of the resources (Rules 3.2.1 and 3.3.1), so that rows need no mapping. The
 * caller leaves out inactive and deleted records.
 */
import type { Busy } from "./busy.ts"

/** A weekly window on the doctor's wall clock. Times are minutes from midnight; validity is in Unix seconds. */
export interface Rule {
  /** 0 = Monday … 6 = Sunday */
  readonly weekday: number
  readonly start_time: number
  readonly end_time: number
  readonly buffer_minutes: number
  readonly valid_from: number | null
  readonly valid_until: number | null
  readonly appointment_type_uid: string | null
}

/** A window that replaces the weekly rules on one calendar date, or a day off where both times are null. */
export interface DateOverride {
  /** UTC midnight of the calendar date; it means that date on the doctor's wall calendar. */
  readonly date: number
  readonly start_time: number | null
  readonly end_time: number | null
  readonly buffer_minutes: number
  readonly appointment_type_uid: string | null
}

export interface DoctorCalendar {
  readonly doctor_uid: string
  readonly doctor_name: string
  /** IANA name of the zone of rules and overrides. */
  readonly timezone: string
  /** Effective booking notice: the doctor's own if set (0 included), else the type's. */
  readonly notice_minutes: number
  readonly rules: ReadonlyArray<Rule>
  readonly overrides: ReadonlyArray<DateOverride>
  /** Times of held (not expired) and confirmed appointments, of any type. */
  readonly busy: Busy
}

export interface BookableType {
  readonly uid: string
  readonly duration_minutes: number
}

/** Requested starts: `[from, to)`, and not before `now` plus the notice. Unix seconds. */
export interface Range {
  readonly from: number
  readonly to: number
  readonly now: number
}
