/** Renders and sends one message. Its content is read when it is sent; a message that is no longer needed is skipped. */

import { type Cause, Data, Effect, Option } from "effect"
import type { Branding } from "../../schemas/access/Branding.ts"
import type { AppointmentUid, OrganisationUid } from "../../schemas/ids.ts"
import { type AppointmentNoticeKind, isAboutAppointment, noticeOf } from "../../schemas/notifications/notices.ts"
import type { Appointment } from "../../schemas/scheduling/Appointment.ts"
import { HOUR } from "../../schemas/seconds.ts"
import { inLanguage } from "../../texts/inLanguage.ts"
import { languageOfProfile } from "../../texts/language.ts"
import { Images } from "../access/Images.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { Extensions } from "../Extensions.ts"
import { e164Of } from "../e164.ts"
import { countMessage } from "../metrics.ts"
import { within } from "../outgoing.ts"
import { finishing } from "../queue/grace.ts"
import { Jobs } from "../queue/Jobs.ts"
import { Service } from "../Service.ts"
import { Owners } from "../tenancy/Owners.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"
import type { AppointmentNotice } from "./AppointmentNotice.ts"
import { AppointmentSource, type NotifiedAppointment } from "./AppointmentSource.ts"
import { inviteOf } from "./invite.ts"
import { type Mail, MailDelayed, Mailer, type MailRefused } from "./Mailer.ts"
import { LOGO_CID, MailTemplate } from "./MailTemplate.ts"
import { AFTER_OTHERS } from "./MessagePlanner.ts"
import { type Message, type MessageRef, MessagesRepo, skippedReasons } from "./MessagesRepo.ts"
import { mailOf, recordMailOf } from "./mail.ts"
import { NoticeSource, type RecordNotice } from "./NoticeSource.ts"
import { type Addressee, Recipients } from "./Recipients.ts"
import { SentCopies } from "./SentCopies.ts"
import { type SmsDelayed, SmsGateway, SmsRefused } from "./SmsGateway.ts"
import { smsOf } from "./sms.ts"
import { wordingOf } from "./wording.ts"

type AppointmentMessage = Message & { readonly kind: AppointmentNoticeKind; readonly appointment_uid: AppointmentUid }
const isAboutOne = (message: Message): message is AppointmentMessage =>
  isAboutAppointment(message.kind) && message.appointment_uid !== null

/** The type's name and preparation: for patients in their language. */
const typeFor = ({ role, language }: Addressee, { type, appointment_type_name }: NotifiedAppointment) => {
  const shown = type !== null && role === "patient" ? inLanguage(type, language) : type
  return { appointment_type_name: shown?.name ?? appointment_type_name, preparation: shown?.preparation ?? null }
}

/** Reminders of, and invitations to, an appointment that is over, cancelled or in progress. Of a delay also who waits is told. */
const isObsolete = ({ kind }: AppointmentMessage, { status, start_date, end_date }: Appointment, now: number) =>
  kind !== "cancellation" && (status !== "confirmed" || (noticeOf(kind).isForWholeTime ? end_date : start_date) <= now)

/** Patients read the language in which they booked, and times in their zone beside the practice's. */
const localised = (recipient: Addressee, { patient_language, patient_timezone }: NotifiedAppointment): Addressee =>
  recipient.role !== "patient"
    ? recipient
    : {
        ...recipient,
        ...(patient_language !== null && { language: languageOfProfile(patient_language) }),
        ...(patient_timezone !== null && { chosen_timezone: patient_timezone })
      }
/** Longer than any attempt: if a lease has expired, its process is dead. */
const LEASE_SECONDS = 120
const TIMEOUT_SECONDS = 100
/** Messages of one organisation per round of a sweep: no organisation's backlog delays another's. */
const BATCH = 20
const ROUNDS = 50

const RETRIES_MAX = 18
const DELAY_MAX_SECONDS = HOUR

/** Seconds until the next attempt after this many; null after the last one. */
const retryDelay = (attempts: number) => (attempts > RETRIES_MAX ? null : Math.min(2 ** attempts, DELAY_MAX_SECONDS))

