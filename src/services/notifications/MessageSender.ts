/** Writes and sends one message. Its content is read when it is sent; a message that is no longer needed is skipped. */
import { Effect, Option } from "effect"
import type { Appointment } from "../../schemas/scheduling/Appointment.ts"
import { languageOfProfile } from "../../texts/language.ts"
import { Database } from "../Database.ts"
import { DomainClock } from "../DomainClock.ts"
import { EventLog } from "../events/EventLog.ts"
import type { AppointmentNotice } from "./AppointmentNotice.ts"
import { AppointmentSource, type NotifiedAppointment } from "./AppointmentSource.ts"
import { inviteOf } from "./invite.ts"
import { type Mail, Mailer } from "./Mailer.ts"
import { type Message, type MessageRef, MessagesRepo } from "./MessagesRepo.ts"
import { mailOf } from "./mail.ts"
import { type Addressee, Recipients } from "./Recipients.ts"
import { SmsGateway } from "./SmsGateway.ts"
import { smsOf } from "./sms.ts"

/** Reminders of, and invitations to, an appointment that is over, cancelled or under way. */
const isObsolete = ({ kind }: Message, appointment: Appointment, now: number) =>
  kind !== "cancellation" && (appointment.status !== "confirmed" || appointment.start_date <= now)

/** Patients read in the language, and beside the practice's zone in the one, in which they booked. */
const readerOf = (recipient: Addressee, { patient_language, patient_timezone }: NotifiedAppointment): Addressee =>
  recipient.role !== "patient"
    ? recipient
    : {
        ...recipient,
        ...(patient_language !== null && { language: languageOfProfile(patient_language) }),
        ...(patient_timezone !== null && { chosen_timezone: patient_timezone })
      }

export class MessageSender extends Effect.Service<MessageSender>()("notifications/MessageSender", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const messages = yield* MessagesRepo
    const events = yield* EventLog
    const appointments = yield* AppointmentSource
    const recipients = yield* Recipients
    const mailer = yield* Mailer
    const sms = yield* SmsGateway

    /** The links that the reminder's event has for its recipient. */
    const reminderLinks = Effect.fnUntraced(function* ({ organisation_uid, event_id }: Message) {
      const { event } = Option.getOrUndefined(yield* events.find(organisation_uid, event_id)) ?? {}
      return event?.type === "scheduling.appointment_reminder_due" ? (event.data.action_links ?? []) : []
    })

    const linksFor = Effect.fnUntraced(function* (message: Message) {
      if (message.recipient_role !== "patient" || message.kind === "cancellation") return {}
      const links =
        message.kind === "reminder"
          ? yield* reminderLinks(message)
          : yield* appointments.issueLinks(message.organisation_uid, message.appointment_uid)
      return Object.fromEntries(links.map(({ action, url }) => [action, url]))
    })

    const previousStart = Effect.fnUntraced(function* (message: Message, { previous_meeting_uid }: Appointment) {
      if (message.kind !== "rebooking" || previous_meeting_uid === null) return {}
      const before = yield* appointments.find(message.organisation_uid, previous_meeting_uid)
      return { previous_start_date: before.start_date }
    })

    const noticeOf = Effect.fnUntraced(function* (
      message: Message,
      recipient: Addressee,
      appointment: NotifiedAppointment
    ) {
      const sender = yield* recipients.sender(message.organisation_uid)
      const notice: AppointmentNotice = {
        kind: message.kind,
        recipient,
        organisation_name: sender.name,
        appointment,
        ...(yield* previousStart(message, appointment)),
        visit_reason_in_messages: sender.visit_reason_in_messages,
        links: yield* linksFor(message)
      }
      return notice
    })

    const inviteFor = Effect.fnUntraced(function* ({ invite }: Message, notice: AppointmentNotice, address: string) {
      if (invite === null) return {}
      const attendee = { name: notice.recipient.display_name, address }
      const details = { organiser: mailer.from, attendee, stamp: yield* clock.now }
      return { invite: inviteOf(invite, notice, details) }
    })

    const sendMail = Effect.fnUntraced(function* (message: Message, notice: AppointmentNotice, address: string) {
      const mail: Mail = {
        message_id: message.uid,
        to: { name: notice.recipient.display_name, address },
        ...mailOf(notice),
        ...(yield* inviteFor(message, notice, address))
      }
      yield* mailer.send(mail)
    })

    /**
     * Notes the attempt while the appointment is locked, and gives the appointment: a later cancellation sees the attempt
     * and withdraws the invitation, after an earlier one the message is obsolete. None then.
     */
    const begin = Effect.fnUntraced(function* (message: Message, now: number) {
      const appointment = yield* appointments.lock(message.organisation_uid, message.appointment_uid)
      if (isObsolete(message, appointment, now)) return Option.none<NotifiedAppointment>()
      yield* messages.attempt(message)
      return Option.some(appointment)
    }, transaction)

    const deliver = Effect.fnUntraced(function* (message: Message) {
      const { organisation_uid, recipient_role, recipient_uid } = message
      const recipient = yield* recipients.find(organisation_uid, recipient_role, recipient_uid)
      const address = Option.flatMapNullable(recipient, ({ email, phone }) =>
        message.channel === "email" ? email : phone
      )
      if (Option.isNone(recipient) || Option.isNone(address)) return "skipped" as const
      const appointment = yield* begin(message, yield* clock.now)
      if (Option.isNone(appointment)) return "skipped" as const
      const notice = yield* noticeOf(message, readerOf(recipient.value, appointment.value), appointment.value)
      yield* message.channel === "email"
        ? sendMail(message, notice, address.value)
        : sms.send({ to: address.value, text: smsOf(notice) })
      return "sent" as const
    })

    const settle = (message: Message, status: Message["status"], error: string | null) =>
      Effect.flatMap(clock.now, (now) => messages.settle(message, status, error, now))

    /**
     * Sends a message that is pending. A final refusal is noted as `failed`; fails with `MailDelayed` or `SmsDelayed` when
     * another attempt may succeed.
     */
    const send = Effect.fn("MessageSender.send")(function* (ref: MessageRef) {
      const found = yield* messages.find(ref)
      if (Option.isNone(found) || found.value.status !== "pending") return
      const message = found.value
      const refused = ({ reason }: { readonly reason: string }) => settle(message, "failed", reason)
      const delayed = <E extends { readonly reason: string }>(error: E) =>
        Effect.zipRight(settle(message, "pending", error.reason), Effect.fail(error))
      yield* deliver(message).pipe(
        Effect.flatMap((status) => settle(message, status, null)),
        Effect.catchTags({ MailRefused: refused, SmsRefused: refused, MailDelayed: delayed, SmsDelayed: delayed })
      )
    })

    return { send } as const
  }),
  dependencies: [Database.Default, DomainClock.Default, MessagesRepo.Default, EventLog.Default, Recipients.Default]
}) {}
