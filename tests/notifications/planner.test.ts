/** The messages of an event and their due times, at a time set by the test. */
import { beforeAll, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Schema, TestClock, TestContext } from "effect"
import { eventCatalogue, type NewEvent } from "../../src/schemas/events/catalogue.ts"
import { AppointmentUid, DoctorUid, PatientUid } from "../../src/schemas/ids.ts"
import type { Appointment } from "../../src/schemas/scheduling/Appointment.ts"
import { Database } from "../../src/services/database/Database.ts"
import { EventLog } from "../../src/services/events/EventLog.ts"
import { isSkippedFor } from "../support/citus.ts"
import { genericPlan, withManyRows } from "../support/genericPlan.ts"
import { inDays, makePractice, type Practice, type PracticeOptions } from "../support/practice.ts"
import { testLayers } from "../support/server.ts"
import { recording } from "../support/statements.ts"

const layers = testLayers()
/** Unix seconds. */
const NOW = 1_990_000_000

let quiet: Practice
let chatty: Practice
const practiceOf = (organisation: PracticeOptions["organisation"] = {}) =>
  layers.current.run(Effect.tap(makePractice({ organisation }), ({ customer }) => customer()))
beforeAll(async () => {
  quiet = await practiceOf()
  chatty = await practiceOf({ messages: ["confirmation", "cancellation", "rebooking"] })
})

let bookings = 0
const booked = ({ bookByKey, doctor }: Practice) => {
  bookings += 1
  return layers.current.run(bookByKey({ doctor_uid: doctor, start_date: inDays(bookings) }))
}

const examples = {
  changed: Schema.decodeUnknownSync(eventCatalogue.patient_doctor_meeting_updated.data)(
    eventCatalogue.patient_doctor_meeting_updated.example
  ),
  moved: Schema.decodeUnknownSync(eventCatalogue.rebooked.data)(eventCatalogue.rebooked.example),
  reminded: Schema.decodeUnknownSync(eventCatalogue["scheduling.appointment_reminder_due"].data)(
    eventCatalogue["scheduling.appointment_reminder_due"].example
  )
}

/** Appends events at `NOW`; returns the planned messages of each. */
const plannedForAll = (events: ReadonlyArray<NewEvent>) =>
  layers.current.run(
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW * 1000)
      const { appendAll } = yield* EventLog
      const { transaction } = yield* Database
      const sql = yield* SqlClient.SqlClient
      const ids = yield* transaction(appendAll(events))
      return yield* Effect.forEach(
        ids,
        (id) => sql<Record<string, unknown>>`SELECT kind, channel, recipient_role AS role, recipient_uid AS uid,
            invite, extract(epoch FROM next_attempt_at)::bigint AS due
          FROM messages WHERE event_id = ${id} ORDER BY kind, channel, role`
      )
    }).pipe(Effect.provide(TestContext.TestContext))
  )
const plannedFor = async (event: NewEvent) => (await plannedForAll([event]))[0] ?? []

/** Stores that the appointment's doctor has received an invitation. */
const inviteDoctor = ({ uid, doctor_uid }: Appointment) =>
  layers.current.sql`INSERT INTO messages (organisation_uid, uid, event_id, kind, appointment_uid, recipient_role,
      recipient_uid, channel, invite, status, attempts, created_at)
    SELECT organisation_uid, ${`msg_${uid}`}, event_id, 'reminder', appointment_uid, 'doctor',
      ${doctor_uid}, 'email', 'REQUEST', 'sent', 1, created_at
    FROM messages WHERE appointment_uid = ${uid}`

const changed = (practice: Practice, change: "confirmed" | "cancelled", appointment: Appointment): NewEvent => ({
  type: "patient_doctor_meeting_updated",
  organisation_uid: practice.organisation_uid,
  subject: appointment.uid,
  data: { ...examples.changed, change, appointment }
})

test("plans nothing if the organisation has opted in to nothing", async () => {
  const appointment = await booked(quiet)
  expect(await plannedFor(changed(quiet, "confirmed", appointment))).toEqual([])
  expect(await plannedFor(changed(quiet, "cancelled", appointment))).toEqual([])
})

test("plans a confirmation with an invitation, and a cancellation, due at once", async () => {
  const appointment = await booked(chatty)
  const mail = { channel: "email", role: "patient", uid: appointment.patient_uid, due: NOW }
  expect(await plannedFor(changed(chatty, "confirmed", appointment))).toEqual([
    { ...mail, kind: "confirmation", invite: "REQUEST" }
  ])
  // the invitation has not been attempted: nothing to withdraw
  expect(await plannedFor(changed(chatty, "cancelled", appointment))).toEqual([
    { ...mail, kind: "cancellation", invite: null }
  ])
})

