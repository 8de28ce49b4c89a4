/**
 * Publishes due reminders (Rule 6.6): one event for each recipient, exactly once with any number of workers, also after downtime, but not
 * once the appointment has started.
 */
import { Clock, Effect, Metric } from "effect"
import type { NewEvent, Recipient } from "../../../schemas/events/catalogue.ts"
import { OrganisationUid } from "../../../schemas/ids.ts"
import type { IssuedActionLink } from "../../../schemas/scheduling/ActionLink.ts"
import type { Reminder } from "../../../schemas/scheduling/Reminder.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { e164Of } from "../../e164.ts"
import { EventLog } from "../../events/EventLog.ts"
import { reminderLag } from "../../metrics.ts"
import { Service } from "../../Service.ts"
import { Owners } from "../../tenancy/Owners.ts"
import { onlyOwner } from "../../tenancy/Tenancy.ts"
import { LinkIssuer, offeredActions } from "../appointments/LinkIssuer.ts"
import { publicAppointment } from "../appointments/StoredAppointment.ts"
import { type Due, DueRepo, type Reminded } from "./DueRepo.ts"

/** Reminders published in one transaction. */
const BATCH = 200
/** Their events: a reminder for administrators has one for each of them, and a statement at most 65,535 parameters. */
const EVENTS_AT_ONCE = 1_000

interface DueReminder {
  readonly appointment: Reminded
  readonly reminder: Reminder
}

const dueAt = ({ appointment, reminder }: DueReminder) => appointment.start_date - reminder.minutes_before * 60

/** Links are for patients, and for none whose data is restricted: nothing is sent to them. Rule 12.2.9. */
const actionsOf = ({ appointment, reminder }: DueReminder) =>
  reminder.recipient_role === "patient" && !appointment.patient_restricted ? offeredActions(appointment) : []

const isForAdmins = ({ reminder }: { readonly reminder: Reminder }) => reminder.recipient_role === "admin"

/** The first of these reminders, which have at most `EVENTS_AT_ONCE` events together; at least one. */
const firstOf = (taken: ReadonlyArray<Due>, admins: number) => {
  let events = 0
  return taken.filter((due, at) => {
    events += isForAdmins(due) ? admins : 1
    return at === 0 || events <= EVENTS_AT_ONCE
  })
}

export class ReminderPublisher extends Service<ReminderPublisher>()("scheduling/ReminderPublisher", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const repo = yield* DueRepo
    const owners = yield* Owners
    const links = yield* LinkIssuer
    const events = yield* EventLog

    /** Joins due reminders with their appointments. */
    const withAppointments = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      due: ReadonlyArray<Due>,
      now: number
    ) {
      const uids = due.map(({ appointment_uid }) => appointment_uid)
      const records = new Map((yield* repo.appointmentsOf(owner, uids, now)).map((row) => [row.uid, row]))
      return due.flatMap(({ appointment_uid, reminder }): ReadonlyArray<DueReminder> => {
        const appointment = records.get(appointment_uid)
        return appointment === undefined ? [] : [{ appointment, reminder }]
      })
    })

    const publishBatch = Effect.fn("ReminderPublisher.publishBatch")(function* (owner: OrganisationUid) {
      const now = yield* clock.now
      const taken = yield* repo.take(owner, now, BATCH)
      const admins = taken.some(isForAdmins) ? yield* repo.administrators(owner) : []
      const due = yield* repo.note(owner, firstOf(taken, admins.length))
      if (due.length === 0) return taken.length
      const all = yield* withAppointments(owner, due, now)
      const issued = yield* links.issueAll(
        all.map((one) => ({ appointment: one.appointment, actions: actionsOf(one) }))
      )
      yield* events.appendAll(all.flatMap((one, index) => eventsOf(one, admins, issued[index] ?? [])))
      yield* Metric.set(reminderLag, now - Math.min(now, ...all.map(dueAt)))
      return taken.length
    }, transaction)

    const publishOf = Effect.fnUntraced(function* (owner: OrganisationUid, within: number) {
      const since = yield* Clock.currentTimeMillis
      while ((yield* publishBatch(owner)) > 0 && (yield* Clock.currentTimeMillis) - since < within);
    })

    /**
     * Publishes due reminders, organisation by organisation: a failing organisation does not delay the others and is retried by the
     * next run, which also publishes what an organisation has left after `within` milliseconds. Safe to run in several workers at once.
     * Returns the number of organisations with due reminders.
     */
    const publishDue = Effect.fn("ReminderPublisher.publishDue")(function* (within = Number.POSITIVE_INFINITY) {
      const due = yield* owners.found(repo.dueOwners(yield* clock.now))
      yield* Effect.forEach(
        due,
        (organisation_uid) =>
          Effect.catchAllCause(
            onlyOwner(organisation_uid)(publishOf(OrganisationUid.make(organisation_uid), within)),
            (cause) =>
              Effect.logError("reminders could not be published", cause).pipe(Effect.annotateLogs({ organisation_uid }))
          ),
        { concurrency: 4, discard: true }
      )
      yield* Effect.flatMap(clock.now, repo.advance)
      return due.length
    })

    return { publishDue } as const
  }),
  dependencies: [DueRepo.Default, LinkIssuer.Default]
}) {}

/** One event for each recipient of the reminder's role. */
const eventsOf = (
  { appointment, reminder }: DueReminder,
  admins: ReadonlyArray<Recipient>,
  action_links: ReadonlyArray<IssuedActionLink>
): ReadonlyArray<NewEvent> =>
  recipientsOf(appointment, reminder, admins).map(({ phone, ...recipient }) => ({
    organisation_uid: appointment.organisation_uid,
    type: "scheduling.appointment_reminder_due",
    subject: appointment.uid,
    data: {
      appointment: publicAppointment(appointment),
      reminder,
      recipient: { ...recipient, phone: phone && (e164Of(phone, appointment.country_code) ?? null) },
      visit_reason: appointment.visit_reason,
      action_links
    }
  }))

const recipientsOf = (
  appointment: Reminded,
  { recipient_role: role }: Reminder,
  admins: ReadonlyArray<Recipient>
): ReadonlyArray<Recipient> => {
  const { patient_uid, doctor_uid, patient_display_name, doctor_display_name } = appointment
  if (role === "admin") return admins
  return role === "patient"
    ? [
        {
          role,
          uid: patient_uid,
          display_name: patient_display_name,
          email: appointment.patient_email,
          phone: appointment.patient_phone
        }
      ]
    : [
        {
          role,
          uid: doctor_uid,
          display_name: doctor_display_name,
          email: appointment.doctor_email,
          phone: appointment.doctor_phone
        }
      ]
}
