/** Forms before booking and before the visit (Rules 22.1, 22.3 and 22.4). */
import { expect, test } from "bun:test"
import { mailsTo } from "../../support/codes.ts"
import { eventually } from "../../support/eventually.ts"
import { sandboxServer } from "../../support/server.ts"
import { DAY, inDays, makeWorld, random, type World } from "../../support/world.ts"

const server = sandboxServer()
const question = (fields: Readonly<Record<string, unknown>> = {}) => ({
  link_id: "allergies",
  type: "boolean",
  text: { de: "Haben Sie Allergien?", en: "Do you have allergies?" },
  required: true,
  ...fields
})
/** What a rule leads to: its field is called `then`. */
const OUTCOME: string = "then"
const outcome = (to: string) => ({ [OUTCOME]: to })
/** 9:00 UTC of a day, by the clock of the service, which the tests move. */
const upcoming = async (days: number) => (Math.floor((await server.current.now()) / DAY) + days) * DAY + 9 * 3_600
const which = {
  link_id: "which",
  type: "text",
  text: "Welche?",
  required: true,
  enable_when: [{ link_id: "allergies", operator: "=", answer: true }]
}
const makeForm = async (world: World, items: ReadonlyArray<unknown> = [question(), which]) => {
  const made = await world.api("POST", "/v1/management/forms", { title: "Anamnese", items })
  expect(made).toMatchObject({ status: 201, body: { version: 1, active: true } })
  return made.body.uid as string
}
const TYPES = "/v1/management/scheduling/appointment-types"
const ask = (world: World, fields: Readonly<Record<string, unknown>>) =>
  world.api("PATCH", `${TYPES}/${world.type_uid}`, fields)
const entryOf = (code: string, answers?: Readonly<Record<string, unknown>>) =>
  server.current.api(answers === undefined ? "GET" : "PUT", `/v1/scheduling/booking-sessions/${code}/entry`, {
    ...(answers !== undefined && { body: { answers } })
  })

test("a form has versions, and is not deleted while it is asked", async () => {
  const world = await makeWorld(server.current)
  const uid = await makeForm(world)
  const at = `/v1/management/forms/${uid}`
  expect(await world.api("PATCH", at, { title: { de: "Neu", en: "New" } })).toMatchObject({ body: { version: 1 } })
  expect(await world.api("PATCH", at, { items: [question()] })).toMatchObject({ status: 200, body: { version: 2 } })
  expect((await world.api("GET", "/v1/management/forms")).body).toMatchObject({ data: [{ uid }], next: null })
  expect(await ask(world, { intake: [{ form_uid: uid }] })).toMatchObject({
    status: 200,
    body: { entry: null, intake: [{ form_uid: uid, due_minutes_before: 0, blocks: "nothing" }] }
  })
  expect(await world.api("DELETE", at)).toMatchObject({ status: 409, body: { code: "form_in_use" } })
  expect((await ask(world, { intake: [] })).status).toBe(200)
  expect((await world.api("DELETE", at)).status).toBe(204)
  expect((await world.api("GET", at)).status).toBe(404)
  const bad = await world.api("POST", "/v1/management/forms", { title: "", items: [which] })
  expect(bad.status).toBe(400)
  expect(bad.body.error).toContain("items[0].enable_when[0].link_id: must name an earlier item that is answered")
})

test("the questions of all forms together are bounded: a list has all of them; Rule 22.1.1", async () => {
  const world = await makeWorld(server.current)
  const items = Array.from({ length: 200 }, (_, at) => question({ link_id: `q${at}`, text: "x".repeat(2_000) }))
  const uid = await makeForm(world, items)
  await server.current.sql`INSERT INTO forms SELECT (jsonb_populate_record(f, jsonb_build_object('uid', 'frm_' || n))).*
    FROM forms f, generate_series(1, 9) n WHERE f.uid = ${uid}`
  expect((await world.api("POST", "/v1/management/forms", { title: "Noch eines", items })).status).toBe(201)
  const refused = await world.api("POST", "/v1/management/forms", { title: "Eines zu viel", items })
  expect([refused.status, refused.body.error]).toEqual([
    400,
    [expect.stringContaining("bytes of questions in all forms")]
  ])
  // a practice that is above the bound changes whatever makes nothing longer
  await server.current
    .sql`INSERT INTO forms SELECT (jsonb_populate_record(f, jsonb_build_object('uid', 'frm_x' || n))).*
    FROM forms f, generate_series(1, 3) n WHERE f.uid = ${uid}`
  const at = `/v1/management/forms/${uid}`
  for (const changes of [{ active: false }, { items }, { items: items.slice(1) }])
    expect((await world.api("PATCH", at, changes)).status).toBe(200)
  const entry = { uid, organisation_uid: world.organisation_uid, title: "Anamnese", items: items.slice(1) }
  await world.provision({ forms: [entry] })
  expect((await world.api("PATCH", at, { items })).status).toBe(400)
})

