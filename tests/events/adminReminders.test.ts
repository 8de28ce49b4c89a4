/** Reminders for administrators: one event for each appointment and administrator. Rules 6.6.5 and 6.6.8. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { ReminderPublisher } from "../../src/services/scheduling/reminders/ReminderPublisher.ts"
import { ownServer } from "../support/server.ts"
import { DAY, makeWorld, random } from "../support/world.ts"

/** More events than one statement has parameters for. */
const [ADMINS, APPOINTMENTS] = [100, 90]
const ALL = (ADMINS + 1) * APPOINTMENTS

const server = ownServer({ ROLE: "http" })

// Shows: reminders of many appointments to a thousand administrators
test("of many appointments and many administrators are all published, a limited number of them at a time", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const { organisation_uid, shop_uid, type_uid, doctor, key } = world
  const patient = random("pat")
  const admins = Array.from({ length: ADMINS }, () => ({ uid: random("adm"), display_name: "Weber" }))
  await world.provision({
    organisations: [{ uid: organisation_uid, name: "Praxis", timezone: "UTC", admins }],
    patients: [{ uid: patient, organisation_uid, shop_uid, shop_customer_id: "1", profile: {} }]
  })
  for (const recipient_role of ["admin", "patient"])
    await server.current.api("POST", `/v1/management/scheduling/appointment-types/${type_uid}/reminders`, {
      key,
      body: { recipient_role, minutes_before: (14 * DAY) / 60 }
    })
  const from = Math.floor(Date.now() / 1000) + DAY
  await server.current
    .sql`INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, appointment_type_uid, slot_group,
        status, meeting_type, meeting_format, start_date, end_date, room_name, created_at, updated_at, confirmed_at)
      SELECT ${organisation_uid}, 'apt_' || i, ${doctor}, ${patient}, ${type_uid}, 'apt_' || i, 'confirmed', 'CONSULTATION',
        'DIGITAL', to_timestamp(${from} + i * 1200), to_timestamp(${from} + i * 1200 + 1200), 'room', to_timestamp(0),
        to_timestamp(0), to_timestamp(0)
      FROM generate_series(0, ${APPOINTMENTS - 1}::int) i
      ON CONFLICT DO NOTHING` // never conflicts; without the clause Citus uses COPY, which row-level security rejects
  await server.current.sql`UPDATE reminders SET effective_from = to_timestamp(0)`

  const publishedAfter = async (within?: number) => {
    await server.current.run(Effect.flatMap(ReminderPublisher, ({ publishDue }) => publishDue(within)))
    const [found] = await server.current.sql<{ events: number }>`SELECT count(*) AS events FROM events
        WHERE owner_uid = ${organisation_uid} AND type = 'scheduling.appointment_reminder_due'`
    return found?.events ?? 0
  }
  // One transaction, then the time is over
  const first = await publishedAfter(0)
  expect(first).toBeGreaterThan(0)
  expect(first).toBeLessThanOrEqual(1_000)
  expect(await publishedAfter()).toBe(ALL)
})