/** The message is no longer needed, or its recipient has no address for the channel. */
class Obsolete extends Data.TaggedError("ObsoleteMessage")<{ readonly reason: string }> {}
const changed = () => new Obsolete({ reason: skippedReasons.changed })
const unreachable = () => new Obsolete({ reason: skippedReasons.unreachable })
/** Programs of mail drop a second mail of the same identifier. */
const messageIdOf = ({ uid, resends }: Message) => (resends === 0 ? uid : `${uid}.${resends}`)
/** Another process is sending it. */
class Claimed extends Data.TaggedError("MessageClaimed") {}

export class MessageSender extends Service<MessageSender>()("notifications/MessageSender", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const jobs = yield* Jobs
    const owners = yield* Owners
    const messages = yield* MessagesRepo
    const appointments = yield* AppointmentSource
    const recipients = yield* Recipients
    const mailer = yield* Mailer
    const template = yield* MailTemplate
    const images = yield* Images
    const sms = yield* SmsGateway
    const copies = yield* SentCopies
    const notices = yield* NoticeSource
    const extensions = yield* Extensions

    const linksFor = Effect.fnUntraced(function* (message: AppointmentMessage) {
      if (message.recipient_role !== "patient") return {}
      const links = yield* appointments.issueLinks(message.organisation_uid, message.appointment_uid)
      return Object.fromEntries(links.map(({ action, url }) => [action, url]))
    })

    const previousOf = Effect.fnUntraced(function* (
      message: AppointmentMessage,
      { previous_meeting_uid, moved_by_practice }: NotifiedAppointment
    ) {
      if (message.kind !== "rebooking" || previous_meeting_uid === null) return {}
      const before = yield* appointments.find(message.organisation_uid, previous_meeting_uid)
      return { previous: { ...before, by_practice: moved_by_practice } }
    })

    /** What is still to be done, in reminders of patients. */
    const entriesFor = (
      { kind, organisation_uid }: AppointmentMessage,
      { role, language }: Addressee,
      of: NotifiedAppointment
    ) =>
      kind !== "reminder" || role !== "patient"
        ? Effect.succeed([])
        : Effect.map(extensions.toDo(organisation_uid, of, language), (found) =>
            found.flatMap(({ reminder }) => (reminder === null ? [] : [reminder]))
          )

    const noticeFor = Effect.fnUntraced(function* (
      message: AppointmentMessage,
      recipient: Addressee,
      appointment: NotifiedAppointment
    ) {
      const sender = yield* recipients.sender(message.organisation_uid, message.kind)
      const notice: AppointmentNotice = {
        kind: message.kind,
        recipient,
        organisation_name: sender.name,
        message_texts: sender.message_texts,
        branding: sender.branding,
        appointment: { ...appointment, ...typeFor(recipient, appointment) },
        ...(yield* previousOf(message, appointment)),
        visit_reason_in_messages: sender.visit_reason_in_messages,
        entries: yield* entriesFor(message, recipient, appointment),
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

    /** The practice's sender name, reply address and logo. */
    const senderOf = Effect.fnUntraced(function* ({ branding }: { readonly branding: Branding }) {
      const { logo, sender_name, reply_to } = branding
      const picture = logo === null ? Option.none() : yield* images.find(logo)
      return {
        ...(sender_name !== null && { from_name: sender_name }),
        ...(reply_to !== null && { reply_to }),
        ...(Option.isSome(picture) && { picture: { cid: LOGO_CID, ...picture.value } })
      }
    })

    /** Fails with `SmsRefused` for a number that cannot be brought to E.164. */
    const sendSms = Effect.fnUntraced(function* (message: Message, phone: string, text: string) {
      const { country_code } = yield* recipients.sender(message.organisation_uid)
      const to = e164Of(phone, country_code)
      if (to === undefined)
        return yield* new SmsRefused({
          reason: `the telephone number is none of ${country_code}, and none with the code of a country`
        })
      yield* sms.send({ message_id: messageIdOf(message), to, text })
    })

    const dispatch = Effect.fnUntraced(function* (message: Message, notice: AppointmentNotice, address: string) {
      if (message.channel === "sms") return yield* sendSms(message, address, smsOf(notice))
      const mail: Mail = {
        message_id: messageIdOf(message),
        to: { name: notice.recipient.display_name, address },
        ...mailOf(notice, template.html),
        ...(yield* senderOf(notice)),
        ...(yield* inviteFor(message, notice, address))
      }
      yield* mailer.send(mail)
    })

    const dispatchRecord = Effect.fnUntraced(function* (
      message: Message,
      recipient: Addressee,
      notice: RecordNotice,
      address: string
    ) {
      const sender = yield* recipients.sender(message.organisation_uid, message.kind)
      const wording = wordingOf(message.kind, recipient, sender, notice.values)
      if (message.channel === "sms") return yield* sendSms(message, address, wording.sms)
      yield* mailer.send({
        message_id: messageIdOf(message),
        to: { name: recipient.display_name, address },
        ...recordMailOf(notice, wording, sender, recipient.language, template.html),
        ...(yield* senderOf(sender)),
        ...(notice.invite !== undefined && { invite: notice.invite })
      })
    })

    /**
     * Claims the message while its appointment is locked, and returns both: a later cancellation sees the attempt and cancels the
     * invitation, after an earlier one the message is obsolete.
     */
    const begin = Effect.fnUntraced(function* (message: AppointmentMessage) {
      const now = yield* clock.now
      const appointment = yield* appointments.lock(message.organisation_uid, message.appointment_uid)
      if (isObsolete(message, appointment, now)) return yield* changed()
      const claimed = yield* messages.claim(message, now, LEASE_SECONDS)
      return [yield* Effect.mapError(claimed, () => new Claimed()), appointment] as const
    }, transaction)

    /** The patient was erased during the attempt: deletes the installation's own copy too. */
    const forgetCopyOfErased = ({ organisation_uid, uid: message_uid }: Message) =>
      Effect.flatMap(messages.find({ organisation_uid, message_uid }), (found) =>
        Option.isNone(found) ? copies.forget([message_uid]) : Effect.void
      )

    const retry = Effect.fnUntraced(function* (message: Message, reason: string) {
      const now = yield* clock.now
      const delay = retryDelay(message.attempts)
      if (delay === null) {
        yield* messages.settle(message, "failed", reason, now)
        return "failed" as const
      }
      yield* messages.postpone(message, reason, now + delay)
      const { organisation_uid, uid: message_uid } = message
      yield* jobs.send(
        "message.send",
        { organisation_uid, message_uid },
        { startAfterSeconds: delay, priority: AFTER_OTHERS }
      )
      return "delayed" as const
    }, transaction)

    const attempt = Effect.fnUntraced(function* (
      message: Message,
      sending: Effect.Effect<void, MailRefused | MailDelayed | SmsRefused | SmsDelayed, CurrentTenant>
    ) {
      const settle = <S extends "sent" | "failed">(status: S, reason: string | null) =>
        Effect.flatMap(clock.now, (now) => messages.settle(message, status, reason, now)).pipe(
          Effect.flatMap((isEnded) => (isEnded ? Effect.void : forgetCopyOfErased(message))),
          Effect.as(status)
        )
      const refused = ({ reason }: { readonly reason: string }) => settle("failed", reason)
      const delayed = ({ reason }: { readonly reason: string }) => retry(message, reason)
      yield* sending.pipe(
        within(TIMEOUT_SECONDS, () => new MailDelayed({ reason: "time-out" })),
        Effect.zipRight(settle("sent", null)),
        Effect.catchTags({ MailRefused: refused, SmsRefused: refused, MailDelayed: delayed, SmsDelayed: delayed }),
        Effect.tap((outcome) => countMessage(message.channel, outcome)),
        // The process is stopping: release the lease, so that the next one need not wait for it
        Effect.onInterrupt(() => Effect.flatMap(clock.now, (now) => messages.postpone(message, "interrupted", now)))
      )
    })

    const deliverRecord = Effect.fnUntraced(function* (message: Message, recipient: Addressee, address: string) {
      const { organisation_uid, kind, subject_uid } = message
      if (isAboutAppointment(kind) || subject_uid === null) return yield* changed()
      const claimed = yield* Effect.flatMap(clock.now, (now) => messages.claim(message, now, LEASE_SECONDS))
      if (Option.isNone(claimed)) return yield* new Claimed()
      const notice = yield* notices.find({ organisation_uid, kind, subject_uid }, recipient)
      if (Option.isNone(notice)) return yield* changed()
      yield* attempt(claimed.value, dispatchRecord(claimed.value, recipient, notice.value, address))
    })

    const deliver = Effect.fnUntraced(function* (message: Message) {
      const { organisation_uid, recipient_role, recipient_uid } = message
      const recipient = yield* recipients.find(organisation_uid, recipient_role, recipient_uid)
      const address = Option.flatMapNullable(recipient, ({ email, phone }) =>
        message.channel === "email" ? email : phone
      )
      if (Option.isNone(recipient) || Option.isNone(address)) return yield* unreachable()
      const to = address.value
      if (!isAboutOne(message)) return yield* deliverRecord(message, recipient.value, to)
      const [claimed, appointment] = yield* begin(message)
      const notice = noticeFor(message, localised(recipient.value, appointment), appointment)
      yield* attempt(
        claimed,
        Effect.flatMap(notice, (found) => dispatch(claimed, found, to))
      )
    })

    /**
     * Sends a due message, once for any number of callers. A permanent failure is stored as `failed`; otherwise it is retried, 18 times
     * within about nine hours.
     */
    const send = Effect.fn("MessageSender.send")(function* (ref: MessageRef) {
      const found = yield* messages.find(ref)
      if (Option.isNone(found) || found.value.status !== "pending") return
      const skip = ({ reason }: Obsolete) =>
        Effect.zipRight(
          Effect.flatMap(clock.now, (now) => messages.settle(found.value, "skipped", reason, now)),
          countMessage(found.value.channel, "skipped")
        )
      yield* deliver(found.value).pipe(Effect.catchTags({ ObsoleteMessage: skip, MessageClaimed: () => Effect.void }))
    })

    /** As after the death of its process: otherwise it would come first in every round, and its organisation's others never. */
    const putOff = (ref: MessageRef, cause: Cause.Cause<unknown>) =>
      Effect.zipRight(
        Effect.logWarning("a message could not be sent", cause),
        Effect.flatMap(clock.now, (now) => messages.putOff(ref, now, LEASE_SECONDS))
      )

    /** A shutdown waits for the messages that are being sent, which would otherwise be sent again. */
    const sweepOf = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const due = yield* Effect.flatMap(clock.now, (now) => messages.due(owner, now, BATCH))
      yield* Effect.forEach(
        due,
        (ref) =>
          send(ref).pipe(
            Effect.catchAllCause((cause) => putOff(ref, cause)),
            Effect.catchAllCause((cause) => Effect.logWarning("a message could not be put off", cause)),
            finishing
          ),
        { concurrency: 4, discard: true }
      )
      return due.length
    })

    /**
     * Sends due messages that have lost their job, were claimed by a dead process, or are queued behind another organisation's. Returns
     * their number.
     */
    const sweep = Effect.fn("MessageSender.sweep")(function* () {
      let sum = 0
      let waiting = yield* owners.due("messages", yield* clock.now)
      for (let round = 0; round < ROUNDS && waiting.length > 0; round++) {
        const more: Array<OrganisationUid> = []
        const { count } = yield* owners.each(waiting, (owner) =>
          Effect.tap(sweepOf(owner), (found) => found === BATCH && more.push(owner))
        )
        sum += count
        waiting = more
      }
      return sum
    })

    return { send, sweep } as const
  }),
  dependencies: [MessagesRepo.Default, Recipients.Default, Images.Default]
}) {}