test("of versions those are kept that somebody has answered; Rule 22.1.2", async () => {
  const world = await makeWorld(server.current)
  const uid = await makeForm(world)
  const change = async (text: string) =>
    (await world.api("PATCH", `/v1/management/forms/${uid}`, { items: [question({ text })] })).body.version
  const versions = async () =>
    (
      await server.current.sql<{ version: number }>`SELECT version FROM form_versions
        WHERE organisation_uid = ${world.organisation_uid} AND form_uid = ${uid} ORDER BY version`
    ).map(({ version }) => version)
  expect([await change("Eins?"), await change("Eins?")]).toEqual([2, 2])
  await ask(world, { entry: { form_uid: uid, rules: [], otherwise: "continue" } })
  expect((await entryOf(await world.session(), { allergies: true })).status).toBe(200)
  for (const text of ["Zwei?", "Drei?", "Vier?"]) await change(text)
  expect(await versions()).toEqual([2])
})

test("forms belong to their organisation, and need organisation:admin", async () => {
  const [mine, other] = [await makeWorld(server.current), await makeWorld(server.current)]
  const uid = await makeForm(mine)
  expect((await other.api("GET", `/v1/management/forms/${uid}`)).status).toBe(404)
  expect(await ask(other, { intake: [{ form_uid: uid }] })).toMatchObject({ status: 400 })
  const key = await mine.keyWith("scheduling:read", "intake:read")
  expect((await server.current.api("GET", "/v1/management/forms", { key })).status).toBe(403)
})

test("a type that asks nothing lets everybody hold", async () => {
  const world = await makeWorld(server.current)
  const code = await world.session()
  expect((await entryOf(code)).body).toMatchObject({ answered: true, outcome: "continue", form_uid: null })
  expect((await world.hold(code, inDays(5, 9))).status).toBe(200)
})

test("a hold by launch code waits for the answers, which refuse, continue or lead to another type", async () => {
  const world = await makeWorld(server.current)
  const form_uid = await makeForm(world, [
    question({ link_id: "urgent", required: true }),
    {
      link_id: "insurance",
      type: "choice",
      text: "?",
      options: [
        { code: "gkv", text: "GKV" },
        { code: "pkv", text: "PKV" }
      ]
    }
  ])
  const longer = await world.otherType()
  const rules = [
    {
      when: [{ link_id: "urgent", operator: "=", answer: true }],
      ...outcome("refuse"),
      text: { de: "Bitte rufen Sie an.", en: "Please call." }
    },
    { when: [{ link_id: "insurance", operator: "=", answer: "pkv" }], ...outcome("type"), appointment_type_uid: longer }
  ]
  const asked = await ask(world, { entry: { form_uid, rules } })
  expect(asked).toMatchObject({ status: 200, body: { entry: { form_uid, otherwise: "continue" } } })
  const code = await world.session()
  const start = inDays(6, 9)
  const refused = await world.hold(code, start)
  expect(refused.status).toBe(400)
  expect(refused.body.error[0]).toStartWith("entry: ")
  expect((await entryOf(code, {})).body.error).toEqual(["answers.urgent: is required"])
  expect(await entryOf(code, { urgent: true })).toMatchObject({
    status: 200,
    body: { outcome: "refuse", text: "Bitte rufen Sie an." }
  })
  expect((await world.hold(code, start)).status).toBe(400)
  expect(await entryOf(code, { urgent: false })).toMatchObject({ body: { outcome: "continue", text: null } })
  const held = await world.hold(code, start)
  expect(held.status).toBe(200)
  const booked = await world.confirm(code, held.body.hold_uid)
  expect(booked.status).toBe(200)
  const read = await world.api("GET", `/v1/management/scheduling/appointments/${booked.body.uid}/intake`)
  expect(read.body.data).toMatchObject([
    { door: "entry", form_uid, form_version: 1, answers: { urgent: false }, complete: true }
  ])
  // They stay the appointment's when its session is deleted
  await server.current.query("DELETE FROM booking_sessions WHERE organisation_uid = $1", [world.organisation_uid])
  const later = await world.api("GET", `/v1/management/scheduling/appointments/${booked.body.uid}/intake`)
  expect(later.body.data).toEqual(read.body.data)

  const other = await world.session(random("customer"))
  const led = await entryOf(other, { urgent: false, insurance: "pkv" })
  expect(led.body).toMatchObject({ outcome: "type", appointment_type_uid: longer })
  expect((await server.current.api("GET", `/v1/scheduling/booking-sessions/${other}`)).body.appointment_type_uid).toBe(
    longer
  )
  expect((await world.hold(other, inDays(7, 9))).status).toBe(400)
  expect((await world.hold(other, inDays(7, 9), { appointment_type_uid: longer })).status).toBe(200)
  // Keys and staff are exempt
  expect((await world.bookByKey({ start_date: inDays(8, 9) })).status).toBe(201)
})

