/**
 * Decides which messages an event requires: reminders by their flags; confirmations, cancellations and rebookings if the organisation has
 * opted in; and cancellations or updates of invitations to everybody who received one. Runs in the transaction that appends the event;
 * queues a job only if there is a message.
 */
import { Effect, Option } from "effect"
import type { EventType, Recipient } from "../../schemas/events/catalogue.ts"
import { AppointmentUid, type OrganisationUid } from "../../schemas/ids.ts"
import {
  type AppointmentNoticeKind,
  isAboutAppointment,
  noticesByEvent,
  type OptionalNoticeKind
} from "../../schemas/notifications/notices.ts"
import type { Appointment } from "../../schemas/scheduling/Appointment.ts"
import { DomainClock } from "../DomainClock.ts"
import { type Extension, Extensions } from "../Extensions.ts"
import type { AppendedEvent, EventConsumer } from "../events/EventConsumers.ts"
import { memoised } from "../memoised.ts"
import { Jobs } from "../queue/Jobs.ts"
import { Service } from "../Service.ts"
import { type Invited, type MessageRef, MessagesRepo, type NewMessage } from "./MessagesRepo.ts"
import { Recipients } from "./Recipients.ts"

/** Messages of an organisation per minute; jobs of further ones are taken after all others. */
const BURST = 20
/** Priority of jobs for messages that are less urgent than others. */
export const AFTER_OTHERS = -1

type Planned = Omit<NewMessage, "event_id">
type Of<T extends EventType> = Extract<AppendedEvent, { readonly type: T }>

/** What most messages are: a mail about an appointment. */
const mail = { appointment_uid: null, subject_uid: null, channel: "email", invite: null } as const

const toPatient = (
  kind: AppointmentNoticeKind,
  organisation_uid: OrganisationUid,
  { uid: appointment_uid, patient_uid: recipient_uid }: Appointment
): Planned => {
  const invite = kind === "cancellation" ? null : "REQUEST"
  return { ...mail, organisation_uid, kind, appointment_uid, recipient_role: "patient", recipient_uid, invite }
}

/** A recipient without an address for a channel gets no message by it. */
const reminders = (
  { organisation_uid, data }: Of<"scheduling.appointment_reminder_due">,
  { unusable }: Terms
): ReadonlyArray<Planned> => {
  const { appointment, reminder, recipient } = data
  const by = (channel: Planned["channel"]): Planned => ({
    ...toPatient("reminder", organisation_uid, appointment),
    recipient_role: recipient.role,
    recipient_uid: recipient.uid,
    channel,
    invite: channel === "email" ? "REQUEST" : null
  })
  return [
    ...(reminder.send_email && recipient.email !== null ? [by("email")] : []),
    ...(reminder.send_sms && (recipient.phone !== null || unusable.has(personOf(recipient))) ? [by("sms")] : [])
  ]
}

const isPatient = (one: Invited, { patient_uid }: Appointment) =>
  one.recipient_role === "patient" && one.recipient_uid === patient_uid

/** A doctor who no longer has the appointment. */
const isReplaced = (one: Invited, { doctor_uid }: Appointment) =>
  one.recipient_role === "doctor" && one.recipient_uid !== doctor_uid

const withdrawal = (one: Invited, organisation_uid: OrganisationUid, appointment_uid: AppointmentUid): Planned => ({
  ...mail,
  ...one,
  organisation_uid,
  kind: "cancellation",
  appointment_uid,
  invite: "CANCEL"
})

/** What the plan of an event depends on, besides what the organisation has opted in to. */
interface Terms {
  readonly invited: ReadonlyArray<Invited>
  /** Recipients whose telephone number cannot be brought to E.164, which their message then says. */
  readonly unusable: ReadonlySet<string>
  /** The message that confirms an appointment together with others. */
  readonly confirmedBy: Extension["confirms"]
}
const personOf = ({ role, uid }: Recipient) => `${role} ${uid}`

