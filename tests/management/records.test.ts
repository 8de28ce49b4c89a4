/** Every field of a practice's records is stored; clients that change one each at the same time lose no change. */
import { expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { CONSULTATION, makeWorld, type World } from "../support/world.ts"

const server = testServer()

type Fields = Readonly<Record<string, unknown>>
const records: Readonly<Record<string, (world: World) => readonly [list: string, created: Fields, changed: Fields]>> = {
  "an appointment type": () => [
    "appointment-types",
    {
      name: "First visit",
      ...CONSULTATION,
      meeting_type: "INITIAL",
      description: "a",
      preparation: "b",
      cancellation_rule: "c",
      price: "d",
      translations: [
        { language: "tr", name: "Muayene", description: "a", preparation: "b", cancellation_rule: "c", price: "d" }
      ],
      buffer_before_minutes: 1,
      buffer_after_minutes: 2,
      slot_step_minutes: 15,
      closed_on_holidays: false,
      seats: 3,
      formats: ["IN_PERSON"],
      limits: [{ per: "month", max: 10_000, scope: "organisation" }]
    },
    {
      name: "Renamed",
      meeting_type: "REVIEW",
      duration_minutes: 45,
      hold_ttl_seconds: 61,
      booking_min_notice_minutes: 1,
      cancellation_min_notice_minutes: 2,
      rebooking_min_notice_minutes: 3,
      room_strategy: "persistent_per_provider",
      rebooking_mode: "any_doctor_same_organisation",
      doctor_assignment_mode: "selected_doctors_only",
      doctor_choice: "patient",
      allow_patient_rebooking: true,
      translations: [],
      buffer_before_minutes: 240,
      buffer_after_minutes: 239,
      slot_step_minutes: null,
      closed_on_holidays: true,
      seats: 200,
      formats: ["DIGITAL"],
      limits: [],
      active: false
    }
  ],
  "an availability rule": ({ doctor, type_uid }) => [
    `doctors/${doctor}/availability-rules`,
    { weekday: 0, start_time: 600, end_time: 700, buffer_minutes: 4, valid_from: 1, valid_until: 300, active: true },
    {
      weekday: 3,
      start_time: 60,
      end_time: 800,
      buffer_minutes: 5,
      valid_from: 100,
      valid_until: 200,
      active: false,
      appointment_type_uid: type_uid
    }
  ],
  "a date override": ({ doctor, type_uid }) => [
    `doctors/${doctor}/availability-date-overrides`,
    { date: 86_400, start_time: 600, end_time: 700, buffer_minutes: 4 },
    { date: 172_800, start_time: 60, end_time: 800, buffer_minutes: 5, appointment_type_uid: type_uid }
  ],
  "a reminder": ({ type_uid }) => [
    `appointment-types/${type_uid}/reminders`,
    { recipient_role: "patient", minutes_before: 5, send_email: true, send_sms: false, active: true },
    { recipient_role: "admin", minutes_before: 77, send_email: false, send_sms: true, active: false }
  ],
  "a resource": () => [
    "resources",
    { kind: "device", name: "Ultrasound", site: "Room 2", always_available: false, active: true },
    { kind: "person", name: "Interpreter", site: null, always_available: true, active: false }
  ]
}

test.each(Object.entries(records))("%s", async (_, record) => {
  const world = await makeWorld(server.current)
  const [path, fields, changes] = record(world)
  const list = `/v1/management/scheduling/${path}`
  const created = await world.api("POST", list, fields)
  expect(created).toMatchObject({ status: 201, body: fields })
  const change = (one: Fields) => world.api("PATCH", `${list}/${created.body.uid}`, one)
  const answers = await Promise.all(Object.entries(changes).map(([field, value]) => change({ [field]: value })))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect((await change({})).body).toMatchObject(changes)
})
