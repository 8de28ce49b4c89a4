/** Preview of a mail, for a fictitious appointment. Rule 7.8.3. */
import { Effect } from "effect"
import { Settings } from "../../config.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import type { MessagePreviewQuery } from "../../schemas/notifications/Message.ts"
import { DAY, HOUR, MINUTE } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"
import { MailTemplate } from "./MailTemplate.ts"
import { mailOf } from "./mail.ts"
import { Recipients } from "./Recipients.ts"

/** Data of the fictitious appointment. */
export interface Sample {
  readonly type: { readonly name: string; readonly duration_minutes: number; readonly preparation: string | null }
  readonly doctor_display_name: string
  readonly timezone: string
}

const PATIENT = "Erika Mustermann"

export class MessagePreviews extends Effect.Service<MessagePreviews>()("notifications/MessagePreviews", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const recipients = yield* Recipients
    const { html } = yield* MailTemplate
    const { meetingsUrl } = yield* Settings

    const preview = Effect.fn("MessagePreviews.preview")(function* (
      owner: OrganisationUid,
      { kind, recipient_role: role, language }: Omit<MessagePreviewQuery, "appointment_type_uid">,
      { type, doctor_display_name, timezone }: Sample
    ) {
      const sender = yield* recipients.sender(owner)
      const start_date = Math.ceil((yield* clock.now) / HOUR) * HOUR + DAY
      const links = Object.fromEntries(
        ["join", "rebook", "cancel"].map((action) => [action, `${meetingsUrl}/appointment/alc_…?action=${action}`])
      )
      return mailOf(
        {
          kind,
          recipient: {
            role,
            display_name: role === "patient" ? PATIENT : role === "doctor" ? doctor_display_name : sender.name,
            timezone,
            language
          },
          organisation_name: sender.name,
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
            rooms: [],
            preparation: type.preparation
          },
          ...(kind === "rebooking" && { previous_start_date: start_date - DAY }),
          visit_reason_in_messages: sender.visit_reason_in_messages,
          links: role === "patient" && kind !== "cancellation" ? links : {}
        },
        html
      )
    })

    return { preview } as const
  }),
  dependencies: [DomainClock.Default, Recipients.Default]
}) {}
