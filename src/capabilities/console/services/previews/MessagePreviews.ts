/** Previews of messages, with made-up facts. Rules 7.8.3 and 7.8.5. */
import { Effect } from "effect"
import { Settings } from "../../../../config.ts"
import type { OrganisationUid } from "../../../../schemas/ids.ts"
import type { MessageText } from "../../../../schemas/notifications/MessageText.ts"
import { type AppointmentNoticeKind, isAboutAppointment } from "../../../../schemas/notifications/notices.ts"
import { DAY, HOUR, MINUTE } from "../../../../schemas/seconds.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import type { AppointmentNotice } from "../../../../services/notifications/AppointmentNotice.ts"
import { MailTemplate } from "../../../../services/notifications/MailTemplate.ts"
import { mailOf, recordMailOf } from "../../../../services/notifications/mail.ts"
import { NoticeSource } from "../../../../services/notifications/NoticeSource.ts"
import { type Addressee, Recipients, type Sender } from "../../../../services/notifications/Recipients.ts"
import { smsOf } from "../../../../services/notifications/sms.ts"
import { wordingOf } from "../../../../services/notifications/wording.ts"
import { Service } from "../../../../services/Service.ts"
import type { MessagePreviewQuery } from "../../schemas/MessagePreview.ts"

/** Data of the fictitious appointment. */
export interface Sample {
  readonly type: { readonly name: string; readonly duration_minutes: number; readonly preparation: string | null }
  readonly doctor_display_name: string
  readonly timezone: string
}

const PATIENT = "Erika Mustermann"

export class MessagePreviews extends Service<MessagePreviews>()("notifications/MessagePreviews", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const recipients = yield* Recipients
    const { html } = yield* MailTemplate
    const notices = yield* NoticeSource
    const { meetingsUrl } = yield* Settings
    const pageOf = (action: string) => `${meetingsUrl}/appointment/alc_…?action=${action}`
    const links = { join: pageOf("join"), rebook: pageOf("rebook"), cancel: pageOf("cancel") }
    const sampleStart = Effect.map(clock.now, (now) => Math.ceil(now / HOUR) * HOUR + DAY)

    /** The notice of the fictitious appointment. */
    const noticeOf = (
      kind: AppointmentNoticeKind,
      { display_name, timezone, ...recipient }: Pick<Addressee, "role" | "language" | "display_name" | "timezone">,
      sender: Sender,
      { type, doctor_display_name }: Sample,
      start_date: number
    ): AppointmentNotice => ({
      kind,
      recipient: { ...recipient, display_name, timezone },
      organisation_name: sender.name,
      message_texts: sender.message_texts,
      branding: sender.branding,
      appointment: {
        first_uid: "apt_preview",
        moves: 0,
        start_date,
        end_date: start_date + type.duration_minutes * MINUTE,
        doctor_display_name,
        patient_display_name: PATIENT,
        appointment_type_name: type.name,
        meeting_format: "DIGITAL",
        visit_reason: null,
        cancellation_reason: null,
        doctor_late_minutes: 10,
        rooms: [],
        preparation: type.preparation
      },
      ...(kind === "rebooking" && {
        previous: {
          start_date: start_date - DAY,
          doctor_display_name,
          meeting_format: "DIGITAL",
          rooms: [],
          by_practice: false
        }
      }),
      visit_reason_in_messages: sender.visit_reason_in_messages,
      links: recipient.role === "patient" && kind !== "cancellation" ? links : {}
    })

    const preview = Effect.fn("MessagePreviews.preview")(function* (
      owner: OrganisationUid,
      { kind, recipient_role: role, language }: Omit<MessagePreviewQuery, "appointment_type_uid">,
      sample: Sample
    ) {
      const sender = yield* recipients.sender(owner, kind)
      const names = { patient: PATIENT, doctor: sample.doctor_display_name, admin: sender.name }
      const recipient = { role, display_name: names[role], timezone: sample.timezone, language }
      return mailOf(noticeOf(kind, recipient, sender, sample, yield* sampleStart), html)
    })

    /** A message to a patient in these texts, as mail and as text message. */
    const previewTexts = Effect.fn("MessagePreviews.previewTexts")(function* (
      owner: OrganisationUid,
      texts: MessageText,
      sample: Sample
    ) {
      const { kind, language } = texts
      const { type, doctor_display_name, timezone } = sample
      const sender = { ...(yield* recipients.sender(owner)), message_texts: [texts] }
      const recipient: Addressee = {
        role: "patient",
        uid: "",
        display_name: PATIENT,
        email: null,
        phone: null,
        timezone,
        language
      }
      const start_date = yield* sampleStart
      if (isAboutAppointment(kind)) {
        const notice = noticeOf(kind, recipient, sender, sample, start_date)
        return { ...mailOf(notice, html), sms: smsOf(notice) }
      }
      const end_date = start_date + type.duration_minutes * MINUTE
      const facts = {
        doctor_display_name,
        appointment_type_name: type.name,
        start_date,
        end_date,
        timezone,
        url: links.join
      }
      const notice = yield* notices.sample(kind, facts, recipient)
      const wording = wordingOf(kind, recipient, sender, notice.values)
      return { ...recordMailOf(notice, wording, sender, language, html), sms: wording.sms }
    })

    return { preview, previewTexts } as const
  }),
  dependencies: [Recipients.Default]
}) {}