test("rules know whether the patient has been here, the age and the postal code", async () => {
  const world = await makeWorld(server.current)
  const rules = [
    { when: [{ link_id: "@age", operator: "<", answer: 18 }], ...outcome("refuse") },
    { when: [{ link_id: "@zip", operator: "=", answer: "10115" }], ...outcome("continue") },
    { when: [{ link_id: "@known_patient", operator: "=", answer: true }], ...outcome("continue") }
  ]
  expect((await ask(world, { entry: { rules, otherwise: "refuse" } })).status).toBe(200)
  const outcomeOf = async (profile: Readonly<Record<string, string>>) => {
    const customer = random("customer")
    await world.run(world.practice.customer(customer, profile))
    const code = await world.session(customer)
    const { body } = await entryOf(code, {})
    return "outcome" in body ? body.outcome : null
  }
  expect(await outcomeOf({ first_name: "Ada" })).toBe("refuse")
  expect(await outcomeOf({ first_name: "Ada", zip: "10115" })).toBe("continue")
  expect(await outcomeOf({ first_name: "Ada", zip: "10115", date_of_birth: "2020-01-01" })).toBe("refuse")
  const wrong = await ask(world, {
    entry: { rules: [{ when: [{ link_id: "@age", operator: "=", answer: "x" }], ...outcome("type") }] }
  })
  expect(wrong.body.error).toEqual([
    "entry.rules[0].when[0].answer: must be a number",
    "entry.rules[0].appointment_type_uid: must be a type of the organisation"
  ])
})

const intakeWorld = async (blocks: "nothing" | "join") => {
  const world = await makeWorld(server.current)
  const form_uid = await makeForm(world)
  await ask(world, { intake: [{ form_uid, due_minutes_before: 60, blocks }] })
  const appointment = await world.booked(await upcoming(3))
  const link = await world.api("POST", `/v1/management/scheduling/appointments/${appointment}/action-links`, {
    action: "join"
  })
  const at = `/v1/scheduling/appointment-actions/${link.body.code}`
  const intake = (body?: unknown) =>
    server.current.api(
      body === undefined ? "GET" : "PUT",
      `${at}/intake/${form_uid}`,
      body === undefined ? {} : { body }
    )
  const join = () => server.current.api("POST", `${at}/join`)
  const read = () => world.api("GET", `/v1/management/scheduling/appointments/${appointment}/intake`)
  return { world, form_uid, appointment, at, intake, join, read }
}

