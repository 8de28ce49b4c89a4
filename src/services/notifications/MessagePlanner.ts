/**
 * Decides which messages an event calls for: reminders by their flags; confirmations, cancellations and rebookings as the
 * organisation has opted in; and the withdrawal of an invitation to everybody who was mailed one. Works in the transaction
 * that appends the event; a job is written only where there is a message.
 */
import { Effect } from "effect"
import type { EventType } from "../../schemas/events/catalogue.ts"
import type { AppointmentUid, OrganisationUid } from "../../schemas/ids.ts"
import type { Appointment } from "../../schemas/scheduling/Appointment.ts"
import { DomainClock } from "../DomainClock.ts"
import type { AppendedEvent, EventConsumer } from "../events/EventConsumers.ts"
import { Jobs } from "../Jobs.ts"
import { MessagesRepo, type NewMessage } from "./MessagesRepo.ts"
import { Recipients } from "./Recipients.ts"

type Planned = Omit<NewMessage, "event_id">
type Of<T extends EventType> = Extract<AppendedEvent, { readonly type: T }>

const toPatient = (kind: Planned["kind"], organisation_uid: OrganisationUid, appointment: Appointment): Planned => ({
  organisation_uid,
  kind,
  appointment_uid: appointment.uid,
  recipient_role: "patient",
  recipient_uid: appointment.patient_uid,
  channel: "email"
})

/** A recipient without an address for a channel gets nothing by it. */
const reminders = ({ organisation_uid, data }: Of<"scheduling.appointment_reminder_due">): ReadonlyArray<Planned> => {
  const { appointment, reminder, recipient } = data
  const by = (channel: Planned["channel"]): Planned => ({
    organisation_uid,
    kind: "reminder",
    appointment_uid: appointment.uid,
    recipient_role: recipient.role,
    recipient_uid: recipient.uid,
    channel
  })
  return [
    ...(reminder.send_email && recipient.email !== null ? [by("email")] : []),
    ...(reminder.send_sms && recipient.phone !== null ? [by("sms")] : [])
  ]
}

const isSameRecipient = (a: Planned, b: Planned) =>
  a.recipient_role === b.recipient_role && a.recipient_uid === b.recipient_uid

export class MessagePlanner extends Effect.Service<MessagePlanner>()("notifications/MessagePlanner", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const messages = yield* MessagesRepo
    const recipients = yield* Recipients
    const jobs = yield* Jobs

    /** A cancellation for everybody who holds an invitation. */
    const withdrawals = (organisation_uid: OrganisationUid, appointment_uid: AppointmentUid) =>
      Effect.map(messages.invited(organisation_uid, appointment_uid), (invited) =>
        invited.map(
          (one): Planned => ({ ...one, organisation_uid, kind: "cancellation", appointment_uid, channel: "email" })
        )
      )

    const confirmation = Effect.fnUntraced(function* (owner: OrganisationUid, appointment: Appointment) {
      const sender = yield* recipients.sender(owner)
      return sender.messages.includes("confirmation") ? [toPatient("confirmation", owner, appointment)] : []
    })

    const cancellation = Effect.fnUntraced(function* (owner: OrganisationUid, appointment: Appointment) {
      const sender = yield* recipients.sender(owner)
      const withdrawn = yield* withdrawals(owner, appointment.uid)
      const patient = toPatient("cancellation", owner, appointment)
      const suffices =
        !sender.messages.includes("cancellation") || withdrawn.some((one) => isSameRecipient(one, patient))
      return suffices ? withdrawn : [...withdrawn, patient]
    })

    const rebooking = Effect.fnUntraced(function* ({ organisation_uid: owner, data }: Of<"rebooked">) {
      const sender = yield* recipients.sender(owner)
      const withdrawn = yield* withdrawals(owner, data.previous_meeting_uid)
      return sender.messages.includes("rebooking")
        ? [...withdrawn, toPatient("rebooking", owner, data.appointment)]
        : withdrawn
    })

    const planned = (event: AppendedEvent): Effect.Effect<ReadonlyArray<Planned>> => {
      switch (event.type) {
        case "scheduling.appointment_reminder_due":
          return Effect.succeed(reminders(event))
        case "rebooked":
          return rebooking(event)
        case "patient_doctor_meeting_updated": {
          const { change, appointment } = event.data
          if (change === "confirmed") return confirmation(event.organisation_uid, appointment)
          if (change === "cancelled") return cancellation(event.organisation_uid, appointment)
        }
      }
      return Effect.succeed([])
    }

    const accept = Effect.fn("MessagePlanner.accept")(function* (events: ReadonlyArray<AppendedEvent>) {
      const wanted = yield* Effect.forEach(events, (event) =>
        Effect.map(planned(event), (some) => some.map((one) => ({ ...one, event_id: event.id })))
      )
      const added = yield* messages.add(wanted.flat(), yield* clock.now)
      yield* jobs.sendAll("message.send", added)
    })

    const consumer: EventConsumer = {
      types: new Set(["patient_doctor_meeting_updated", "rebooked", "scheduling.appointment_reminder_due"]),
      accept
    }
    return { consumer } as const
  }),
  dependencies: [DomainClock.Default, MessagesRepo.Default, Recipients.Default, Jobs.Default]
}) {}
