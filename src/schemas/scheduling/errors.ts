/** Errors of scheduling. */
import { DomainError, NotFoundError } from "../DomainError.ts"
import { AppointmentStatus, type AppointmentTrigger, transition } from "./AppointmentStates.ts"

export class AppointmentNotFound extends NotFoundError("AppointmentNotFound", "Appointment") {}
export class AppointmentTypeNotFound extends NotFoundError("AppointmentTypeNotFound", "Appointment type") {}
export class BookableTypeNotFound extends NotFoundError("BookableTypeNotFound", "Bookable appointment type") {}
export class ReminderNotFound extends NotFoundError("ReminderNotFound", "Reminder") {}
export class AvailabilityRuleNotFound extends NotFoundError("AvailabilityRuleNotFound", "Availability rule") {}
export class DateOverrideNotFound extends NotFoundError("DateOverrideNotFound", "Date override") {}
export class DoctorNotFound extends NotFoundError("DoctorNotFound", "Doctor") {}
export class ResourceNotFound extends NotFoundError("ResourceNotFound", "Resource") {}
export class DoctorSettingNotFound extends NotFoundError("DoctorSettingNotFound", "Doctor-specific setting") {}
export class BookingSessionNotFound extends NotFoundError("BookingSessionNotFound", "Booking session") {}
export class HoldNotFound extends NotFoundError("HoldNotFound", "Hold") {}
export class ActionLinkNotFound extends NotFoundError("ActionLinkNotFound", "Appointment link") {}

/** The field of a request that names the start of the slot. */
export type StartField = "start_date" | "new_start_date"

/** The start is outside of availability, off the grid, within the booking notice, or the doctor does not offer the type. */
export class SlotNotOffered extends DomainError(
  "SlotNotOffered",
  "The start is not a slot that this doctor offers for this appointment type"
)<{ readonly field: StartField }> {
  override get message() {
    return `${this.field}: is not a slot that this doctor offers for this appointment type`
  }
}

export class SlotTaken extends DomainError(
  "SlotTaken",
  "Somebody else has taken this slot: search again and choose another"
) {}

export class PatientRestricted extends DomainError(
  "PatientRestricted",
  "The patient's data is stored only and not used, so that nothing is booked; lift the restriction first"
) {
  override get message() {
    return `patient: ${PatientRestricted.meaning}`
  }
}

/** `retry_after_seconds`: until the first of the live holds expires. */
export class TooManyHolds extends DomainError(
  "TooManyHolds",
  "The patient has as many live holds as the organisation allows: confirm or cancel one, or wait for `Retry-After`"
)<{ readonly retry_after_seconds: number }> {}

export class TooManyAppointments extends DomainError(
  "TooManyAppointments",
  "The patient has as many future appointments as the organisation allows"
)<{ readonly field: StartField }> {
  override get message() {
    return `${this.field}: ${TooManyAppointments.meaning}`
  }
}

export class HoldNotConfirmable extends DomainError(
  "HoldNotConfirmable",
  "The hold was cancelled, or has gone on, or the appointment to be moved has; `error` says what: search again and hold a new slot"
)<{ readonly reason: AppointmentStatus | "over"; readonly subject?: "This hold" | "The appointment to be moved" }> {
  override get message() {
    return `${this.subject ?? "This hold"} is ${this.reason}: search again and hold a new slot`
  }
}

export class AppointmentNotConfirmed extends DomainError(
  "AppointmentNotConfirmed",
  "Only a confirmed appointment can be moved; `error` says what this one is"
)<{ readonly reason: AppointmentStatus }> {
  override get message() {
    return `Only a confirmed appointment can be moved; this one is ${this.reason}`
  }
}

export class ActionNotPossible extends DomainError(
  "ActionNotPossible",
  "What this link is for is not possible any more; `error` says which rule is against it"
)<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** Something that the patient is to do before the visit is missing. */
export class PreparationMissing extends DomainError(
  "PreparationMissing",
  "The patient has not answered yet what is needed before the visit"
) {
  static readonly code = "intake_missing"
}

export class ReminderExists extends DomainError(
  "ReminderExists",
  "This role has a reminder of the same minutes_before already: change that one, or choose another time"
) {}

export class AppointmentNotStarted extends DomainError(
  "AppointmentNotStarted",
  "The appointment has not started yet"
) {}

export class ReopeningTooLate extends DomainError(
  "ReopeningTooLate",
  "The appointment was completed or missed more than ten minutes ago, or its join window is closed: that stays"
) {}

export class DoctorHasAppointments extends DomainError(
  "DoctorHasAppointments",
  "The doctor has appointments or holds that have not ended: cancel or move them first"
) {}

/** A rule of the type forbids the patient to move the appointment; `field` names the rule. */
export class RebookingBlocked extends DomainError("RebookingBlocked", "The type does not let patients move it now")<{
  readonly field: "allow_patient_rebooking" | "rebooking_min_notice_minutes"
  readonly reason: string
}> {
  override get message() {
    return `${this.field}: ${this.reason}`
  }
}

export class CancellationTooLate extends DomainError(
  "CancellationTooLate",
  "cancellation_min_notice_minutes: the appointment starts too soon to be cancelled"
) {}

export class AppointmentHeld extends DomainError("AppointmentHeld", "The appointment is held, not confirmed") {}
export class AppointmentCancelled extends DomainError("AppointmentCancelled", "The appointment is cancelled") {}
export class AppointmentExpired extends DomainError("AppointmentExpired", "The appointment is expired") {}
export class AppointmentCompleted extends DomainError("AppointmentCompleted", "The appointment is completed") {}
export class AppointmentNoShow extends DomainError("AppointmentNoShow", "The appointment is no-show") {}

/** The errors of the statuses that refuse a transition; `confirmed` refuses none. */
export const refusals = {
  held: AppointmentHeld,
  cancelled: AppointmentCancelled,
  expired: AppointmentExpired,
  completed: AppointmentCompleted,
  no_show: AppointmentNoShow
} as const

/** The errors with which this transition can be refused. */
export const refusalsOf = (trigger: AppointmentTrigger) =>
  AppointmentStatus.literals.flatMap((status) =>
    status === "confirmed" || transition(status, trigger) !== "refused" ? [] : [refusals[status]]
  )

/** The errors with which a hold or a booking is refused for its time or its patient. */
export const bookingRefusals = [SlotTaken, PatientRestricted, TooManyHolds, TooManyAppointments] as const

/** The errors of a rebooking, which replaces a confirmed appointment. */
export const rebookingRefusals = [AppointmentNotFound, AppointmentNotConfirmed, RebookingBlocked] as const
