/** Requests in writing (Rule 22.5), and that answers stand nowhere else (Rule 22.7). */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Retention } from "../../../src/capabilities/retention/services/Retention.ts"
import { mailTo } from "../../support/codes.ts"
import { eventually } from "../../support/eventually.ts"
import { using } from "../../support/postgres.ts"
import { sandboxServer } from "../../support/server.ts"
import { doctorOf } from "../../support/staff.ts"
import { transaction } from "../../support/transaction.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

const server = sandboxServer()
const SECRET = "Gürtelrose-7431"
const REPLY = "Antwort-9152"

const scene = async () => {
  const world = await makeWorld(server.current)
  const items = [{ link_id: "what", type: "text", text: "Worum geht es?", required: true }]
  const form = await world.api("POST", "/v1/management/forms", { title: "Rezept", items })
  const type = await world.api("POST", "/v1/management/request-types", {
    name: { de: "Wiederholungsrezept", en: "Repeat prescription" },
    kind: "prescription",
    form_uid: form.body.uid,
    answer_within_minutes: 60
  })
  expect(type).toMatchObject({ status: 201, body: { recipient: "practice", active: true } })
  const customer = random("customer")
  const email = `${customer}@example.org`
  await world.run(world.practice.customer(customer, { first_name: "Ada", last_name: "Meyer", email }))
  const code = await world.session(customer)
  const send = (body: Readonly<Record<string, unknown>> = {}) =>
    server.current.api("POST", `/v1/scheduling/booking-sessions/${code}/requests`, {
      body: { request_type_uid: type.body.uid, answers: { what: SECRET }, ...body }
    })
  const PATH = "/v1/management/requests"
  const act = (uid: unknown, name: string, body: unknown = {}) => world.api("POST", `${PATH}/${uid}/${name}`, body)
  return { world, type: type.body, form: form.body, email, code, send, act, PATH }
}

/** The page on which a type of request is filled in and sent. */
const pageOf = (code: string, type: unknown) => {
  const page = `/meet/booking/${code}/requests/${type}`
  return {
    page,
    post: (at: string, fields: Readonly<Record<string, string>>) =>
      server.current.api("POST", `${page}?page=${at}`, { body: new URLSearchParams(fields) }),
    led: ({ headers }: { readonly headers: Headers }) => headers.get("location")
  }
}

test("a request is sent, taken, answered and closed, and then nothing changes", async () => {
  const { world, type, form, email, send, act, PATH } = await scene()
  expect((await send({ answers: {} })).body.error).toEqual(["answers.what: is required"])
  expect((await send({ request_type_uid: "rqt_unknown" })).status).toBe(404)
  const sent = await send()
  const { uid, url } = sent.body
  expect(sent).toMatchObject({ status: 201, body: { status: "open" } })
  expect(url).toContain("/request/req_")
  const opened = await fetch(String(url))
  expect([opened.status, await opened.text()]).toEqual([200, expect.stringContaining("Wiederholungsrezept")])
  expect((await world.api("GET", `${PATH}?status=open`)).body).toMatchObject({
    totalRegistries: 1,
    data: [{ uid, request_type_uid: type.uid, status: "open", overdue: false, outcome: null, doctor_uid: null }]
  })
  expect(await act(uid, "take")).toMatchObject({ status: 200, body: { status: "taken", taken_by: expect.any(String) } })
  const answered = await act(uid, "answer", { text: REPLY })
  expect(answered).toMatchObject({ status: 200, body: { status: "answered", overdue: false } })
  expect(await world.api("GET", `${PATH}/${uid}`)).toMatchObject({
    body: { text: REPLY, form: { form_uid: form.uid, form_version: 1, answers: { what: SECRET }, files: [] } }
  })
  const { text = "" } = (await mailTo(server.current, email)) ?? {}
  expect(text).toContain(String(url))
  expect(await (await fetch(String(url))).text()).toContain(REPLY)
  expect(await act(uid, "close", { outcome: "prescription", prescription_uid: "prx_unknown" })).toMatchObject({
    status: 400
  })
  expect(await act(uid, "close", { outcome: "done" })).toMatchObject({ body: { status: "closed", outcome: "done" } })
  for (const [name, body] of [
    ["take", {}],
    ["answer", { text: "Zu spät" }],
    ["close", { outcome: "refused" }]
  ] as const)
    expect(await act(uid, name, body)).toMatchObject({ status: 409, body: { code: "request_closed" } })
  expect((await act("req_unknown", "take")).status).toBe(404)
  expect((await world.api("GET", `${PATH}?status=closed`)).body).toMatchObject({ totalRegistries: 1 })
})

