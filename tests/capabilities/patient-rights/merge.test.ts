/** Two records of one person become one. Rule 12.1.25. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Erasures } from "../../../src/capabilities/patient-rights/services/Erasures.ts"
import { references } from "../../../src/capabilities/patient-rights/services/Merges.ts"
import { signedIn } from "../../support/console.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()
const PATIENTS = "/v1/management/patients"

/** Entered again on the telephone, with a number and another spelling. */
const profile = { first_name: "Teresa", last_name: "Patient", phone: "+49 30 123456" }

const scene = async () => {
  const consent = [{ purpose: "video", version: "1", texts: [{ language: "de", text: "Ja" }] }]
  const world = await makeWorld(server.current, { organisation: { consent } })
  const { shop_uid, type_uid: appointment_type_uid } = world
  const using = async (method: string, path: string, body?: unknown) => (await world.api(method, path, body)).body
  const { patient_uid: into } = await world.run(world.practice.customer(random("customer")))
  const from = (await using("POST", PATIENTS, { shop_uid, profile })).uid
  const wanted = { patient_uid: from, appointment_type_uid }
  const ofPatient = (what: string, fields: object) =>
    using("POST", `/v1/management/scheduling/${what}`, { ...wanted, ...fields })
  const booked = await ofPatient("appointments", { shop_uid, start_date: inDays(4, 9) })
  await ofPatient("recalls", { due_date: "2035-01-22" })
  await ofPatient("waitlist-entries", { from: inDays(60), to: inDays(61) })
  for (const one of [from, into]) await using("POST", `${PATIENTS}/${one}/consents`, { purpose: "video", version: "1" })
  const merge = (body: object, patient = from) => world.api("POST", `${PATIENTS}/${patient}/merge`, body)
  return { world, using, from, into, booked, merge, shop_uid }
}

test("everything belongs to the record that stays, which keeps its values and gets those that it lacked; Rule 12.1.25", async () => {
  const { world, using, from, into, booked, merge } = await scene()
  const before = await using("GET", `${PATIENTS}/${into}`)
  const preview = await merge({ into, dry_run: true })
  expect(preview.status).toBe(200)
  expect((await world.api("GET", `${PATIENTS}/${from}`)).status).toBe(200)
  const done = await merge({ into })
  expect([done.status, done.body.moved]).toEqual([200, preview.body.moved])
  expect(done.body.moved).toMatchObject({ appointments: 1, recalls: 1, waitlist_entries: 1, consents: 1 })
  const { email } = before.profile
  expect(done.body.patient).toMatchObject({
    profile: { first_name: "Testa", phone: profile.phone, email },
    shop_customer_id: before.shop_customer_id
  })
  expect(await world.api("GET", `${PATIENTS}/${from}`)).toMatchObject({
    status: 404,
    body: { code: "not_found", error: `Patient not found: merged into ${into}`, merged_into: into }
  })
  const moved = await using("GET", `/v1/management/scheduling/appointments/${booked.uid}`)
  expect(moved).toMatchObject({ patient_uid: into, patient_display_name: "Testa Patient" })
  const standing = (await using("GET", `${PATIENTS}/${into}/consents`)).data
  expect(standing.filter((one: { withdrawn_at: number | null }) => one.withdrawn_at === null)).toHaveLength(1)
  const events = (await using("GET", "/v1/management/events?type=patient.merged")).data
  expect(events.map(({ data }: { data: { merged_patient_uid: string } }) => data.merged_patient_uid)).toEqual([from])
  expect((await merge({ into })).status).toBe(404)
})

test("accounts, other shops and other organisations are not merged; Rule 12.1.25", async () => {
  const { world, using, from, into, merge, shop_uid } = await scene()
  expect((await merge({ into: from })).status).toBe(400)
  const other = (await using("POST", PATIENTS, { shop_uid, shop_customer_id: random("customer") })).uid
  expect((await merge({ into }, other)).body.code).toBe("both_have_accounts")
  // the account of the one that goes is taken over
  const done = await merge({ into: from }, other)
  const taken = expect.stringMatching(/^customer/)
  expect(done).toMatchObject({ status: 200, body: { patient: { uid: from, shop_customer_id: taken } } })
  const stranger = await makeWorld(server.current)
  const theirs = (await stranger.api("POST", PATIENTS, { shop_uid: stranger.shop_uid })).body.uid
  expect((await merge({ into: theirs })).status).toBe(404)
  const reader = await world.keyWith("patients:read")
  const denied = await server.current.api("POST", `${PATIENTS}/${from}/merge`, { key: reader, body: { into } })
  expect(denied.status).toBe(403)
})

test("whoever was merged is erased with the record that stays, also in a backup from before the merge; Rules 12.1.25 and 12.2.10", async () => {
  const { world, using, from, into, merge, shop_uid } = await scene()
  const last = (await using("POST", PATIENTS, { shop_uid, profile: { last_name: "Patient" } })).uid
  expect((await merge({ into })).status).toBe(200)
  expect((await merge({ into: last }, into)).status).toBe(200)
  const readable = async () =>
    (
      await server.current.sql`SELECT type FROM events
        WHERE subject IN (${from}, ${into}) AND data_encrypted IS NOT NULL`
    ).length
  expect(await readable()).toBeGreaterThan(0)
  expect((await world.api("POST", `${PATIENTS}/${last}/erase`, { reason: "asked" })).status).toBe(200)
  expect(await readable()).toBe(0)
  const list = await server.current.run(Effect.flatMap(Erasures, (erasures) => erasures.list))
  const line = list.filter(({ patient_uid }) => patient_uid === last)
  expect(line.map(({ merged_uids }) => [...merged_uids].sort())).toEqual([[from, into].sort()])
  // as a restore to a moment before both merges leaves them
  const { organisation_uid } = world
  const restored = (uid: string) => ({ uid, organisation_uid, shop_uid, shop_customer_id: random("customer"), profile })
  await world.provision({ patients: [from, into].map(restored) })
  expect((await using("GET", `${PATIENTS}/${from}`)).profile).toMatchObject(profile)
  expect(await server.current.run(Effect.flatMap(Erasures, ({ reapply }) => reapply(line)))).toBe(1)
  for (const uid of [from, into]) expect((await world.api("GET", `${PATIENTS}/${uid}`)).status).toBe(404)
})

test("the console compares both before it merges; Rule 17.6.9", async () => {
  const { world, from, into, merge } = await scene()
  const browser = await signedIn(server.current, ["admin", world.organisation_uid, world.organisation_uid])
  const found = await browser.ask(`/console/practice/patients/${into}?double=teresa`)
  expect(found.text).toContain(`merge=${from}`)
  const { text } = await browser.ask(`/console/practice/patients/${into}?merge=${from}`)
  for (const part of ["Teresa Patient", "1 appointments", `value="POST ${PATIENTS}/${from}/merge"`])
    expect(text).toContain(part)
  expect((await merge({ into })).status).toBe(200)
  const gone = await browser.ask(`/console/practice/patients/${from}`)
  expect([gone.status, gone.text.includes(`href="/console/practice/patients/${into}"`)]).toEqual([404, true])
})

test("every column that names a patient is moved", async () => {
  const rows = await server.current.query(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'patient_uid' AND table_name NOT IN ('erasures', 'retained_records')
       AND table_name IN (SELECT table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE')
       AND table_name NOT IN (SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid)`
  )
  const known = references().map(({ table, column }) => `${table}.${column}`)
  const named = rows.map(({ table_name, column_name }) => `${table_name}.${column_name}`)
  expect(named.filter((one: string) => !known.includes(one))).toEqual([])
})
