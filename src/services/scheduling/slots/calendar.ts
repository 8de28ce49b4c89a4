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

/** The hours of a doctor or a resource. */
export interface Hours {
  /** IANA name of the zone of rules and overrides. */
  readonly timezone: string
  readonly rules: ReadonlyArray<Rule>
  readonly overrides: ReadonlyArray<DateOverride>
  /** Holidays, in days since 1970-01-01: weekly rules do not count on them, overrides do. */
  readonly closed?: ReadonlySet<number>
}

const always: ReadonlyArray<Rule> = Array.from({ length: 7 }, (_, weekday) => ({
  weekday,
  start_time: 0,
  end_time: 1_440,
  buffer_minutes: 0,
  valid_from: null,
  valid_until: null,
  appointment_type_uid: null
}))

/** The hours of a resource; one that is always available has overrides alone. null: it is open at all times. Rule 18.1.3. */
export const hoursOfResource = (isAlways: boolean, hours: Hours): Hours | null =>
  isAlways ? (hours.overrides.length === 0 ? null : { ...hours, rules: always }) : hours

/** A doctor's time taken by an appointment with buffers, or by a group of the type that is searched. Seconds. */
export interface Neighbour {
  readonly start: number
  readonly end: number
  /** The type's. */
  readonly before: number
  readonly after: number
  /** Of the window it was booked in. */
  readonly buffer: number
}

/** Appointments of different patients that share a start. */
export interface Group {
  readonly end: number
  /** The numbers of the seats that are taken, from 1 on. */
  readonly taken: ReadonlyArray<number>
  /** What the group takes beside its doctor. */
  readonly resource_uids: ReadonlyArray<string>
  readonly further_doctor_uids: ReadonlyArray<string>
}

/** At most `max` appointments that start in a period. */
export interface Limit {
  readonly per: "day" | "week" | "month"
  readonly max: number
  /** Of a type: the appointments of each doctor (default) or of all. */
  readonly scope?: "doctor" | "organisation"
}

/** Starts of appointments that count for limits. */
export interface Counted {
  readonly all: ReadonlyArray<number>
  readonly ofType: ReadonlyArray<number>
}

export interface DoctorCalendar extends Hours {
  readonly doctor_uid: string
  readonly doctor_name: string
  /** Effective booking notice: the doctor's own if set (0 included), else the type's. */
  readonly notice_minutes: number
  /** Times of held (not expired) and confirmed appointments, of any type. */
  readonly busy: Busy
  /** Times taken by something else than appointments, without buffers. They do not count for the confirmation of a hold. */
  readonly away?: Busy
  /** By start. */
  readonly neighbours?: ReadonlyArray<Neighbour>
  /** Groups of the type, by start. */
  readonly groups?: ReadonlyMap<number, Group>
  readonly limits?: ReadonlyArray<Limit>
  readonly counted?: Counted
}

/** `count` of the resources, or of the further doctors. */
export interface Needed {
  readonly resource_uids?: ReadonlyArray<string>
  readonly doctor_uids?: ReadonlyArray<string>
  readonly count: number
}

export interface BookableType {
  readonly uid: string
  readonly duration_minutes: number
  readonly buffer_before_minutes?: number
  readonly buffer_after_minutes?: number
  /** Null: the grid of the duration and the rule's buffer. */
  readonly slot_step_minutes?: number | null
  readonly seats?: number
  readonly requirements?: ReadonlyArray<Needed>
  readonly limits?: ReadonlyArray<Limit>
}

/** A resource or a further doctor that a requirement can take. */
export interface Unit {
  readonly kind: "resource" | "doctor"
  readonly uid: string
  /** Null: always open. */
  readonly hours: Hours | null
  /** Times taken, by start. */
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
  /** Of a further doctor: the times around own appointments that buffers close. */
  readonly gaps?: Busy
}

/** What the predicate knows beside the doctors' own calendars. */
export interface Surroundings {
  /** The organisation's zone, in which a unit's appointments of a day and the organisation's limits are counted. */
  readonly timezone: string
  readonly units: ReadonlyArray<Unit>
  /** Starts of all the type's appointments; empty if no limit of the organisation needs them. */
  readonly counted: ReadonlyArray<number>
}

/** Requested starts: `[from, to)`, and not before `now` plus the notice. Unix seconds. */
export interface Range {
  readonly from: number
  readonly to: number
  readonly now: number
}
