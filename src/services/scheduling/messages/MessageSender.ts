/** Writes and sends one message. What it says is read when it is sent; what has lost its point is left out. */
import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { IssuedActionLink } from "../../../schemas/scheduling/ActionLink.ts"
import { DomainClock } from "../../DomainClock.ts"
import { EventLog } from "../../events/EventLog.ts"
import { type Mail, Mailer } from "../../events/Mailer.ts"
import { type Message, MessagesRepo } from "../../events/MessagesRepo.ts"
import type { AppointmentNotice } from "../../events/messages/AppointmentNotice.ts"
import { inviteOf } from "../../events/messages/invite.ts"
import { mailOf } from "../../events/messages/mail.ts"
import { smsOf } from "../../events/messages/sms.ts"
import { SmsGateway } from "../../events/SmsGateway.ts"
import { transaction } from "../../transaction.ts"
import { AppointmentsRepo, type StoredAppointment } from "../appointments/AppointmentsRepo.ts"
import { LinkIssuer, offeredActions } from "../appointments/LinkIssuer.ts"
import { type Addressee, Recipients } from "./Recipients.ts"

const EventLinks = Schema.Struct({ action_links: Schema.Array(IssuedActionLink) })

/** Nobody is reminded of, or invited to, what is over, cancelled or under way. */
const isPointless = ({ kind }: Message, appointment: StoredAppointment, now: number) =>
  kind !== "cancellation" && (appointment.status !== "confirmed" || appointment.start_date <= now)

export class MessageSender extends Effect.Service<MessageSender>()("scheduling/MessageSender", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const messages = yield* MessagesRepo
    const events = yield* EventLog
    const appointments = yield* AppointmentsRepo
    const links = yield* LinkIssuer
    const recipients = yield* Recipients
    const mailer = yield* Mailer
    const sms = yield* SmsGateway

    const stored = Effect.fnUntraced(function* (message: Message) {
      const event = yield* events.find(message.organisation_uid, message.event_id)
      if (Option.isNone(event)) return []
      const { data } = yield* events.envelope(event.value)
      return (yield* Effect.orDie(Schema.decodeUnknown(EventLinks)(data))).action_links
    })

    /** A reminder's links are those that its event told of; other messages to patients get their own. */
    const linksFor = Effect.fnUntraced(function* (message: Message, appointment: StoredAppointment) {
      if (message.recipient_role !== "patient" || message.kind === "cancellation") return {}
      const issued =
        message.kind === "reminder"
          ? yield* stored(message)
          : yield* links.issue(appointment, offeredActions(appointment))
      return Object.fromEntries(issued.map(({ action, url }) => [action, url]))
    })

    const previousStart = Effect.fnUntraced(function* (message: Message, appointment: StoredAppointment, now: number) {
      if (message.kind !== "rebooking" || appointment.previous_meeting_uid === null) return {}
      const before = yield* appointments.find(message.organisation_uid, appointment.previous_meeting_uid, now)
      return { previous_start_date: before.start_date }
    }, Effect.orDie)

    const noticeOf = Effect.fnUntraced(function* (
      message: Message,
      recipient: Addressee,
      appointment: StoredAppointment,
      now: number
    ) {
      const sender = yield* recipients.sender(message.organisation_uid)
      const notice: AppointmentNotice = {
        kind: message.kind,
        recipient,
        organisation_name: sender.name,
        appointment,
        ...(yield* previousStart(message, appointment, now)),
        visit_reason_in_messages: sender.visit_reason_in_messages,
        links: yield* linksFor(message, appointment)
      }
      return notice
    })

    const holdsInvitation = (message: Message) =>
      Effect.map(messages.invited(message.organisation_uid, message.appointment_uid), (all) =>
        all.some((one) => one.recipient_role === message.recipient_role && one.recipient_uid === message.recipient_uid)
      )

    /** The invitation, or its withdrawal from whoever holds one. */
    const inviteFor = Effect.fnUntraced(function* (message: Message, notice: AppointmentNotice, address: string) {
      const cancels = message.kind === "cancellation"
      if (cancels && !(yield* holdsInvitation(message))) return {}
      const attendee = { name: notice.recipient.display_name, address }
      const details = { organiser: mailer.from, attendee, stamp: yield* clock.now }
      return { invite: inviteOf(cancels ? "CANCEL" : "REQUEST", notice, details) }
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
     * Notes the attempt while nobody can cancel the appointment, and gives it: a later cancellation sees the attempt and
     * withdraws the invitation, an earlier one leaves the message without a point. None then.
     */
    const begin = Effect.fnUntraced(
      function* (message: Message, now: number) {
        const appointment = yield* appointments.findStill(message.organisation_uid, message.appointment_uid, now)
        if (isPointless(message, appointment, now)) return Option.none<StoredAppointment>()
        yield* messages.attempt(message)
        return Option.some(appointment)
      },
      transaction,
      Effect.orDie,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    const deliver = Effect.fnUntraced(function* (message: Message) {
      const now = yield* clock.now
      const { organisation_uid, recipient_role, recipient_uid } = message
      const recipient = yield* recipients.find(organisation_uid, recipient_role, recipient_uid)
      const address = Option.flatMapNullable(recipient, ({ email, phone }) =>
        message.channel === "email" ? email : phone
      )
      if (Option.isNone(recipient) || Option.isNone(address)) return "skipped" as const
      const appointment = yield* begin(message, now)
      if (Option.isNone(appointment)) return "skipped" as const
      const notice = yield* noticeOf(message, recipient.value, appointment.value, now)
      yield* message.channel === "email"
        ? sendMail(message, notice, address.value)
        : sms.send({ to: address.value, text: smsOf(notice) })
      return "sent" as const
    })

    const settle = (message: Message, status: Message["status"], error: string | null) =>
      Effect.flatMap(clock.now, (now) => messages.settle(message, status, error, now))

    /**
     * Sends a message that is pending. What is refused for good is noted and left; fails with `MailDelayed` or
     * `SmsDelayed` when it is worth another attempt.
     */
    const send = Effect.fn("MessageSender.send")(function* (organisation_uid: OrganisationUid, uid: string) {
      const found = yield* messages.find(organisation_uid, uid)
      if (Option.isNone(found) || found.value.status !== "pending") return
      const message = found.value
      const refused = ({ why }: { readonly why: string }) => settle(message, "failed", why)
      const delayed = <E extends { readonly why: string }>(error: E) =>
        Effect.zipRight(settle(message, "pending", error.why), Effect.fail(error))
      yield* deliver(message).pipe(
        Effect.flatMap((status) => settle(message, status, null)),
        Effect.catchTags({ MailRefused: refused, SmsRefused: refused, MailDelayed: delayed, SmsDelayed: delayed })
      )
    })

    return { send } as const
  }),
  dependencies: [
    DomainClock.Default,
    MessagesRepo.Default,
    EventLog.Default,
    AppointmentsRepo.Default,
    LinkIssuer.Default,
    Recipients.Default
  ]
}) {}
