import { beforeAll, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { makeWorld, type World } from "../support/world.ts"

const server = testServer()
let world: World
beforeAll(async () => {
  world = await makeWorld(server.current)
})

const request = (method: string, path: string, body?: unknown) =>
  world.api(method, `/v1/management/scheduling${path}`, body)

/** Concurrent clients each change one field; all changes are stored. */
const updatedAtOnce = async (path: string, fields: Readonly<Record<string, unknown>>) => {
  const answers = await Promise.all(
    Object.entries(fields).map(([field, value]) => request("PATCH", path, { [field]: value }))
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  return (await request("PATCH", path, {})).body
}

test("an appointment type", async () => {
  const fields = {
    name: "Renamed",
    meeting_type: "REVIEW",
    duration_minutes: 45,
    hold_ttl_seconds: 61,
    booking_min_notice_minutes: 1,
    cancellation_min_notice_minutes: 2,
    rebooking_min_notice_minutes: 3,
    room_strategy: "persistent_per_provider",
    rebooking_mode: "same_doctor_only",
    doctor_assignment_mode: "selected_doctors_only",
    allow_patient_rebooking: false,
    active: false
  }
  for (let round = 0; round < 5; round++) {
    await updatedAtOnce(`/appointment-types/${world.type_uid}`, { ...fields, name: `Before ${round}`, active: true })
    expect(await updatedAtOnce(`/appointment-types/${world.type_uid}`, fields)).toMatchObject(fields)
  }
})

test("a rule, an override and a reminder", async () => {
  const rules = `/doctors/${world.doctor}/availability-rules`
  const rule = (await request("POST", rules, { weekday: 0, start_time: 600, end_time: 700 })).body
  const newRule = {
    weekday: 3,
    start_time: 60,
    end_time: 800,
    buffer_minutes: 5,
    valid_from: 100,
    valid_until: 200,
    active: false,
    appointment_type_uid: world.type_uid
  }
  expect(await updatedAtOnce(`${rules}/${rule.uid}`, newRule)).toMatchObject(newRule)

  const overrides = `/doctors/${world.doctor}/availability-date-overrides`
  const override = (await request("POST", overrides, { date: 86_400, start_time: 600, end_time: 700 })).body
  const newOverride = { date: 172_800, start_time: 60, end_time: 800, buffer_minutes: 5 }
  expect(await updatedAtOnce(`${overrides}/${override.uid}`, newOverride)).toMatchObject(newOverride)

  const reminders = `/appointment-types/${world.type_uid}/reminders`
  const reminder = (await request("POST", reminders, { recipient_role: "patient", minutes_before: 5 })).body
  const newReminder = { recipient_role: "admin", minutes_before: 77, send_email: true, send_sms: true, active: false }
  expect(await updatedAtOnce(`${reminders}/${reminder.uid}`, newReminder)).toMatchObject(newReminder)
})
