/**
 * Who is told of an event by mail or text message: reminders by their flags, confirmations, cancellations and rebookings
 * as the organisation has opted in, and the withdrawal of an invitation to everybody who was mailed one.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import type { EventUid, OrganisationUid } from "../../../schemas/ids.ts"
import { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { Reminder } from "../../../schemas/scheduling/Reminder.ts"
import { DomainClock } from "../../DomainClock.ts"
import { EventLog, type StoredEvent } from "../../events/EventLog.ts"
import { MessagesRepo, type NewMessage } from "../../events/MessagesRepo.ts"
import { Jobs } from "../../Jobs.ts"
import { transaction } from "../../transaction.ts"
import { Recipients, type Sender } from "./Recipients.ts"

/** What the planner reads of the events' data. */
const ReminderDue = Schema.Struct({
  appointment: Appointment,
  reminder: Reminder,
  recipient: Schema.Struct({
    role: Schema.Literal("patient", "doctor", "admin"),
    uid: Schema.String,
    email: Schema.NullOr(Schema.String),
    phone: Schema.NullOr(Schema.String)
  })
})
const MeetingUpdated = Schema.Struct({ change: Schema.String, appointment: Appointment })
const Rebooked = Schema.Struct({ appointment: Appointment, previous_meeting_uid: Schema.String })

type Planned = Omit<NewMessage, "organisation_uid" | "event_id">

const toPatient = (kind: Planned["kind"], appointment: Appointment): Planned => ({
  kind,
  appointment_uid: appointment.uid,
  recipient_role: "patient",
  recipient_uid: appointment.patient_uid,
  channel: "email"
})

/** A recipient without an address cannot be told that way. */
const reminders = ({ appointment, reminder, recipient }: typeof ReminderDue.Type): ReadonlyArray<Planned> => {
  const told = (channel: Planned["channel"]): Planned => ({
    kind: "reminder",
    appointment_uid: appointment.uid,
    recipient_role: recipient.role,
    recipient_uid: recipient.uid,
    channel
  })
  return [
    ...(reminder.send_email && recipient.email !== null ? [told("email")] : []),
    ...(reminder.send_sms && recipient.phone !== null ? [told("sms")] : [])
  ]
}

const same = (a: Planned, b: Planned) => a.recipient_role === b.recipient_role && a.recipient_uid === b.recipient_uid

export class MessagePlanner extends Effect.Service<MessagePlanner>()("scheduling/MessagePlanner", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const events = yield* EventLog
    const messages = yield* MessagesRepo
    const recipients = yield* Recipients
    const jobs = yield* Jobs

    /** A cancellation for everybody who holds an invitation. */
    const withdrawals = (owner: OrganisationUid, appointment_uid: string) =>
      Effect.map(messages.invited(owner, appointment_uid), (invited) =>
        invited.map((one): Planned => ({ ...one, kind: "cancellation", appointment_uid, channel: "email" }))
      )

    const ofMeeting = Effect.fnUntraced(function* (owner: OrganisationUid, sender: Sender, data: unknown) {
      const { change, appointment } = yield* Schema.decodeUnknown(MeetingUpdated)(data)
      if (change === "confirmed")
        return sender.messages.includes("confirmation") ? [toPatient("confirmation", appointment)] : []
      if (change !== "cancelled") return []
      const withdrawn = yield* withdrawals(owner, appointment.uid)
      const patient = toPatient("cancellation", appointment)
      const isTold = !sender.messages.includes("cancellation") || withdrawn.some((one) => same(one, patient))
      return isTold ? withdrawn : [...withdrawn, patient]
    })

    const ofRebooking = Effect.fnUntraced(function* (owner: OrganisationUid, sender: Sender, data: unknown) {
      const { appointment, previous_meeting_uid } = yield* Schema.decodeUnknown(Rebooked)(data)
      const withdrawn = yield* withdrawals(owner, previous_meeting_uid)
      return sender.messages.includes("rebooking") ? [...withdrawn, toPatient("rebooking", appointment)] : withdrawn
    })

    const planned = Effect.fnUntraced(function* (owner: OrganisationUid, event: StoredEvent) {
      const sender = yield* recipients.sender(owner)
      if (event.type === "scheduling.appointment_reminder_due")
        return reminders(yield* Schema.decodeUnknown(ReminderDue)(event.data))
      return yield* event.type === "rebooked"
        ? ofRebooking(owner, sender, event.data)
        : ofMeeting(owner, sender, event.data)
    }, Effect.orDie)

    /** Notes the messages that the event calls for and has them sent. Planning twice adds nothing. */
    const plan = Effect.fn("MessagePlanner.plan")(
      function* (organisation_uid: OrganisationUid, event_id: EventUid) {
        const event = yield* events.find(organisation_uid, event_id)
        if (Option.isNone(event)) return
        const wanted = yield* planned(organisation_uid, event.value)
        const added = yield* messages.add(
          wanted.map((one) => ({ ...one, organisation_uid, event_id })),
          yield* clock.now
        )
        yield* jobs.sendAll(
          "message.send",
          added.map(({ uid }) => ({ organisation_uid, message_uid: uid }))
        )
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    return { plan } as const
  }),
  dependencies: [DomainClock.Default, EventLog.Default, MessagesRepo.Default, Recipients.Default, Jobs.Default]
}) {}
