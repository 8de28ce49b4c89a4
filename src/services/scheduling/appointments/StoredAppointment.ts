/** An appointment as stored, with columns of its type, and its public record. */
import { Schema, Struct } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import {
  type AppointmentTypeUid,
  AppointmentUid,
  BookingSessionUid,
  DoctorUid,
  OrganisationUid,
  type PatientUid,
  ResourceUid,
  type SeriesUid
} from "../../../schemas/ids.ts"
import { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { type MeetingFormat, type MeetingType, RebookingMode } from "../../../schemas/scheduling/AppointmentType.ts"
import { Room } from "../../../schemas/scheduling/place.ts"

/** The public record and the internal columns. */
export const StoredAppointment = Schema.Struct({
  ...Appointment.fields,
  organisation_uid: OrganisationUid,
  /** The first of a chain of replacements: appointments of one group may overlap. */
  slot_group: AppointmentUid,
  /** Doctors taken beside `doctor_uid`. */
  further_doctor_uids: Schema.Array(DoctorUid),
  resource_uids: Schema.Array(ResourceUid),
  /** Of a type with several seats: what the appointments with this doctor at this start have in common. */
  shared_group: Schema.NullOr(Schema.String),
  /** The seat of a group, from 1 on; null for an appointment of one patient. */
  seat: Schema.NullOr(Schema.Number),
  /** The rooms among its resources. */
  rooms: Schema.Array(Room),
  booking_session_uid: Schema.NullOr(BookingSessionUid),
  replaces_appointment_uid: Schema.NullOr(AppointmentUid),
  hold_ttl_seconds: Schema.NullOr(Schema.Number),
  hold_expires_at: Schema.NullOr(UnixSeconds),
  /** Of the window it is booked in, minutes. */
  buffer_minutes: Schema.Number,
  /** A hold that the service makes for the patient: it does not count as theirs. */
  is_offer: Schema.Boolean,
  room_name: Schema.String,
  confirmed_at: Schema.NullOr(UnixSeconds),
  /** Minutes of delay announced by the patient. */
  late_minutes: Schema.NullOr(Schema.Number),
  /** Minutes of delay announced by the doctor. */
  doctor_late_minutes: Schema.NullOr(Schema.Number),
  /** In place of one that an absence or a closed room made impossible. */
  moved_by_practice: Schema.Boolean,
  // The type's terms for changes of the appointment
  type_bookable: Schema.Boolean,
  allow_patient_rebooking: Schema.Boolean,
  rebooking_mode: RebookingMode,
  rebooking_min_notice_minutes: Schema.Number,
  cancellation_min_notice_minutes: Schema.Number
})
export type StoredAppointment = typeof StoredAppointment.Type

/** An appointment to insert. */
export interface NewAppointment {
  readonly organisation_uid: OrganisationUid
  readonly uid: AppointmentUid
  readonly doctor_uid: DoctorUid
  readonly patient_uid: PatientUid
  readonly appointment_type_uid: AppointmentTypeUid
  readonly booking_session_uid: BookingSessionUid | null
  readonly previous_meeting_uid: AppointmentUid | null
  readonly series_uid: SeriesUid | null
  readonly replaces_appointment_uid: AppointmentUid | null
  readonly slot_group: AppointmentUid
  readonly further_doctor_uids: ReadonlyArray<DoctorUid>
  readonly resource_uids: ReadonlyArray<ResourceUid>
  readonly shared_group: string | null
  /** With a `shared_group`: from 1 on. */
  readonly seat: number | null
  /** Of the window it is booked in, minutes. */
  readonly buffer_minutes: number
  /** Booked by explicit choice where nothing was offered (Rule 4.10.3). */
  readonly squeezed_in: boolean
  /** The group of the claim whose time it shares; null: it shares none. */
  readonly squeezed_into: string | null
  readonly status: "held" | "confirmed"
  readonly meeting_type: MeetingType
  readonly meeting_format: MeetingFormat
  readonly visit_reason: string | null
  readonly start_date: UnixSeconds
  readonly end_date: number
  readonly hold_ttl_seconds: number | null
  readonly hold_expires_at: UnixSeconds | null
  /** A hold that the service makes for the patient: it does not count as theirs. */
  readonly is_offer: boolean
  readonly room_name: string
  /** Whether the organisation's limits of a patient apply. API keys are exempt. */
  readonly limited: boolean
}

/** A hold, and the booking session that it must belong to; null: none. */
export interface HeldBy {
  readonly organisation_uid: OrganisationUid
  readonly uid: AppointmentUid
  readonly session_uid: BookingSessionUid | null
}

/** The public record of an appointment (Rule 4.1.1). */
export const publicAppointment: (stored: StoredAppointment) => Appointment = Struct.pick(
  ...Struct.keys(Appointment.fields)
)

/** Limits of a patient that one more hold or appointment would exceed. */
export const Limits = Schema.Struct({
  too_many_holds: Schema.Boolean,
  /** When the first live hold expires; null if there is none. */
  first_expires_at: Schema.NullOr(UnixSeconds),
  too_many_appointments: Schema.Boolean,
  restricted: Schema.Boolean
})
