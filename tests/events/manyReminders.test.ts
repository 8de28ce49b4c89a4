/** Many reminders that are due at once: one event for each appointment and recipient. Rules 6.6.5 and 6.6.8. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { ReminderPublisher } from "../../src/services/scheduling/reminders/ReminderPublisher.ts"
import { openedEvents } from "../support/records.ts"
import { sized } from "../support/scale.ts"
import { ownServer, startServer } from "../support/server.ts"
import { DAY, makeWorld, random, type World } from "../support/world.ts"

const server = ownServer({ ROLE: "http" })

/** Appointments of one patient, in turn with each doctor, whose reminders for these roles are due. */
const due = async (world: World, appointments: number, roles: ReadonlyArray<string>) => {
  const { organisation_uid, shop_uid, type_uid, doctors } = world
  const patient = random("pat")
  await world.provision({
    patients: [{ uid: patient, organisation_uid, shop_uid, shop_customer_id: "1", profile: {} }]
  })
  for (const recipient_role of roles)
    await world.api("POST", `/v1/management/scheduling/appointment-types/${type_uid}/reminders`, {
      recipient_role,
      minutes_before: (14 * DAY) / 60
    })
  const from = Math.floor(Date.now() / 1000) + DAY
  await server.current
    .sql`INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, appointment_type_uid, slot_group,
      status, meeting_type, meeting_format, start_date, end_date, room_name, created_at, updated_at, confirmed_at)
    SELECT ${organisation_uid}, 'apt_' || i, (${doctors}::text[])[1 + i % ${doctors.length}], ${patient}, ${type_uid},
      'apt_' || i, 'confirmed', 'CONSULTATION', 'DIGITAL', to_timestamp(${from} + (i / ${doctors.length}) * 1200),
      to_timestamp(${from} + (i / ${doctors.length}) * 1200 + 1200), 'room', to_timestamp(0), to_timestamp(0), to_timestamp(0)
    FROM generate_series(0, ${appointments - 1}::int) i
    ON CONFLICT DO NOTHING` // never conflicts; without the clause Citus uses COPY, which row-level security rejects
  await server.current
    .sql`UPDATE reminders SET effective_from = to_timestamp(0) WHERE organisation_uid = ${organisation_uid}`
}

const APPOINTMENTS = sized(300, 5_000)

test(`three workers and ${2 * APPOINTMENTS} due reminders: each is one event per recipient`, async () => {
  const world = await makeWorld(server.current, { doctors: 20 })
  const { organisation_uid } = world
  await due(world, APPOINTMENTS, ["patient", "doctor"])

  const others = await Promise.all([1, 2].map(() => startServer({ ROLE: "http" }, server.current.databaseUrl)))
  const publish = Effect.flatMap(ReminderPublisher, ({ publishDue }) => publishDue())
  await Promise.all([server.current, ...others].map(({ run }) => run(publish)))
  await Promise.all(others.map(({ stop }) => stop()))

  const published = await openedEvents(
    server.current,
    (sql) => sql`owner_uid = ${organisation_uid} AND type = 'scheduling.appointment_reminder_due'`
  )
  const distinct = new Set(
    published.map(({ subject, data }) => JSON.stringify([subject, data.reminder, data.recipient]))
  )
  const [links] = await server.current.sql<{ count: number }>`SELECT count(*) AS count FROM action_links
    WHERE organisation_uid = ${organisation_uid}`
  expect([
    published.length,
    distinct.size,
    new Set(published.map(({ subject }) => subject)).size,
    links?.count
  ]).toEqual([2 * APPOINTMENTS, 2 * APPOINTMENTS, APPOINTMENTS, 3 * APPOINTMENTS])
})

// Shows: reminders of many appointments to a thousand administrators
test("of many appointments and many administrators are all published, a limited number of them at a time", async () => {
  /** More events than one statement has parameters for. */
  const [admins, appointments] = [100, 90]
  const world = await makeWorld(server.current, {
    doctors: 1,
    organisation: { admins: Array.from({ length: admins }, () => ({ uid: random("adm"), display_name: "Weber" })) }
  })
  await due(world, appointments, ["admin", "patient"])

  const publishedAfter = async (within?: number) => {
    await server.current.run(Effect.flatMap(ReminderPublisher, ({ publishDue }) => publishDue(within)))
    const [found] = await server.current.sql<{ events: number }>`SELECT count(*) AS events FROM events
        WHERE owner_uid = ${world.organisation_uid} AND type = 'scheduling.appointment_reminder_due'`
    return found?.events ?? 0
  }
  // One transaction, then the time is over
  const first = await publishedAfter(0)
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThanOrEqual(1_000)
  expect(await publishedAfter()).toBe((admins + 1) * appointments)
})
