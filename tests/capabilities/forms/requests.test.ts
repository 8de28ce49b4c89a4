/** Requests in writing (Rule 22.5), and that answers stand nowhere else (Rule 22.7). */
import { expect, test } from "bun:test"
import { mailTo } from "../../support/codes.ts"
import { sandboxServer } from "../../support/server.ts"
import { makeWorld, random } from "../../support/world.ts"

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
  return { world, type: type.body, form: form.body, email, send, act, PATH }
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
