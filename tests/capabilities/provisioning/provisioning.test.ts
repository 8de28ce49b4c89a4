import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { demoWorld } from "../../../src/capabilities/sandbox/services/demo/world.ts"
import { Provisioning } from "../../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld, random } from "../../support/world.ts"
import { faultsOf as faultsAt } from "./faults.ts"

const server = testServer()
const faultsOf = (file: unknown) => faultsAt(server.current, file)

const organisations = () => server.current.sql<{ uid: string }>`SELECT organisation_uid AS uid FROM organisations`

/** A practice that is not yet there, with a shop, a doctor and a patient. */
const practice = () => {
  const [uid, doctor_uid, patient_uid] = [random("org"), random("doc"), random("pat")]
  const shop = { uid: random("shop"), shop_identifier: random("shop"), organisation_uid: uid }
  const patient = { uid: patient_uid, organisation_uid: uid, shop_uid: shop.uid, shop_customer_id: "1" }
  const file = {
    organisations: [{ uid, name: "Praxis" }],
    shops: [shop],
    doctors: [{ uid: doctor_uid, organisation_uid: uid, display_name: "Dr." }],
    patients: [patient]
  }
  return { uid, doctor_uid, patient_uid, patient, file }
}

describe("a provisioning file", () => {
  test("applied twice changes nothing", async () => {
    expect([await faultsOf(demoWorld()), await faultsOf(demoWorld())]).toEqual([[], []])
    expect((await organisations()).filter(({ uid }) => uid === "org_demo")).toHaveLength(1)
  })

  test("with faults is rejected as a whole, with each fault once, at its path and in plain words", async () => {
    const { uid, doctor_uid, patient, file } = practice()
    const nowhere = "refers to something that does not exist"
    const notText = "must not have U+0000 or halves of surrogate pairs in it"
    const profile = { first_name: "A\0", date_of_birth: "1990-02-30", any: "\0" }
    const rule = { uid: random("rul"), doctor_uid, weekday: 0, start_time: 600, end_time: 540 }
    const override = { uid: random("ovr"), doctor_uid, date: 0 }
    const refused: ReadonlyArray<readonly [file: object, ...faults: ReadonlyArray<string>]> = [
      [
        {
          organisations: [{ uid, name: "Praxis", timezone: "Mars/Olympus", messages: ["farewell"], colour: "blue" }],
          doctors: [{ uid: doctor_uid }],
          shops: null,
          unknown_list: []
        },
        "unknown_list: is not a known field",
        "organisations[0].colour: is not a known field",
        "organisations[0].timezone: must be an IANA time zone, e.g. Europe/Berlin",
        'organisations[0].messages[0]: must be "confirmation" or "cancellation" or "rebooking"',
        "shops: must be a list",
        "doctors[0].organisation_uid: is required",
        "doctors[0].display_name: is required"
      ],
      [
        {
          doctor_appointment_type_settings: [
            { doctor_uid, appointment_type_uid: "any", booking_min_notice_minutes: 99_999_999_999 }
          ]
        },
        "doctor_appointment_type_settings[0].booking_min_notice_minutes: must be an integer from 0 to 52560000"
      ],
      [
        { patients: [{ ...patient, profile }] },
        `patients[0].profile.first_name: ${notText}`,
        "patients[0].profile.date_of_birth: must be a date, YYYY-MM-DD, or Unix seconds",
        `patients[0].profile.any: ${notText}`
      ],
      [
        {
          availability_rules: [{ ...rule, valid_from: 20, valid_until: 10, colour: 1 }],
          availability_date_overrides: [
            override,
            { ...override, day_off: true, start_time: 60 },
            { ...override, start_time: 60, end_time: 60 }
          ]
        },
        "availability_rules[0].colour: is not a known field",
        "availability_rules[0].end_time: must be after start_time",
        "availability_rules[0].valid_until: must be after valid_from",
        "availability_date_overrides[0].start_time: is required unless day_off is true",
        "availability_date_overrides[0].end_time: is required unless day_off is true",
        "availability_date_overrides[1].start_time: must be left out when day_off is true",
        "availability_date_overrides[2].end_time: must be after start_time"
      ],
      [
        { doctors: [{ uid: doctor_uid, organisation_uid: "org_nowhere", display_name: "Dr." }] },
        `doctors[0].organisation_uid: ${nowhere}`
      ],
      [
        { availability_rules: [{ ...rule, end_time: 720, doctor_uid: "doc_nowhere" }] },
        `availability_rules[0].doctor_uid: ${nowhere}`
      ]
    ]
    for (const [changes, ...faults] of refused)
      expect((await faultsOf({ ...file, ...changes })).toSorted()).toEqual(faults.toSorted())
    expect((await organisations()).map((row) => row.uid)).not.toContain(uid)
  })

  // Shows: forged tokens
  // Shows: short booking-token secrets
  test("cannot set a booking-token secret shorter than 32 bytes", async () => {
    const uid = random("org")
    const file = (secret: string) => ({
      organisations: [{ uid, name: "Praxis" }],
      booking_token_secrets: [{ organisation_uid: uid, key_id: random("key"), secret }]
    })
    for (const secret of ["", "x".repeat(31), `${"ä".repeat(15)}x`])
      expect(await faultsOf(file(secret))).toEqual([
        expect.stringMatching(/^booking_token_secrets\[0\].secret: must be /)
      ])
    // 32 bytes, 16 characters
    expect(await faultsOf(file("ä".repeat(16)))).toEqual([])
  })

  test("has appointments that overlap and patients of one customer reported", async () => {
    const { uid: organisation_uid, doctor_uid, patient_uid, patient, file } = practice()
    const made = (start_date: number, end_date: number, status = "confirmed") => ({
      uid: random("apt"),
      organisation_uid,
      doctor_uid,
      patient_uid,
      status,
      start_date,
      end_date
    })
    const first = made(1_000, 2_000)
    const withAppointments = (...appointments: ReadonlyArray<object>) => faultsOf({ ...file, appointments })
    expect(await withAppointments(made(1_000, 1_000))).toEqual(["appointments[0].end_date: must be after start_date"])
    expect(await withAppointments(first, made(1_999, 3_000))).toEqual([
      "appointments[1].start_date: overlaps another held or confirmed appointment of the same doctor or resource: move one, or give it another status"
    ])
    expect(await withAppointments(first, made(1_999, 3_000, "cancelled"))).toEqual([])
    expect(await faultsOf({ ...file, patients: [{ ...patient, uid: random("pat") }] })).toEqual([
      "patients[0].shop_customer_id: is used already by another entry"
    ])
  })

  test("cannot use one identifier for a pharmacy and an organisation, since events are stored by owner", async () => {
    const pharmacies = (uid: string) => ({ pharmacies: [{ uid, name: "Apotheke" }] })
    const practices = (uid: string) => ({ organisations: [{ uid, name: "Praxis" }] })
    const [organisation, pharmacy, both] = [random("org"), random("pha"), random("both")]
    await faultsOf({ ...practices(organisation), ...pharmacies(pharmacy) })
    expect([
      await faultsOf(pharmacies(organisation)),
      await faultsOf(practices(pharmacy)),
      await faultsOf({ ...practices(both), ...pharmacies(both) })
    ]).toEqual([
      ["pharmacies[0].uid: is an organisation's"],
      ["organisations[0].uid: is a pharmacy's"],
      ["organisations[0].uid: is a pharmacy's"]
    ])
  })

  test("cannot take over another organisation's records", async () => {
    const [mine, other] = [practice(), practice()]
    expect([await faultsOf(mine.file), await faultsOf(other.file)]).toEqual([[], []])
    const { shops, doctors } = mine.file
    const organisation_uid = other.uid
    const taken = { shops: [{ ...shops[0], organisation_uid }], doctors: [{ ...doctors[0], organisation_uid }] }
    expect(await faultsOf({ shops: taken.shops })).toEqual(["shops[0].uid: belongs to another organisation"])
    expect(await faultsOf({ doctors: taken.doctors })).toEqual(["doctors[0].uid: belongs to another organisation"])
  })
})

