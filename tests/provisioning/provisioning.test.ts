import { describe, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { demoWorld } from "../../src/layers/demo/world.ts"
import { Provisioning } from "../../src/services/provisioning/Provisioning.ts"
import { ownServer } from "../support/server.ts"
import { makeWorld, random } from "../support/world.ts"

const server = ownServer()

const apply = (file: unknown) =>
  server.current.run(Effect.either(Effect.flatMap(Provisioning, ({ apply }) => apply(file))))

const faultsOf = async (file: unknown) => {
  const outcome = await apply(file)
  return Either.isLeft(outcome) && "faults" in outcome.left ? outcome.left.faults : []
}

const organisations = () => server.current.sql<{ uid: string }>`SELECT organisation_uid AS uid FROM organisations`

describe("a provisioning file", () => {
  test("applied twice changes nothing", async () => {
    expect(Either.isRight(await apply(demoWorld()))).toBe(true)
    expect(Either.isRight(await apply(demoWorld()))).toBe(true)
    expect((await organisations()).filter(({ uid }) => uid === "org_demo")).toHaveLength(1)
  })

  test("with faults is rejected as a whole, and each fault has its JSON path", async () => {
    const uid = random("org")
    const faults = await faultsOf({
      organisations: [{ uid, name: "Praxis", timezone: "Mars/Olympus", colour: "blue" }],
      doctors: [{ uid: random("doc") }],
      unknown_list: []
    })
    expect(faults).toContain("organisations[0].colour: is not a known field")
    expect(faults).toContain("organisations[0].timezone: must be an IANA time zone, e.g. Europe/Berlin")
    expect(faults).toContain("doctors[0].organisation_uid: is required")
    expect(faults).toContain("unknown_list: is not a known field")
    expect((await organisations()).map((row) => row.uid)).not.toContain(uid)
  })

  test("has each fault reported once, at its field and in plain words", async () => {
    const uid = random("org")
    const organisation = { uid, name: "Praxis", messages: ["farewell"], colour: "blue" }
    const doctor = { uid: random("doc"), organisation_uid: uid, display_name: "Dr." }
    expect(await faultsOf({ organisations: [organisation], doctors: null })).toEqual([
      "organisations[0].colour: is not a known field",
      'organisations[0].messages[0]: must be "confirmation" or "cancellation" or "rebooking"',
      "doctors: must be a list"
    ])
    const setting = { doctor_uid: doctor.uid, appointment_type_uid: "any", booking_min_notice_minutes: 99_999_999_999 }
    expect(
      await faultsOf({
        organisations: [{ uid, name: "Praxis" }],
        doctors: [doctor],
        doctor_appointment_type_settings: [setting]
      })
    ).toEqual(["doctor_appointment_type_settings[0].booking_min_notice_minutes: must be an integer from 0 to 52560000"])
    const shop = { uid: random("shop"), shop_identifier: random("shop"), organisation_uid: uid }
    const patient = { uid: random("pat"), organisation_uid: uid, shop_uid: shop.uid, shop_customer_id: "1" }
    expect(
      await faultsOf({
        organisations: [{ uid, name: "Praxis" }],
        shops: [shop],
        patients: [{ ...patient, profile: { first_name: "A\0", date_of_birth: "1990-02-30", any: "\0" } }]
      })
    ).toEqual([
      "patients[0].profile.first_name: must not have U+0000 or halves of surrogate pairs in it",
      "patients[0].profile.date_of_birth: must be a date, YYYY-MM-DD, or Unix seconds",
      "patients[0].profile.any: must not have U+0000 or halves of surrogate pairs in it"
    ])
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
    expect(Either.isRight(await apply(file("ä".repeat(16))))).toBe(true)
  })

  test("has inconsistent entries reported in plain words, at their path", async () => {
    const uid = random("org")
    const doctor_uid = random("doc")
    const shop = { uid: random("shop"), shop_identifier: random("shop"), organisation_uid: uid }
    const patient = { uid: random("pat"), organisation_uid: uid, shop_uid: shop.uid, shop_customer_id: "1" }
    const scene = {
      organisations: [{ uid, name: "Praxis" }],
      shops: [shop],
      doctors: [{ uid: doctor_uid, organisation_uid: uid, display_name: "Dr." }],
      patients: [patient]
    }
    const window = { doctor_uid, weekday: 0, start_time: 600, end_time: 540 }
    const override = { uid: random("ovr"), doctor_uid, date: 0 }
    expect(
      await faultsOf({
        ...scene,
        availability_rules: [{ uid: random("rul"), ...window, valid_from: 20, valid_until: 10, colour: 1 }],
        availability_date_overrides: [
          override,
          { ...override, day_off: true, start_time: 60 },
          { ...override, start_time: 60, end_time: 60 }
        ]
      })
    ).toEqual([
      "availability_rules[0].colour: is not a known field",
      "availability_rules[0].end_time: must be after start_time",
      "availability_rules[0].valid_until: must be after valid_from",
      "availability_date_overrides[0].start_time: is required unless day_off is true",
      "availability_date_overrides[0].end_time: is required unless day_off is true",
      "availability_date_overrides[1].start_time: must be left out when day_off is true",
      "availability_date_overrides[2].end_time: must be after start_time"
    ])
    const appointment = { uid: random("apt"), organisation_uid: uid, doctor_uid, patient_uid: patient.uid }
    const times = { status: "confirmed", start_date: 1_000, end_date: 2_000 }
    const later = { ...appointment, uid: random("apt"), ...times, start_date: 1_999, end_date: 3_000 }
    expect(await faultsOf({ ...scene, appointments: [{ ...appointment, ...times, end_date: 1_000 }] })).toEqual([
      "appointments[0].end_date: must be after start_date"
    ])
    expect(await faultsOf({ ...scene, appointments: [{ ...appointment, ...times }, later] })).toEqual([
      "appointments[1].start_date: overlaps another held or confirmed appointment of the same doctor or resource: move one, or give it another status"
    ])
    const cancelled = { ...later, status: "cancelled" }
    expect(Either.isRight(await apply({ ...scene, appointments: [{ ...appointment, ...times }, cancelled] }))).toBe(
      true
    )
    expect(await faultsOf({ ...scene, patients: [{ ...patient, uid: random("pat") }] })).toEqual([
      "patients[0].shop_customer_id: is used already by another entry"
    ])
  })

  test("with a dangling reference is rejected as a whole", async () => {
    const uid = random("org")
    const organisation = { uid, name: "Praxis" }
    expect(
      await faultsOf({
        organisations: [organisation],
        doctors: [{ uid: random("doc"), organisation_uid: "org_nowhere", display_name: "Dr." }]
      })
    ).toEqual(["doctors[0].organisation_uid: refers to something that does not exist"])
    expect(
      await faultsOf({
        organisations: [organisation],
        availability_rules: [{ uid: random("rul"), doctor_uid: "doc_nowhere", weekday: 0, start_time: 0, end_time: 60 }]
      })
    ).toEqual(["availability_rules[0].doctor_uid: refers to something that does not exist"])
    expect((await organisations()).map((row) => row.uid)).not.toContain(uid)
  })

  test("cannot use one identifier for a pharmacy and an organisation, since events are stored by owner", async () => {
    const [organisation, pharmacy] = [random("org"), random("pha")]
    await apply({
      organisations: [{ uid: organisation, name: "Praxis" }],
      pharmacies: [{ uid: pharmacy, name: "Apotheke" }]
    })
    expect(await faultsOf({ pharmacies: [{ uid: organisation, name: "Apotheke" }] })).toEqual([
      "pharmacies[0].uid: is an organisation's"
    ])
    expect(await faultsOf({ organisations: [{ uid: pharmacy, name: "Praxis" }] })).toEqual([
      "organisations[0].uid: is a pharmacy's"
    ])
    const both = random("both")
    expect(
      await faultsOf({ organisations: [{ uid: both, name: "Praxis" }], pharmacies: [{ uid: both, name: "Apotheke" }] })
    ).toEqual(["organisations[0].uid: is a pharmacy's"])
  })

  test("cannot take over another organisation's records", async () => {
    const [first, second, shop, doctor] = [random("org"), random("org"), random("shop"), random("doc")]
    const both = [
      { uid: first, name: "First" },
      { uid: second, name: "Second" }
    ]
    await apply({
      organisations: both,
      shops: [{ uid: shop, shop_identifier: shop, organisation_uid: first }],
      doctors: [{ uid: doctor, organisation_uid: first, display_name: "Dr." }]
    })
    expect(await faultsOf({ shops: [{ uid: shop, shop_identifier: random("x"), organisation_uid: second }] })).toEqual([
      "shops[0].uid: belongs to another organisation"
    ])
    expect(await faultsOf({ doctors: [{ uid: doctor, organisation_uid: second, display_name: "Dr." }] })).toEqual([
      "doctors[0].uid: belongs to another organisation"
    ])
  })
})

test("people of a practice get their roles from the file; who has signed in before becomes that person; Rule 12.4.22", async () => {
  const world = await makeWorld(server.current)
  const { organisation_uid, api, provision } = world
  const [uid, subject] = [random("stf"), random("user")]
  const person = {
    uid,
    organisation_uid,
    display_name: "Kim Beispiel",
    email: "kim@example.org",
    role: "reception",
    subject
  }
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