const ifOptedIn = (kind: OptionalNoticeKind, owner: OrganisationUid, appointment: Appointment): Planned => ({
  ...toPatient(kind, owner, appointment),
  opted_in: kind
})

const confirmation = (owner: OrganisationUid, appointment: Appointment, { confirmedBy }: Terms) =>
  confirmedBy(appointment) === null ? [ifOptedIn("confirmation", owner, appointment)] : []

const cancellation = (owner: OrganisationUid, appointment: Appointment, { invited }: Terms) => {
  const withdrawn = invited.map((one) => withdrawal(one, owner, appointment.uid))
  return invited.some((one) => isPatient(one, appointment))
    ? withdrawn
    : [...withdrawn, ifOptedIn("cancellation", owner, appointment)]
}

/**
 * One mail about the move, with an update of the calendar entry; a doctor who no longer has the appointment gets a cancellation of the
 * invitation.
 */
const rebooking = ({ organisation_uid: owner, data }: Of<"rebooked">, { invited }: Terms) => {
  const { appointment, previous_meeting_uid } = data
  const patient = toPatient("rebooking", owner, appointment)
  const moved = invited.map((one) =>
    isReplaced(one, appointment) ? withdrawal(one, owner, previous_meeting_uid) : { ...patient, ...one }
  )
  return invited.some((one) => isPatient(one, appointment))
    ? moved
    : [...moved, ifOptedIn("rebooking", owner, appointment)]
}

/** The appointment whose invitations the event's messages change, if any. */
const invitationsOf = (event: AppendedEvent) => {
  if (event.type === "rebooked") return [event.data.previous_meeting_uid]
  return event.type === "patient_doctor_meeting_updated" && event.data.change === "cancelled"
    ? [event.data.appointment.uid]
    : []
}

const planned = (event: AppendedEvent, terms: Terms): ReadonlyArray<Planned> => {
  switch (event.type) {
    case "scheduling.appointment_reminder_due":
      return reminders(event, terms)
    case "rebooked":
      return rebooking(event, terms)
    case "patient_doctor_meeting_updated": {
      const { change, appointment } = event.data
      if (change === "confirmed") return confirmation(event.organisation_uid, appointment, terms)
      if (change === "cancelled") return cancellation(event.organisation_uid, appointment, terms)
    }
  }
  return []
}

/** Types of events that lead to messages which depend on more than the event. */
const planning: ReadonlySet<EventType> = new Set([
  "patient_doctor_meeting_updated",
  "rebooked",
  "scheduling.appointment_reminder_due"
])