test("people of a practice get their roles from the file; who has signed in before becomes that person; Rule 12.4.22", async () => {
  const world = await makeWorld(server.current)
  const { organisation_uid, api, provision } = world
  const [uid, subject] = [random("stf"), random("user")]
  const kim = { uid, organisation_uid, display_name: "Kim Beispiel", email: "kim@example.org" }
  const person = { ...kim, role: "reception", subject }
  const invited = { uid: random("stf"), organisation_uid, display_name: "Alex Beispiel", role: "billing" }
  const staff = async () => (await api("GET", "/v1/management/staff")).body.data
  await provision({ staff: [person, invited] })
  expect(await staff()).toMatchObject([
    { uid: invited.uid, role: "billing", status: "invited", invitation_expires_at: null },
    { uid, display_name: "Kim Beispiel", role: "reception", role_from: "console", subject, status: "active" }
  ])
  const compared = await server.current.run(
    Effect.flatMap(Provisioning, ({ compare }) => compare({ staff: [person, invited] }))
  )
  expect(compared).toEqual([])
  // a role that the practice changes stays until the entry changes
  await api("PATCH", `/v1/management/staff/${uid}`, { role: "read_only" })
  await provision({ staff: [person] })
  expect((await staff())[1]).toMatchObject({ role: "read_only" })
  await provision({ staff: [{ ...person, role: "assistant" }] })
  expect((await staff())[1]).toMatchObject({ role: "assistant" })
  // the same person under another uid
  const again = { ...person, uid: random("stf"), role: null }
  await provision({ staff: [again] })
  expect(await staff()).toMatchObject([
    { uid: invited.uid },
    { uid: again.uid, subject, role: null, role_from: "provider" }
  ])
  const other = { ...invited, subject }
  expect(provision({ staff: [other] })).rejects.toThrow("staff[0].subject: is used already by another entry")
})