test("a patient has at most ten requests that are not answered; Rule 22.5.12", async () => {
  const { world, code, send, act, PATH } = await scene()
  const sent = await Promise.all(Array.from({ length: 14 }, () => send()))
  expect(sent.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), ...Array(4).fill(409)])
  const refused = sent.find(({ status }) => status === 409)?.body
  expect(refused).toMatchObject({
    code: "too_many_open_requests",
    error: expect.stringContaining("wait for an answer")
  })
  const [{ uid, request_type_uid } = {}] = (await world.api("GET", `${PATH}?inbox=open`)).body.data
  const page = `/meet/booking/${code}/requests/${request_type_uid}?page=check`
  const press = () => server.current.api("POST", page, { body: new URLSearchParams({ action: "send" }) })
  const draft = new URLSearchParams({ shown: "what", "a.what": SECRET, action: "next" })
  await server.current.api("POST", page.replace("check", "0"), { body: draft })
  const back = (await press()).headers.get("location") ?? ""
  expect(back).toBe(`${page}&notice=tooManyOpen`)
  for (const [language, text] of [
    ["de", "Zehn Ihrer Anfragen sind noch nicht beantwortet."],
    ["en", "Ten of your requests have not been answered yet."]
  ])
    expect((await server.current.api("GET", `${back}&lang=${language}`)).text).toContain(text ?? "")
  expect((await act(uid, "answer", { text: REPLY })).status).toBe(200)
  expect((await press()).headers.get("location")).toStartWith("/meet/request/req_")
  expect((await send()).status).toBe(409)
})

test("a draft whose button is pressed again, at once or later, is one request; Rule 22.5.2", async () => {
  const { world, type, code, PATH } = await scene()
  const { post, led } = pageOf(code, type.uid)
  await post("0", { shown: "what", "a.what": SECRET, action: "next" })
  const sent = await Promise.all(Array.from({ length: 3 }, () => post("check", { action: "send" })))
  const all = [...sent, await post("check", { action: "send" })].map(led)
  expect(all[0]).toStartWith("/meet/request/req_")
  expect(all).toEqual(Array(4).fill(all[0]))
  expect((await world.api("GET", PATH)).body).toMatchObject({ totalRegistries: 1 })
})

test("sending what was never filled in leads back to the form", async () => {
  const { world, type, code } = await scene()
  const { page, post, led } = pageOf(code, type.uid)
  expect(led(await post("check", { action: "send" }))).toBe(page)
  const free = [{ link_id: "what", type: "text", text: "Worum geht es?" }]
  await world.api("PATCH", `/v1/management/forms/${type.form_uid}`, { items: free })
  expect(led(await post("check", { action: "send" }))).toBe(page)
})