export class MessagePlanner extends Service<MessagePlanner>()("notifications/MessagePlanner", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const messages = yield* MessagesRepo
    const recipients = yield* Recipients
    const jobs = yield* Jobs
    const extensions = yield* Extensions
    const byEvent = memoised(noticesByEvent)

    /** Messages that this process has planned within the minute, by organisation. */
    const counts = new Map<OrganisationUid, number>()
    let minute = 0
    const priorityOf = (added: ReadonlyArray<MessageRef>, now: number) => {
      const current = Math.floor(now / 60)
      if (current !== minute) counts.clear()
      minute = current
      for (const { organisation_uid } of added) counts.set(organisation_uid, (counts.get(organisation_uid) ?? 0) + 1)
      return added.some(({ organisation_uid }) => (counts.get(organisation_uid) ?? 0) > BURST) ? AFTER_OTHERS : 0
    }

    /** Those of reminders by SMS without a number who have one. */
    const unusableOf = Effect.fnUntraced(function* (events: ReadonlyArray<AppendedEvent>) {
      const found = new Set<string>()
      for (const event of events) {
        if (event.type !== "scheduling.appointment_reminder_due") continue
        const { recipient, reminder } = event.data
        if (!reminder.send_sms || recipient.phone !== null) continue
        const person = yield* recipients.find(event.organisation_uid, recipient.role, recipient.uid)
        if (Option.exists(person, ({ phone }) => phone !== null)) found.add(personOf(recipient))
      }
      return found
    })

    /** The terms of each of one organisation's events. */
    const termsOf = Effect.fnUntraced(function* (events: ReadonlyArray<AppendedEvent>) {
      const unusable = yield* unusableOf(events)
      const confirming = yield* extensions.having("confirms")
      const confirmedBy = (appointment: Appointment) =>
        confirming.map(({ confirms }) => confirms(appointment)).find((one) => one !== null) ?? null
      const [first] = events
      const asked = events.flatMap(invitationsOf)
      const isAsked = asked.length > 0 && first !== undefined && "organisation_uid" in first
      const invitations = isAsked ? yield* messages.invited(first.organisation_uid, asked) : []
      const invited = Map.groupBy(invitations, ({ appointment_uid }) => appointment_uid)
      return (event: AppendedEvent): Terms => ({
        unusable,
        confirmedBy,
        invited: invitationsOf(event).flatMap((uid) =>
          (invited.get(uid) ?? []).map(({ recipient_role, recipient_uid }) => ({ recipient_role, recipient_uid }))
        )
      })
    })

    /** None if the recipient has neither a mail address nor a telephone number, or their data must not be used. */
    const messageOn = Effect.fnUntraced(function* (event: AppendedEvent) {
      const notice = byEvent().get(event.type)
      if (notice === undefined || !("organisation_uid" in event)) return []
      const { kind, plan } = notice
      const { role, uid, due_at } = plan(event.data)
      const found = yield* recipients.find(event.organisation_uid, role, uid)
      if (Option.isNone(found)) return []
      const { email, phone } = found.value
      const channel = email !== null ? "email" : phone !== null ? "sms" : undefined
      if (channel === undefined) return []
      const message: NewMessage = {
        ...mail,
        organisation_uid: event.organisation_uid,
        event_id: event.id,
        kind,
        ...(isAboutAppointment(kind)
          ? { appointment_uid: AppointmentUid.make(event.subject) }
          : { subject_uid: event.subject }),
        recipient_role: role,
        recipient_uid: uid,
        channel,
        ...(due_at !== undefined && { due_at })
      }
      return [message]
    })

    /** With the first appointment of several that one message confirms. */
    const sharedConfirmation = Effect.fnUntraced(function* (event: AppendedEvent, terms: Terms) {
      if (event.type !== "patient_doctor_meeting_updated" || event.data.change !== "confirmed") return []
      const { organisation_uid, id: event_id } = event
      const about = terms.confirmedBy(event.data.appointment)
      if (about === null) return []
      if (yield* messages.isPlanned(organisation_uid, about.kind, about.subject_uid)) return []
      const { patient_uid: recipient_uid } = event.data.appointment
      const of = { organisation_uid, event_id, ...about, opted_in: "confirmation" as const }
      const message: NewMessage = { ...mail, ...of, recipient_role: "patient", recipient_uid }
      return [message]
    })

    const accept = Effect.fn("MessagePlanner.accept")(function* (events: ReadonlyArray<AppendedEvent>) {
      const terms = yield* termsOf(events)
      const aboutAppointments = events.flatMap((event) =>
        planned(event, terms(event)).map((one): NewMessage => ({ ...one, event_id: event.id }))
      )
      const onEvents: Array<NewMessage> = []
      for (const event of events) onEvents.push(...(yield* messageOn(event)))
      const shared: Array<NewMessage> = []
      for (const event of events) shared.push(...(yield* sharedConfirmation(event, terms(event))))
      const wanted = [...aboutAppointments, ...onEvents, ...shared]
      const now = yield* clock.now
      const atOnce = yield* messages.add(wanted, now)
      if (atOnce.length === 0) return
      yield* jobs.sendAll("message.send", atOnce, { priority: priorityOf(atOnce, now) })
    })

    const consumer: EventConsumer = {
      accepts: ({ type }) => planning.has(type) || byEvent().has(type),
      accept
    }
    return { consumer } as const
  }),
  dependencies: [MessagesRepo.Default, Recipients.Default]
}) {}
