/** The content of a message about an appointment, as plain data. */
import { Schema } from "effect"
import type { Branding } from "../../schemas/access/Branding.ts"
import type { Recipient as EventRecipient } from "../../schemas/events/catalogue.ts"
import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"

export const NoticeKind = Schema.Literal("reminder", "confirmation", "cancellation", "rebooking")
export type NoticeKind = typeof NoticeKind.Type

export interface Recipient {
  readonly role: EventRecipient["role"]
  readonly display_name: string
  /** The zone in which times are shown. */
  readonly timezone: string
  /** The zone in which a patient chose the time, shown beside the other one. */
  readonly chosen_timezone?: string
  readonly language: Language
}

export interface AppointmentNotice {
  readonly kind: NoticeKind
  readonly recipient: Recipient
  readonly organisation_name: string
  /** What messages show of the practice; `logo` is the name of an image. */
  readonly branding: Branding
  readonly appointment: {
    /** Names the entry in calendars: the first of the appointments that replaced one another. */
    readonly first_uid: string
    /** How often it was moved since. */
    readonly moves: number
    readonly start_date: number
    readonly end_date: number
    readonly doctor_display_name: string
    readonly patient_display_name: string
    readonly appointment_type_name: string | null
    readonly meeting_format: string
    readonly visit_reason: string | null
    /** How patients prepare for the type. */
    readonly preparation: string | null
  }
  /** Of a rebooking: the start of the appointment before. */
  readonly previous_start_date?: number
  /** False keeps the reason of the visit, which is about health, out of mails, texts and calendars. */
  readonly visit_reason_in_messages: boolean
  /** Addresses to act by, for patients only. */
  readonly links: { readonly join?: string; readonly rebook?: string; readonly cancel?: string }
}

/** The reason of the visit where messages may contain it. */
export const shownReason = (notice: AppointmentNotice): string | null =>
  notice.visit_reason_in_messages ? notice.appointment.visit_reason : null

/** Where it takes place: by video, or at the practice's address. */
export const placeOf = ({ appointment, branding, recipient }: AppointmentNotice): string => {
  const texts = catalogue[recipient.language].messages
  return appointment.meeting_format === "DIGITAL" ? texts.video : (branding.address ?? texts.onSite)
}

/** Whom the recipient meets. */
export const counterpart = ({ recipient, appointment }: AppointmentNotice): string => {
  if (recipient.role === "patient") return appointment.doctor_display_name
  if (recipient.role === "doctor") return appointment.patient_display_name
  return `${appointment.doctor_display_name} / ${appointment.patient_display_name}`
}