test("two requests that are filled in side by side are each sent with their own answers", async () => {
  const { world, type, code, PATH } = await scene()
  const { uid, created_at, updated_at, ...fields } = type
  const other = (await world.api("POST", "/v1/management/request-types", { ...fields, name: "Rückruf" })).body
  const [first, second] = [pageOf(code, type.uid), pageOf(code, other.uid)]
  await first.post("0", { shown: "what", "a.what": SECRET, action: "next" })
  await second.post("0", { shown: "what", "a.what": REPLY, action: "next" })
  for (const one of [first, second])
    expect(one.led(await one.post("check", { action: "send" }))).toStartWith("/meet/request/req_")
  const { data } = (await world.api("GET", PATH)).body
  const read = async (of: string) => {
    const sent = data.find(({ request_type_uid }: { request_type_uid: string }) => request_type_uid === of)
    return (await world.api("GET", `${PATH}/${sent?.uid}`)).body.form.answers
  }
  expect([await read(type.uid), await read(other.uid)]).toEqual([{ what: SECRET }, { what: REPLY }])
})

test("a request whose form is not active is offered to nobody; Rule 22.1.4", async () => {
  const { world, form, code, send } = await scene()
  await world.api("PATCH", `/v1/management/forms/${form.uid}`, { active: false })
  expect((await send()).status).toBe(404)
  const page = `/meet/booking/${code}/requests`
  expect((await server.current.api("GET", page)).text).not.toContain("Wiederholungsrezept")
  await world.api("PATCH", `/v1/management/forms/${form.uid}`, { active: true })
  expect((await server.current.api("GET", page)).text).toContain("Wiederholungsrezept")
})

test("the link to an answer ends 28 days after the last word; Rule 22.5.6", async () => {
  const { send, act } = await scene()
  const { uid, url } = (await send()).body
  const status = async () => (await fetch(String(url))).status
  const wait = (days: number) =>
    server.current.query(`UPDATE requests SET created_at = created_at - interval '${days} days',
      answered_at = answered_at - interval '${days} days', closed_at = closed_at - interval '${days} days'
      WHERE uid = '${uid}'`)
  await wait(40)
  expect(await status()).toBe(200)
  await act(uid, "answer", { text: REPLY })
  await wait(20)
  await act(uid, "close", { outcome: "done" })
  await wait(27)
  expect(await status()).toBe(200)
  await wait(2)
  expect(await status()).toBe(404)
})

test("an erasure leaves requests to retention, and nobody reads them; Rule 22.7.3", async () => {
  const { world, send, act, PATH } = await scene()
  const [open, taken] = [(await send()).body, (await send()).body]
  await act(taken.uid, "take")
  const { patient_uid } = (await world.api("GET", `${PATH}/${open.uid}`)).body
  const erased = await world.api("POST", `/v1/management/patients/${patient_uid}/erase`, { reason: "asked" })
  expect(erased.body.kept).toContainEqual(expect.objectContaining({ what: "requests", count: 2 }))
  expect((await world.api("GET", PATH)).body).toMatchObject({ totalRegistries: 0, data: [] })
  expect((await world.api("GET", "/v1/management/statistics/requests")).body).toEqual({ open: 0, mine: 0, overdue: 0 })
  expect((await world.api("GET", `${PATH}/${open.uid}`)).status).toBe(404)
  for (const name of ["take", "close"])
    expect((await act(open.uid, name, name === "close" ? { outcome: "done" } : {})).status).toBe(404)
  expect([(await fetch(String(open.url))).status, (await send()).status]).toEqual([404, 404])
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 3_600 })
  expect((await world.api("GET", "/v1/management/events?limit=200")).text).not.toContain("request.running_out")
  const rows = async () =>
    (await server.current.sql`SELECT FROM requests WHERE organisation_uid = ${world.organisation_uid}`).length
  await server.current.run(Effect.flatMap(Retention, (one) => one.deleteExpired()))
  expect(await rows()).toBe(2)
})