test("a form before the visit is a draft first, and can be corrected until the start", async () => {
  const { world, form_uid, intake, read, at } = await intakeWorld("nothing")
  expect(await intake()).toMatchObject({
    status: 200,
    body: { form_uid, form_version: 1, answers: {}, complete: false, files: [] }
  })
  expect(await intake({ answers: { allergies: true }, complete: false })).toMatchObject({
    body: { complete: false, answers: { allergies: true } }
  })
  expect((await intake({ answers: { allergies: true }, complete: true })).body.error).toEqual([
    "answers.which: is required"
  ])
  expect(await intake({ answers: { allergies: true, which: "Nüsse", unknown: 1 }, complete: true })).toMatchObject({
    body: { complete: true, answers: { allergies: true, which: "Nüsse" } }
  })
  // What is not asked any more is left out
  const corrected = await intake({ answers: { allergies: false, which: "Nüsse" }, complete: true })
  expect("answers" in corrected.body && corrected.body.answers).toEqual({ allergies: false })
  expect((await read()).body.data).toMatchObject([
    { door: "intake", form_uid, form_version: 1, answers: { allergies: false }, complete: true, files: [] }
  ])
  expect((await server.current.api("GET", `${at}/intake/frm_unknown`)).status).toBe(404)
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 4 * DAY })
  expect(await intake({ answers: { allergies: false } })).toMatchObject({
    status: 409,
    body: { code: "not_possible_any_more" }
  })
})

test("a form that blocks joining keeps the patient out until it is complete", async () => {
  const { world, intake, join, at, form_uid } = await intakeWorld("join")
  const { start_date } = (await world.api("GET", "/v1/management/scheduling/appointments?status=confirmed")).body
    .data[0]
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: start_date - 300 - (await server.current.now()) })
  expect(await join()).toMatchObject({ status: 409, body: { code: "intake_missing" } })
  // The appointment's page says so, with the link
  const page = `${server.current.url}/meet/appointment/${at.split("/").at(-1)}`
  const shown = await (await fetch(page)).text()
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(shown)?.[1] ?? ""
  const fields = { action: "join", appointment_uid: field("appointment_uid"), start: field("start") }
  const refused = await (await fetch(page, { method: "POST", body: new URLSearchParams(fields) })).text()
  expect(refused).toContain("Am Termin können Sie teilnehmen, sobald Sie das ausgefüllt haben: Anamnese")
  expect(refused).toContain(`/intake/${form_uid}`)
  expect((await intake({ answers: { allergies: true }, complete: false })).status).toBe(200)
  expect((await join()).status).toBe(409)
  expect((await intake({ answers: { allergies: false }, complete: true })).status).toBe(200)
  expect((await join()).status).toBe(200)
})

test("who comes late completes what blocks the join, until the end; Rule 22.4.2", async () => {
  const { world, intake, join } = await intakeWorld("join")
  const appointments = "/v1/management/scheduling/appointments?status=confirmed"
  const { start_date } = (await world.api("GET", appointments)).body.data[0]
  const at = async (time: number) =>
    world.api("POST", "/v1/sandbox/clock", { advance_seconds: time - (await server.current.now()) })
  await at(start_date + 60)
  expect((await join()).status).toBe(409)
  expect((await intake({ answers: { allergies: true }, complete: false })).status).toBe(200)
  expect(await intake({ answers: { allergies: false }, complete: true })).toMatchObject({ body: { complete: true } })
  expect((await join()).status).toBe(200)
  expect((await intake({ answers: { allergies: true, which: "Nüsse" } })).status).toBe(409)
  const other = await intakeWorld("join")
  const { end_date } = (await other.world.api("GET", appointments)).body.data[0]
  await at(end_date)
  expect((await other.intake({ answers: { allergies: false } })).status).toBe(409)
})

test("the answers follow a move, stay in their tenant, and need intake:read", async () => {
  const { world, intake, read, appointment } = await intakeWorld("nothing")
  await intake({ answers: { allergies: false } })
  const key = await world.keyWith("scheduling:read", "organisation:admin")
  const path = `/v1/management/scheduling/appointments/${appointment}/intake`
  expect((await server.current.api("GET", path, { key })).status).toBe(403)
  const other = await makeWorld(server.current)
  expect((await other.api("GET", path)).status).toBe(404)
  const moved = await world.api("POST", `/v1/scheduling/appointments/${appointment}/rebook`, {
    new_start_date: await upcoming(5),
    new_doctor_uid: world.doctors[0]
  })
  expect(moved.body).toMatchObject({ status: "confirmed" })
  const replaced = await world.api("GET", `/v1/management/scheduling/appointments/${moved.body.appointment_uid}/intake`)
  expect(replaced.body.data).toEqual((await read()).body.data)
  const { data } = (await world.api("GET", "/v1/management/audit-log?action=management.intake.read_answers")).body
  expect(data).toMatchObject([
    { subject: moved.body.appointment_uid, actor: { kind: "api_key" } },
    { subject: appointment }
  ])
})

