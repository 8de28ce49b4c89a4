import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Either } from "effect"
import { demoWorld } from "../../src/layers/demo/world.ts"
import { Provisioning } from "../../src/services/provisioning/Provisioning.ts"
import { testServer } from "../support/server.ts"
import { random } from "../support/world.ts"

const server = testServer()

const apply = (file: unknown) =>
  server.current.run(Effect.either(Effect.flatMap(Provisioning, ({ apply }) => apply(file))))

const faultsOf = async (file: unknown) => {
  const outcome = await apply(file)
  return Either.isLeft(outcome) && "faults" in outcome.left ? outcome.left.faults : []
}

const organisations = () =>
  server.current.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ uid: string }>`SELECT organisation_uid AS uid FROM organisations`
    )
  )

describe("a provisioning file", () => {
  test("applied twice changes nothing", async () => {
    const now = Math.floor(Date.now() / 1000)
    expect(Either.isRight(await apply(demoWorld(now)))).toBe(true)
    expect(Either.isRight(await apply(demoWorld(now)))).toBe(true)
    expect((await organisations()).filter(({ uid }) => uid === "org_demo")).toHaveLength(1)
  })

  test("with faults is rejected whole, each fault named by its JSON path", async () => {
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

  test("has each fault told once, at the very field and in a reader's words", async () => {
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
        patients: [{ ...patient, profile: { first_name: "Ada", date_of_birth: "1990-02-30" } }]
      })
    ).toEqual(["patients[0].profile.date_of_birth: is a field or value that a patient profile cannot have"])
  })

  test("with a dangling reference is rejected whole", async () => {
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

  test("cannot take what is another organisation's", async () => {
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