test("a patient's row stays while requests are kept; Rule 12.6.4", async () => {
  const { world, send } = await scene()
  await send()
  const { organisation_uid } = world
  const rows = async () => [
    (await server.current.sql`SELECT FROM patients WHERE organisation_uid = ${organisation_uid}`).length,
    (await server.current.sql`SELECT FROM requests WHERE organisation_uid = ${organisation_uid}`).length
  ]
  const age = (table: string, days: number) =>
    server.current.query(
      `UPDATE ${table} SET updated_at = updated_at - interval '${days} days' WHERE organisation_uid = '${organisation_uid}'`
    )
  const retire = () => server.current.run(Effect.flatMap(Retention, (one) => one.deleteExpired()))
  await server.current.sql`DELETE FROM booking_sessions WHERE organisation_uid = ${organisation_uid}`
  await age("patients", 1_200)
  await retire()
  expect(await rows()).toEqual([1, 1])
  for (const table of ["requests", "form_responses"]) await age(table, 3_660)
  await retire()
  await retire()
  expect(await rows()).toEqual([0, 0])
})

test("an organisation has at most 500 types of requests", async () => {
  const { world, type } = await scene()
  await server.current
    .sql`INSERT INTO request_types SELECT (jsonb_populate_record(t, jsonb_build_object('uid', 'rqt_' || n))).*
    FROM request_types t, generate_series(1, 499) n WHERE t.uid = ${type.uid}`
  const { uid, created_at, updated_at, ...another } = type
  const refused = await world.api("POST", "/v1/management/request-types", another)
  expect([refused.status, refused.body.error[0]]).toEqual([400, expect.stringContaining("there are 500 request types")])
})

test("what the practice has written is deleted once its retention is over; Rule 22.7.3", async () => {
  const { world, send, act, PATH } = await scene()
  const [old, recent] = [(await send()).body.uid, (await send()).body.uid]
  for (const uid of [old, recent]) await act(uid, "close", { outcome: "done", text: REPLY })
  await server.current.sql`UPDATE requests SET updated_at = updated_at - interval '3660 days' WHERE uid = ${old}`
  await server.current.run(Effect.flatMap(Retention, (one) => one.deleteExpired()))
  expect((await world.api("GET", PATH)).body.data).toMatchObject([{ uid: recent }])
})

/** Locks rows by a statement, does `meanwhile` once another transaction waits for them, and lets go. */
const whileLocked = async (lock: string, begun: () => Promise<unknown>, meanwhile: () => Promise<unknown>) => {
  const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const locking = server.current.run(
    transaction(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(lock)
        locked.resolve()
        yield* Effect.promise(() => release.promise)
      })
    )
  )
  await locked.promise
  const answer = begun()
  await using(server.current.databaseUrl, (client) =>
    eventually(
      () => client.query(waiting),
      ({ rowCount }) => rowCount !== 0
    )
  )
  await meanwhile()
  release.resolve()
  await locking
  return await answer
}

test("answers that wait while their form changes twice are read with their own questions; Rule 22.1.2", async () => {
  const { world, form, send, PATH } = await scene()
  const change = (text: string) =>
    world.api("PATCH", `/v1/management/forms/${form.uid}`, { items: [{ link_id: "what", type: "text", text }] })
  const sent = await whileLocked(
    `SELECT FROM patients WHERE organisation_uid = '${world.organisation_uid}' FOR UPDATE`,
    send,
    async () => [await change("Eins?"), await change("Zwei?")]
  )
  expect(sent).toMatchObject({ status: 201 })
  const { uid } = (sent as Awaited<ReturnType<typeof send>>).body
  expect((await world.api("GET", `${PATH}/${uid}`)).body).toMatchObject({
    form: { form_version: 1, items: [{ text: "Worum geht es?" }] }
  })
})

test("a draft that is not there is not taken for one that was sent before; Rule 22.5.2", async () => {
  const { world, type, code, send, PATH } = await scene()
  const { page, post, led } = pageOf(code, type.uid)
  const { uid } = (await send()).body
  await server.current.sql`UPDATE requests SET created_at = to_timestamp(0) WHERE uid = ${String(uid)}`
  await post("0", { shown: "what", "a.what": SECRET, action: "next" })
  // as one that an earlier release stored
  await server.current
    .sql`UPDATE form_responses SET asked_by = '' WHERE organisation_uid = ${world.organisation_uid} AND NOT complete`
  expect(led(await post("check", { action: "send" }))).toBe(page)
  expect((await world.api("GET", PATH)).body.totalRegistries).toBe(1)
})