test("plans the messages of many cancellations, each with its own invitations", async () => {
  const [one, two] = [await booked(chatty), await booked(chatty)]
  await inviteDoctor(two)
  const patient = { kind: "cancellation", role: "patient", invite: null }
  expect(await plannedForAll([changed(chatty, "cancelled", one), changed(chatty, "cancelled", two)])).toMatchObject([
    [{ ...patient, uid: one.patient_uid }],
    [
      { kind: "cancellation", role: "doctor", uid: two.doctor_uid, invite: "CANCEL" },
      { ...patient, uid: two.patient_uid }
    ]
  ])
})

test.each([
  { send_email: true, send_sms: true, email: "a@example.org", phone: null, channels: ["email"] },
  { send_email: true, send_sms: true, email: "a@example.org", phone: "+491700000", channels: ["email", "sms"] },
  { send_email: true, send_sms: false, email: null, phone: "+491700000", channels: [] },
  { send_email: false, send_sms: true, email: "a@example.org", phone: "+491700000", channels: ["sms"] }
])("a reminder goes by %p", async ({ send_email, send_sms, email, phone, channels }) => {
  const appointment = await booked(quiet)
  const { reminder, recipient, ...data } = examples.reminded
  const planned = await plannedFor({
    type: "scheduling.appointment_reminder_due",
    organisation_uid: quiet.organisation_uid,
    subject: appointment.uid,
    data: {
      ...data,
      appointment,
      reminder: { ...reminder, send_email, send_sms },
      recipient: { ...recipient, role: "patient", uid: PatientUid.make(appointment.patient_uid), email, phone }
    }
  })
  expect(planned.map(({ channel }) => channel)).toEqual([...channels])
})

test("a move notifies the patient once, and withdraws the invitation of the replaced doctor", async () => {
  const appointment = await booked(chatty)
  await inviteDoctor(appointment)
  const doctor_uid = DoctorUid.make(chatty.doctors[1] ?? "")
  const planned = await plannedFor({
    type: "rebooked",
    organisation_uid: chatty.organisation_uid,
    subject: appointment.uid,
    data: {
      ...examples.moved,
      appointment: { ...appointment, doctor_uid },
      previous_meeting_uid: appointment.uid
    }
  })
  expect(planned).toMatchObject([
    { kind: "cancellation", role: "doctor", uid: appointment.doctor_uid, invite: "CANCEL", due: NOW },
    { kind: "rebooking", role: "patient", uid: appointment.patient_uid, invite: "REQUEST", due: NOW }
  ])
})

test("an organisation's messages beyond twenty a minute are taken after all others", async () => {
  const [burst, other] = [
    await practiceOf({ messages: ["confirmation"] }),
    await practiceOf({ messages: ["confirmation"] })
  ]
  const append = (practice: Practice, count: number) =>
    layers.current.run(
      Effect.gen(function* () {
        yield* TestClock.setTime((NOW + 3600) * 1000)
        const { appendAll } = yield* EventLog
        const { transaction } = yield* Database
        const confirmed = changed(practice, "confirmed", {
          ...examples.changed.appointment,
          uid: AppointmentUid.make("apt_1")
        })
        yield* transaction(appendAll(Array.from({ length: count }, () => confirmed)))
      }).pipe(Effect.provide(TestContext.TestContext))
    )
  await append(burst, 20)
  await append(burst, 5)
  await append(other, 1)
  const prioritiesOf = (practice: Practice) =>
    layers.current.sql<{ priority: number; jobs: number }>`SELECT priority, count(*) AS jobs FROM pgboss.job
      WHERE name = 'message.send' AND data->'data'->>'organisation_uid' = ${practice.organisation_uid}
      GROUP BY 1 ORDER BY 1`
  expect(await prioritiesOf(burst)).toEqual([
    { priority: -1, jobs: 5 },
    { priority: 0, jobs: 20 }
  ])
  expect(await prioritiesOf(other)).toEqual([{ priority: 0, jobs: 1 }])
})

const isCluster = isSkippedFor(
  "plans need the statistics of a large table, which only a superuser of a single node can set"
)
test.skipIf(isCluster)(
  "the recipients of an invitation are found by indexes, not by reading all messages",
  async () => {
    const { uid } = await booked(chatty)
    const cancel = () => layers.current.run(chatty.cancel(uid))
    const { statements } = await recording(cancel, layers.current.databaseUrl)
    const sent = statements.filter(({ text }) => text.includes("m.invite"))
    expect(sent).not.toBeEmpty()
    await withManyRows(layers.current.databaseUrl, ["messages", "appointments"], async (client) => {
      for (const statement of sent) {
        const plan = await genericPlan(client, statement)
        expect(plan).toMatch(/Index Cond: .*slot_group =/)
        expect(plan).toMatch(/Index Cond: .*appointment_uid =/)
      }
    })
  }
)