test("a restricted patient's answers, files and requests are refused, and stay readable; Rules 22.4.2 and 22.5.2", async () => {
  const { world, intake, read, at, form_uid } = await intakeWorld("nothing")
  await intake({ answers: { allergies: false } })
  await ask(world, { entry: { form_uid, rules: [] } })
  const code = await world.session()
  const type = { name: "Rezept", kind: "other", form_uid, answer_within_minutes: 60 }
  const request_type_uid = (await world.api("POST", "/v1/management/request-types", type)).body.uid
  const [{ patient_uid }] = (await world.api("GET", "/v1/management/scheduling/appointments?status=confirmed")).body
    .data
  const restrict = (restricted: boolean) =>
    world.api("POST", `/v1/management/patients/${patient_uid}/restrict`, { restricted })
  expect((await restrict(true)).status).toBe(200)
  const restricted = { status: 400, body: { code: "patient_restricted" } }
  expect(await intake({ answers: { allergies: true, which: "?" } })).toMatchObject(restricted)
  expect(await entryOf(code, { allergies: false })).toMatchObject(restricted)
  const session = `/v1/scheduling/booking-sessions/${code}`
  const asked = { request_type_uid, answers: { allergies: false } }
  expect(await server.current.api("POST", `${session}/requests`, { body: asked })).toMatchObject(restricted)
  // The pages say so, and keep nothing
  for (const path of [
    `/meet/booking/${code}/questions`,
    `/meet/booking/${code}/requests/${request_type_uid}`,
    `/meet/appointment/${at.split("/").at(-1)}/intake/${form_uid}`
  ]) {
    const body = new URLSearchParams({ shown: "allergies", "a.allergies": "no", action: "next" })
    const sent = await fetch(`${server.current.url}${path}?page=0`, { method: "POST", body })
    expect([path, await sent.text()]).toEqual([path, expect.stringContaining("Online ist das zurzeit nicht möglich.")])
  }
  expect((await read()).body.data).toMatchObject([{ answers: { allergies: false } }])
  expect((await restrict(false)).status).toBe(200)
  expect((await entryOf(code, { allergies: false })).body).toMatchObject({ outcome: "continue" })
})

test("an export has the answers", async () => {
  const { world, intake, form_uid } = await intakeWorld("nothing")
  await intake({ answers: { allergies: false } })
  const { patient_uid } = (await world.api("GET", "/v1/management/scheduling/appointments?status=confirmed")).body
    .data[0]
  const exported = await world.api("POST", `/v1/management/patients/${patient_uid}/export`)
  expect(exported.body).toMatchObject({ form_responses: [{ door: "intake", form_uid, answers: { allergies: false } }] })
})

test("reminders name what is missing from its time on; Rule 22.4.6", async () => {
  const world = await makeWorld(server.current)
  const form_uid = await makeForm(world)
  await ask(world, { intake: [{ form_uid, due_minutes_before: 120, blocks: "nothing" }] })
  for (const minutes_before of [180, 90])
    await world.api("POST", `${TYPES}/${world.type_uid}/reminders`, {
      recipient_role: "patient",
      minutes_before,
      send_email: true
    })
  const start = await upcoming(3)
  const customer = random("customer")
  const email = `${customer}@example.org`
  await world.run(world.practice.customer(customer, { first_name: "Ada", last_name: "Meyer", email }))
  const code = await world.session(customer)
  await world.confirm(code, (await world.hold(code, start)).body.hold_uid)
  const texts = async (minutes: number, count: number) => {
    await world.api("POST", "/v1/sandbox/clock", {
      advance_seconds: start - minutes * 60 - (await server.current.now())
    })
    const mails = await eventually(
      () => mailsTo(server.current, email),
      (found) => found.length === count
    )
    return mails.map(({ text = "" }) => /Bitte noch ausfüllen: (.*)/.exec(text)?.[1] ?? null)
  }
  expect(await texts(180, 1)).toEqual([null])
  expect((await texts(90, 2)).toSorted()).toEqual(["Anamnese", null])
})
