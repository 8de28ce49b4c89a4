/** The content of a message about an appointment, as plain data. */
import type { Branding } from "../../schemas/access/Branding.ts"
import type { MessageText } from "../../schemas/notifications/MessageText.ts"
import type { AppointmentNoticeKind } from "../../schemas/notifications/notices.ts"
import { placeIn, type Room } from "../../schemas/scheduling/place.ts"
import { catalogue } from "../../texts/catalogue.ts"
import type { Addressee } from "./Recipients.ts"

export type Recipient = Omit<Addressee, "uid" | "email" | "phone">

/** What a move changed, and whether the practice made it since the appointment could not take place. */
export interface Previous {
  readonly start_date: number
  readonly doctor_display_name: string
  readonly meeting_format: string
  readonly rooms: ReadonlyArray<Room>
  readonly by_practice: boolean
}

export interface AppointmentNotice {
  readonly kind: AppointmentNoticeKind
  readonly recipient: Recipient
  readonly organisation_name: string
  /** The practice's own texts of messages to patients. */
  readonly message_texts: ReadonlyArray<MessageText>
  /** The practice's branding in messages; `logo` is the name of an image. */
  readonly branding: Branding
  readonly appointment: {
    /** Identifies the calendar entry: the first appointment of a chain of replacements. */
    readonly first_uid: string
    /** Number of moves since. */
    readonly moves: number
    readonly start_date: number
    readonly end_date: number
    readonly doctor_display_name: string
    readonly patient_display_name: string
    readonly appointment_type_name: string | null
    readonly meeting_format: string
    readonly visit_reason: string | null
    readonly cancellation_reason: string | null
    /** Announced by the doctor. */
    readonly doctor_late_minutes?: number | null
    readonly rooms: ReadonlyArray<Room>
    /** The type's preparation notes for patients. */
    readonly preparation: string | null
  }
  /** Of a rebooking: the replaced appointment. */
  readonly previous?: Previous
  /** If false, the reason for the visit, which is health data, is left out of mails, text messages and calendars. */
  readonly visit_reason_in_messages: boolean
  /** Further entries, for patients only. */
  readonly entries?: ReadonlyArray<readonly [label: string, text: string]>
  /** Action links, for patients only. */
  readonly links: { readonly join?: string; readonly rebook?: string; readonly cancel?: string }
}

/** The reason for the visit if messages may contain it. */
export const shownReason = (notice: AppointmentNotice): string | null =>
  notice.visit_reason_in_messages ? notice.appointment.visit_reason : null

/** The location: by video, or the rooms and the practice's address. */
export const placeOf = (
  { appointment, branding, recipient }: AppointmentNotice,
  { meeting_format, rooms }: Pick<Previous, "meeting_format" | "rooms"> = appointment
): string => {
  const texts = catalogue[recipient.language].messages
  return meeting_format === "DIGITAL" ? texts.video : (placeIn(rooms, branding.address) ?? texts.onSite)
}

/** Patients are told that they see another doctor. */
export const isOtherDoctor = ({ recipient, appointment, previous }: AppointmentNotice): boolean =>
  recipient.role === "patient" &&
  previous !== undefined &&
  previous.doctor_display_name !== appointment.doctor_display_name

/** The person whom the recipient meets. */
export const counterpart = ({ recipient, appointment }: AppointmentNotice): string => {
  if (recipient.role === "patient") return appointment.doctor_display_name
  if (recipient.role === "doctor") return appointment.patient_display_name
  return `${appointment.doctor_display_name} / ${appointment.patient_display_name}`
}
