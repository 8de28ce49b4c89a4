import { expect, test } from "bun:test"
import { Effect } from "effect"
import { ReminderPublisher } from "../../src/services/scheduling/reminders/ReminderPublisher.ts"
import { openedEvents } from "../support/records.ts"
import { sized } from "../support/scale.ts"
import { ownServer, startServer } from "../support/server.ts"
import { DAY, makeWorld, random } from "../support/world.ts"

const APPOINTMENTS = sized(300, 5_000)
const DOCTORS = 20

const server = ownServer({ ROLE: "http" })

test(`three workers and ${2 * APPOINTMENTS} due reminders: each is one event per recipient`, async () => {
  const world = await makeWorld(server.current, { doctors: DOCTORS })
  const { organisation_uid, shop_uid, type_uid, doctors, key } = world
  const patient = random("pat")
  await world.provision({
    patients: [{ uid: patient, organisation_uid, shop_uid, shop_customer_id: "1", profile: {} }]
  })
  for (const recipient_role of ["patient", "doctor"])
    await server.current.api("POST", `/v1/management/scheduling/appointment-types/${type_uid}/reminders`, {
      key,
      body: { recipient_role, minutes_before: (14 * DAY) / 60 }
    })
  const from = Math.floor(Date.now() / 1000) + DAY
  await server.current
    .sql`INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, appointment_type_uid, slot_group,
      status, meeting_type, meeting_format, start_date, end_date, room_name, created_at, updated_at, confirmed_at)
    SELECT ${organisation_uid}, 'apt_' || i, (${doctors}::text[])[1 + i % ${DOCTORS}], ${patient}, ${type_uid},
      'apt_' || i, 'confirmed', 'CONSULTATION', 'DIGITAL', to_timestamp(${from} + (i / ${DOCTORS}) * 1200),
      to_timestamp(${from} + (i / ${DOCTORS}) * 1200 + 1200), 'room', to_timestamp(0), to_timestamp(0), to_timestamp(0)
    FROM generate_series(0, ${APPOINTMENTS - 1}::int) i
    ON CONFLICT DO NOTHING` // never conflicts; without the clause Citus uses COPY, which row-level security rejects
  await server.current.sql`UPDATE reminders SET effective_from = to_timestamp(0)`

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
  const links = await server.current.sql<{ links: number }>`SELECT count(*) AS links FROM action_links`
  expect([
    published.length,
    distinct.size,
    new Set(published.map(({ subject }) => subject)).size,
    links[0]?.links
  ]).toEqual([2 * APPOINTMENTS, 2 * APPOINTMENTS, APPOINTMENTS, 3 * APPOINTMENTS])
})
