/**
 * Publishes the reminders that are due (Rule 6.6): one event for each recipient, once for any number of workers,
 * also after downtime, but not once the appointment has started.
 */
import { SqlClient } from "@effect/sql"
import { Effect, Metric } from "effect"
import type { NewEvent, Recipient } from "../../../schemas/events/catalogue.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import type { IssuedActionLink } from "../../../schemas/scheduling/ActionLink.ts"
import type { Reminder } from "../../../schemas/scheduling/Reminder.ts"
import { DomainClock } from "../../DomainClock.ts"
import { EventLog } from "../../events/EventLog.ts"
import { reminderLag } from "../../metrics.ts"
import { transaction } from "../../transaction.ts"
import { AppointmentsRepo, publicAppointment, type StoredAppointment } from "../appointments/AppointmentsRepo.ts"
import { LinkIssuer, offeredActions } from "../appointments/LinkIssuer.ts"
import { type Due, DueRepo } from "./DueRepo.ts"

/** So many are published in one transaction. */
const BATCH = 200

interface Reminded extends StoredAppointment {
  readonly doctor_email: string | null
  readonly doctor_phone: string | null
  readonly patient_email: string | null
  readonly patient_phone: string | null
}

interface Reminding {
  readonly appointment: Reminded
  readonly reminder: Reminder
}

const dueAt = ({ appointment, reminder }: Reminding) => appointment.start_date - reminder.minutes_before * 60

type Administrators = ReadonlyMap<OrganisationUid, ReadonlyArray<Recipient>>

export class ReminderPublisher extends Effect.Service<ReminderPublisher>()("scheduling/ReminderPublisher", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const repo = yield* DueRepo
    const appointments = yield* AppointmentsRepo
    const links = yield* LinkIssuer
    const events = yield* EventLog

    const load = (due: ReadonlyArray<Due>, now: number) => {
      const owners = due.map(({ organisation_uid }) => organisation_uid)
      const uids = due.map(({ appointment_uid }) => appointment_uid)
      return sql<Reminded>`SELECT ${appointments.columns(now)}, d.email AS doctor_email, d.phone AS doctor_phone,
          p.profile->>'email' AS patient_email, p.profile->>'phone' AS patient_phone
        ${appointments.joined} JOIN (SELECT DISTINCT * FROM unnest(${owners as never}::text[], ${uids as never}::text[])
          AS due (organisation_uid, uid)) due ON due.organisation_uid = a.organisation_uid AND due.uid = a.uid`
    }

    const administrators = Effect.fnUntraced(function* (due: ReadonlyArray<Due>) {
      const owners = due
        .filter(({ reminder }) => reminder.recipient_role === "admin")
        .map((one) => one.organisation_uid)
      if (owners.length === 0) return new Map() as Administrators
      const rows = yield* sql<Recipient & { organisation_uid: OrganisationUid }>`
        SELECT organisation_uid, 'admin' AS role, uid, display_name, email, phone FROM admins
        WHERE organisation_uid IN ${sql.in([...new Set(owners)])} ORDER BY uid`
      return Map.groupBy(rows, ({ organisation_uid }) => organisation_uid) as Administrators
    })

    /** What is due, with its appointment's record. */
    const complete = Effect.fnUntraced(function* (due: ReadonlyArray<Due>, now: number) {
      const records = new Map((yield* load(due, now)).map((row) => [row.uid, row]))
      return due.flatMap(({ appointment_uid, reminder }) => {
        const appointment = records.get(appointment_uid)
        return appointment === undefined ? [] : [{ appointment, reminder }]
      })
    })

    const publishBatch = Effect.fn("ReminderPublisher.publishBatch")(
      function* () {
        const now = yield* clock.now
        const taken = yield* repo.take(now, BATCH)
        const due = yield* repo.note(taken)
        if (due.length === 0) return taken.length
        const admins = yield* administrators(due)
        const all = yield* complete(due, now)
        const issued = yield* links.issueAll(
          all.map(({ appointment, reminder }) => ({
            appointment,
            actions: reminder.recipient_role === "patient" ? offeredActions(appointment) : []
          }))
        )
        yield* events.appendAll(all.flatMap((one, index) => eventsOf(one, admins, issued[index] ?? [])))
        yield* Metric.set(reminderLag, now - Math.min(now, ...all.map(dueAt)))
        return taken.length
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.orDie
    )

    /** Publishes all that is due. Any number of workers may do it at once: they share the work. */
    const publishDue = Effect.fn("ReminderPublisher.publishDue")(function* () {
      while ((yield* publishBatch()) > 0);
      yield* Effect.orDie(Effect.flatMap(clock.now, repo.advance))
    })

    return { publishDue } as const
  }),
  dependencies: [DomainClock.Default, DueRepo.Default, AppointmentsRepo.Default, LinkIssuer.Default, EventLog.Default]
}) {}

/** One event for each whom the reminder's role means. */
const eventsOf = (
  { appointment, reminder }: Reminding,
  admins: Administrators,
  action_links: ReadonlyArray<IssuedActionLink>
): ReadonlyArray<NewEvent> =>
  recipientsOf(appointment, reminder, admins).map((recipient) => ({
    organisation_uid: appointment.organisation_uid,
    type: "scheduling.appointment_reminder_due",
    subject: appointment.uid,
    data: {
      appointment: publicAppointment(appointment),
      reminder,
      recipient,
      visit_reason: appointment.visit_reason,
      action_links
    }
  }))

const recipientsOf = (
  appointment: Reminded,
  { recipient_role: role }: Reminder,
  admins: Administrators
): ReadonlyArray<Recipient> => {
  const { patient_uid, doctor_uid, patient_display_name, doctor_display_name, organisation_uid } = appointment
  if (role === "admin")
    return (admins.get(organisation_uid) ?? []).map(({ uid, display_name, email, phone }) => ({
      role,
      uid,
      display_name,
      email,
      phone
    }))
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