test("a request that is answered while somebody takes it stays answered", async () => {
  const { send, act } = await scene()
  const { uid } = (await send()).body
  const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const answering = server.current.run(
    transaction(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE requests SET status = 'answered', answered_at = created_at WHERE uid = ${uid}`
        locked.resolve()
        yield* Effect.promise(() => release.promise)
      })
    )
  )
  await locked.promise
  const taken = act(uid, "take")
  await using(server.current.databaseUrl, (client) =>
    eventually(
      () => client.query(waiting),
      ({ rowCount }) => rowCount !== 0
    )
  )
  release.resolve()
  await answering
  expect((await taken).body).toMatchObject({ status: "answered", overdue: false })
})

test("a request is overdue once its time has passed, until it is answered", async () => {
  const { world, send, act, PATH } = await scene()
  const { uid } = (await send()).body
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 3_601 })
  expect((await world.api("GET", PATH)).body.data).toMatchObject([{ uid, overdue: true }])
  expect(await act(uid, "answer", { text: "Ja" })).toMatchObject({ body: { overdue: false } })
})

test("requests stay in their tenant; reading needs intake:read, acting patients:write", async () => {
  const { world, type, send, act, PATH } = await scene()
  const { uid } = (await send()).body
  const other = await makeWorld(server.current)
  for (const path of [`${PATH}/${uid}`, `/v1/management/request-types/${type.uid}`])
    expect((await other.api("GET", path)).status).toBe(404)
  expect((await other.api("POST", `${PATH}/${uid}/take`)).status).toBe(404)
  const reader = await world.keyWith("intake:read")
  expect((await server.current.api("GET", `${PATH}/${uid}`, { key: reader })).status).toBe(200)
  expect((await server.current.api("POST", `${PATH}/${uid}/take`, { key: reader })).status).toBe(403)
  const writer = await world.keyWith("patients:write")
  expect((await server.current.api("GET", PATH, { key: writer })).status).toBe(403)
  expect((await act(uid, "take")).status).toBe(200)
})

test("a form that a type of request asks is not deleted", async () => {
  const { world, form, type } = await scene()
  expect(await world.api("DELETE", `/v1/management/forms/${form.uid}`)).toMatchObject({ status: 409 })
  expect((await world.api("DELETE", `/v1/management/request-types/${type.uid}`)).status).toBe(204)
  expect((await world.api("DELETE", `/v1/management/forms/${form.uid}`)).status).toBe(204)
})

test("what was asked and answered is in no list, event or mail", async () => {
  const { world, email, send, act, PATH } = await scene()
  const { uid } = (await send()).body
  await act(uid, "answer", { text: REPLY })
  await act(uid, "close", { outcome: "done" })
  const lists = await Promise.all(
    [PATH, "/v1/management/events?limit=200", "/v1/management/messages", "/v1/management/audit-log?limit=200"].map(
      async (path) => (await world.api("GET", path)).text
    )
  )
  const { text = "", html = "" } = (await mailTo(server.current, email)) ?? {}
  for (const said of [...lists, text, html]) {
    expect(said).not.toContain(SECRET)
    expect(said).not.toContain(REPLY)
  }
  expect(lists[1]).toContain("request.closed")
})

test("once three quarters of its time have passed, the practice is told of a request, once; Rule 22.5.9", async () => {
  const { world, send, act, PATH } = await scene()
  const email = `${random("desk")}@example.org`
  await world.api("PATCH", "/v1/management/organisation", {
    admins: [{ uid: random("adm"), display_name: "Desk", email }]
  })
  const [first, second] = [(await send()).body.uid, (await send()).body.uid]
  expect((await act(second, "answer", { text: "Ja" })).status).toBe(200)
  const told = async () =>
    (await world.api("GET", "/v1/management/events?limit=200")).body.data.filter(
      ({ type }: { type: string }) => type === "request.running_out"
    )
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 44 * 60 })
  expect(await told()).toEqual([])
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 2 * 60 })
  expect(await told()).toMatchObject([{ data: { request_uid: first, recipient_role: "admin" } }])
  const { text = "" } = (await mailTo(server.current, email)) ?? {}
  expect(text).toContain(`/console/practice/requests/${first}`)
  expect(text).not.toContain(SECRET)
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 3_600 })
  expect(await told()).toHaveLength(1)
  expect((await world.api("GET", PATH)).body.data[0]).toMatchObject({ uid: first, overdue: true })
})

test("a session of mode request has neither type nor range; Rule 22.5.11", async () => {
  const { world, type, PATH } = await scene()
  const PATIENT = "/v1/scheduling/booking-sessions"
  const bearer = { "x-service-booking-token": await world.token() }
  const key = { "idempotency-key": random("key") }
  const open = (body: unknown, more = {}) =>
    server.current.api("POST", PATIENT, { headers: { ...bearer, ...more }, body })
  const wanted = { mode: "request", return_url: "https://example.org/back" }
  const opened = await open(wanted, key)
  const { booking_launch_code: code, launch_url, expires_at } = opened.body
  expect([opened.status, launch_url]).toEqual([200, expect.stringContaining(`/meet/booking/${code}/requests`)])
  expect((await open(wanted, key)).body).toEqual(opened.body)
  const { type_uid, shop_uid, doctors } = world
  const range = { from: inDays(1), to: inDays(2) }
  expect((await open({ mode: "request", appointment_type_uid: type_uid, ...range })).body.error).toEqual([
    "appointment_type_uid: cannot be sent with mode request",
    "from: cannot be sent with mode request",
    "to: cannot be sent with mode request"
  ])
  expect((await open({ mode: "wish" })).body.error).toEqual(["mode: must be one of booking, rebooking, request"])
  const shown = await server.current.api("GET", `${PATIENT}/${code}`)
  expect(shown).toMatchObject({ status: 200, body: { shop_uid, mode: "request", expires_at } })
  expect(shown.body).toMatchObject({
    appointment_type_uid: null,
    appointment_type: null,
    start_from: null,
    start_to: null
  })
  expect(shown.body.return_url).toBe("https://example.org/back")
  const [doctor_uid] = doctors
  const time = { doctor_uid, appointment_type_uid: type_uid, start_date: inDays(1) }
  for (const [method, path, body] of [
    ["POST", "holds", time],
    ["POST", "appointments", time],
    ["POST", "holds/apt_none/confirm", {}],
    ["GET", "entry", undefined],
    ["PUT", "entry", { answers: {} }]
  ] as const)
    expect([
      path,
      await server.current.api(method, `${PATIENT}/${code}/${path}`, body === undefined ? {} : { body })
    ]).toMatchObject([path, { status: 404, body: { error: "Booking session not found" } }])
  const page = await fetch(String(launch_url))
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Wiederholungsrezept")])
  const body = { request_type_uid: type.uid, answers: { what: SECRET } }
  const twice = { body, headers: { "idempotency-key": random("key") } }
  const sent = await server.current.api("POST", `${PATIENT}/${code}/requests`, twice)
  expect(sent).toMatchObject({ status: 201, body: { status: "open" } })
  expect((await server.current.api("POST", `${PATIENT}/${code}/requests`, twice)).body).toEqual(sent.body)
  expect((await world.api("GET", PATH)).body).toMatchObject({ totalRegistries: 1, data: [{ uid: sent.body.uid }] })
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 1_801 })
  expect((await server.current.api("GET", `${PATIENT}/${code}`)).status).toBe(404)
  expect((await server.current.api("POST", `${PATIENT}/${code}/requests`, { body })).status).toBe(404)
})

test("a provisioning file has forms, what types ask, and types of requests; twice changes nothing; Rule 22.5.10", async () => {
  const world = await makeWorld(server.current)
  const { organisation_uid } = world
  const [form, kind, type] = [random("frm"), random("rqt"), random("aty")]
  const item = { link_id: "one", type: "boolean", text: { de: "Frage?" } }
  const file = (items: ReadonlyArray<unknown> = [item]) => ({
    // in whatever order the lists stand
    request_types: [
      { uid: kind, organisation_uid, name: "Rezept", kind: "prescription", form_uid: form, answer_within_minutes: 60 }
    ],
    appointment_types: [
      {
        ...{ uid: type, organisation_uid, name: "Haut", meeting_type: "CONSULTATION", duration_minutes: 20 },
        ...{ hold_ttl_seconds: 600, room_strategy: "per_appointment", rebooking_mode: "same_doctor_only" },
        intake: [{ form_uid: form, blocks: "join" }],
        entry: { form_uid: form, rules: [], otherwise: "refuse" }
      }
    ],
    forms: [{ uid: form, organisation_uid, title: "Fragen", items }]
  })
  await world.provision(file())
  const found = async () => (await world.api("GET", `/v1/management/forms/${form}`)).body
  const before = await found()
  expect(before).toMatchObject({ version: 1, active: true })
  expect((await world.api("GET", `/v1/management/request-types/${kind}`)).body).toMatchObject({ recipient: "practice" })
  await world.provision(file())
  expect(await found()).toEqual(before)
  await world.provision(file([item, { ...item, link_id: "two" }]))
  expect(await found()).toMatchObject({ version: 2 })
  await expect(
    world.provision({ forms: [{ uid: form, organisation_uid, title: "Fragen", items: [] }] })
  ).rejects.toThrow()
  const bad = { ...file().request_types[0], uid: random("rqt"), form_uid: "frm_unknown" }
  await expect(world.provision({ request_types: [bad] })).rejects.toThrow("form_uid")
})

test("the inbox counts and lists what is open, the caller's own and overdue; Rule 22.5.7", async () => {
  const { world, send, act, PATH } = await scene()
  const uids = [(await send()).body.uid, (await send()).body.uid, (await send()).body.uid]
  await act(uids[0], "take")
  const counts = async () => (await world.api("GET", "/v1/management/statistics/requests")).body
  const inbox = async (name: string) =>
    (await world.api("GET", `${PATH}?inbox=${name}`)).body.data.map(({ uid }: { uid: string }) => uid)
  expect(await counts()).toEqual({ open: 2, mine: 1, overdue: 0 })
  expect([await inbox("open"), await inbox("mine"), await inbox("overdue")]).toEqual([uids.slice(1), [uids[0]], []])
  await act(uids[0], "answer", { text: "Ja" })
  expect(await inbox("mine")).toEqual([uids[0]])
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 3_601 })
  expect(await inbox("overdue")).toEqual(uids.slice(1))
  await act(uids[0], "close", { outcome: "done" })
  expect(await counts()).toEqual({ open: 2, mine: 0, overdue: 2 })
  expect((await world.api("GET", `${PATH}?status=closed`)).body.data).toMatchObject([
    { kind: "prescription", type_name: { de: "Wiederholungsrezept", en: "Repeat prescription" } }
  ])
})

test("a request goes to whom the patient's last appointment was with, not to one of a cancelled or a later one", async () => {
  const world = await makeWorld(server.current)
  const items = [{ link_id: "what", type: "text", text: "Worum geht es?" }]
  const form = await world.api("POST", "/v1/management/forms", { title: "Rezept", items })
  const type = await world.api("POST", "/v1/management/request-types", {
    ...{ name: "Rezept", kind: "prescription", form_uid: form.body.uid, answer_within_minutes: 60, recipient: "doctor" }
  })
  const [last, other] = world.doctors
  const body = { request_type_uid: type.body.uid, answers: { what: SECRET } }
  const doctorAsked = async () => {
    const path = `/v1/scheduling/booking-sessions/${await world.session()}/requests`
    const { uid } = (await server.current.api("POST", path, { body })).body
    return (await world.api("GET", `/v1/management/requests/${uid}`)).body.doctor_uid
  }
  expect(await doctorAsked()).toBeNull()
  await world.booked(inDays(3, 9), undefined, { doctor_uid: other })
  expect(await doctorAsked()).toBe(other)
  const past = await world.booked(inDays(1, 9), undefined, { doctor_uid: last })
  await server.current
    .sql`UPDATE appointments SET start_date = start_date - interval '9 days', end_date = end_date - interval '9 days'
    WHERE uid = ${past}`
  expect(await doctorAsked()).toBe(last)
  const cancelled = await world.booked(inDays(2, 9), undefined, { doctor_uid: other })
  await server.current.sql`UPDATE appointments SET status = 'cancelled', cancelled_at = now(),
    start_date = start_date - interval '5 days', end_date = end_date - interval '5 days' WHERE uid = ${cancelled}`
  expect(await doctorAsked()).toBe(last)
  // who has left the practice answers nothing
  await server.current.sql`UPDATE doctors SET deleted_at = updated_at WHERE uid = ${last}`
  expect(await doctorAsked()).toBe(other)
})

test("a doctor reads and closes the own requests, and none of others; Rule 22.5.8", async () => {
  const world = await makeWorld(server.current)
  const items = [{ link_id: "what", type: "text", text: "Worum geht es?" }]
  const form = await world.api("POST", "/v1/management/forms", { title: "Rezept", items })
  const type = await world.api("POST", "/v1/management/request-types", {
    ...{ name: "Rezept", kind: "prescription", form_uid: form.body.uid, answer_within_minutes: 60, recipient: "doctor" }
  })
  await world.booked(inDays(1, 9))
  const path = `/v1/scheduling/booking-sessions/${await world.session()}/requests`
  const body = { request_type_uid: type.body.uid, answers: { what: SECRET } }
  const { uid } = (await server.current.api("POST", path, { body })).body
  const doctor = { bearer: await doctorOf(server.current, world) }
  const own = (method: string, rest = "", sent?: unknown) =>
    server.current.api(method, `/v1/doctor/requests${rest}`, { ...doctor, ...(sent !== undefined && { body: sent }) })
  expect((await own("GET")).body.data).toMatchObject([{ uid, kind: "prescription", doctor_uid: world.doctor }])
  expect(JSON.stringify((await own("GET")).body)).not.toContain(SECRET)
  expect((await own("GET", `/${uid}`)).body.form.answers).toEqual({ what: SECRET })
  expect((await own("POST", `/${uid}/answer`, { text: REPLY })).body).toMatchObject({ status: "answered" })
  const other = await makeWorld(server.current)
  const stranger = { bearer: await doctorOf(server.current, other) }
  for (const [method, rest] of [
    ["GET", ""],
    ["POST", "/close"]
  ] as const)
    expect(
      (
        await server.current.api(method, `/v1/doctor/requests/${uid}${rest}`, {
          ...stranger,
          ...(method === "POST" && { body: { outcome: "done" } })
        })
      ).status
    ).toBe(404)
  expect((await own("POST", `/${uid}/close`, { outcome: "done" })).body).toMatchObject({ status: "closed" })
  expect((await own("GET")).body.data).toEqual([])
  const unasked = (await server.current.api("POST", path, { body })).body.uid
  await server.current.sql`UPDATE requests SET doctor_uid = NULL WHERE uid = ${unasked}`
  expect((await own("GET", `/${unasked}`)).status).toBe(404)
})
