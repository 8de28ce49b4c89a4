/** What patients answer, ask and add, and what the practice replies, searched for in everything that is stored, logged or sent (Rule 22.7.1). */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { startReceiver } from "../../events/receiver.ts"
import { mailsTo } from "../../support/codes.ts"
import { arrived, eventually } from "../../support/eventually.ts"
import { type Service, startService, temporaryFolder } from "../../support/processes.ts"
import { apiAt, testServer } from "../../support/server.ts"
import { filesIn, rowsByTable } from "../../support/stored.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"
import { collectorOf } from "../../telemetry/collector.ts"
import { clamd } from "./support/clamd.ts"

const scanner = clamd()
const CLAMAV_URL = `tcp://127.0.0.1:${scanner.port}`
const server = testServer({ ROLE: "http", CLAMAV_URL })
const collector = collectorOf()
const receiver = await startReceiver()
const folder = temporaryFolder()
let service: Service

beforeAll(async () => {
  service = await startService({
    DATABASE_URL: server.current.databaseUrl,
    DATA_DIR: folder.path,
    CLAMAV_URL,
    LOG_LEVEL: "debug",
    WEBHOOK_ALLOW_PRIVATE: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: "60000",
    OTEL_BSP_SCHEDULE_DELAY: "50"
  })
})
afterAll(async () => {
  await service.stop()
  await collector.stop()
  receiver.stop()
  folder.remove()
})

const ANSWER = "kanarie-gürtelrose-1"
const REFUSED = "kanarie-refused-2"
const NAME = "kanarie-befund-3.pdf"
const CONTENT = "kanarie-content-4"
const REPLY = "kanarie-reply-5"

// Shows: readers of logs and traces
test("answers, requests, replies, files and their names are in no row, file, log, trace, metric, webhook, mail or list", async () => {
  const world = await makeWorld(server.current)
  const api = apiAt(service.url)
  const statuses: Array<number> = []
  const ask = async (method: string, path: string, body?: unknown, key?: string, type?: string) => {
    const answer = await api(method, path, {
      ...(body !== undefined && { body }),
      ...(key !== undefined && { key }),
      ...(type !== undefined && { headers: { "content-type": type } })
    })
    statuses.push(answer.status)
    return answer
  }
  const staff = (method: string, path: string, body?: unknown) => ask(method, `/v1/management${path}`, body, world.key)
  const items = [
    { link_id: "what", type: "text", text: "Was?", max_length: 100 },
    { link_id: "many", type: "integer", text: "Wie viele?" },
    { link_id: "letter", type: "file", text: "Brief" }
  ]
  const form_uid = (await staff("POST", "/forms", { title: "Anamnese", items })).body.uid
  const types = `/scheduling/appointment-types/${world.type_uid}`
  await staff("PATCH", types, { entry: { form_uid, rules: [] }, intake: [{ form_uid, due_minutes_before: 10_000 }] })
  const type = { name: "Rezept", kind: "other", form_uid, answer_within_minutes: 60 }
  const request_type_uid = (await staff("POST", "/request-types", type)).body.uid
  for (const notification_type of ["REQUEST_CREATED", "REQUEST_ANSWERED", "PATIENT_DOCTOR_MEETING_UPDATED"])
    await staff("POST", "/notification-subscriptions", { notification_type, url: receiver.url("/hook") })

  const customer = random("customer")
  const email = `${customer}@example.org`
  await world.run(world.practice.customer(customer, { first_name: "Ada", last_name: "Meyer", email }))
  const code = await world.session(customer)
  const session = `/v1/scheduling/booking-sessions/${code}`
  const pdf = new Uint8Array(Buffer.from(`%PDF-1.4\n${CONTENT}`))
  const add = async (path: string) => {
    const name = encodeURIComponent(NAME)
    const added = await ask("POST", `${path}/files?name=${name}`, pdf, undefined, "application/pdf")
    expect(added).toMatchObject({ status: 201, body: { status: "clean", name: NAME } })
    return added.body.uid
  }
  const answers = async (path: string) => ({ what: ANSWER, letter: await add(path) })
  const bad = { what: `${REFUSED}${"x".repeat(100)}`, many: REFUSED, letter: REFUSED }
  const put = async (path: string) => {
    expect((await ask("PUT", path, { answers: bad })).status).toBe(400)
    expect((await ask("PUT", path, { answers: await answers(path) })).status).toBe(200)
  }
  await put(`${session}/entry`)
  const wanted = { doctor_uid: world.doctor, appointment_type_uid: world.type_uid, start_date: inDays(2, 9) }
  const { hold_uid } = (await ask("POST", `${session}/holds`, wanted)).body
  await ask("POST", `${session}/holds/${hold_uid}/confirm`, {})
  const link = await staff("POST", `/scheduling/appointments/${hold_uid}/action-links`, { action: "join" })
  const intake = `/v1/scheduling/appointment-actions/${link.body.code}/intake/${form_uid}`
  await put(intake)
  const requests = `${session}/requests`
  expect((await ask("POST", requests, { request_type_uid, answers: bad })).status).toBe(400)
  const sent = await ask("POST", requests, { request_type_uid, answers: await answers(requests) })
  expect(sent.status).toBe(201)
  // by the pages, too: what cannot be an answer is kept in the address, sealed
  const pages = [
    `/meet/booking/${code}/requests/${request_type_uid}`,
    `/meet/appointment/${link.body.code}/intake/${form_uid}`
  ]
  const locations: Array<string> = []
  for (const page of pages)
    for (const [link_id, text] of Object.entries({ what: bad.what, many: bad.many })) {
      const body = new URLSearchParams({ shown: link_id, [`a.${link_id}`]: text, action: "next" })
      const answer = await fetch(`${service.url}${page}?page=0`, { method: "POST", body, redirect: "manual" })
      locations.push(answer.headers.get("location") ?? "")
    }
  expect(locations.filter((one) => one.includes("form="))).toHaveLength(4)
  const read = await staff("GET", `/scheduling/appointments/${hold_uid}/intake`)
  expect(read.text).toContain(ANSWER)
  const file = await fetch(read.body.data[0].files[0].url)
  expect(await file.text()).toContain(CONTENT)
  const request = `/requests/${sent.body.uid}`
  expect((await staff("GET", request)).body.form.answers).toMatchObject({ what: ANSWER })
  expect((await staff("POST", `${request}/answer`, { text: REPLY })).status).toBe(200)
  expect((await staff("POST", `${request}/close`, { outcome: "done", text: REPLY })).status).toBe(200)
  expect(await (await fetch(String(sent.body.url))).text()).toContain(REPLY)
  await arrived(async () => receiver.at("/hook"), 3)
  const mails = await arrived(() => mailsTo({ dataDir: folder.path }, email), 2)
  const lists = await Promise.all(
    [
      "/requests?limit=200",
      "/events?limit=200",
      "/messages",
      "/audit-log?limit=200",
      "/scheduling/appointments?status=all",
      "/patients",
      "/statistics/requests"
    ].map(async (path) => (await staff("GET", path)).text)
  )
  await eventually(
    async () => collector.spans.map(({ name }) => name),
    (names) => names.some((name) => /intake/i.test(name))
  )
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  await service.stop()
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  const rows = (await rowsByTable(server.current)).map(({ name, text }) => `${name}: ${text}`).join("\n")
  expect(rows).toContain(String(sent.body.uid))
  const files = filesIn(folder.path).map((path) => readFileSync(path).toString("latin1"))
  expect(files.length).toBeGreaterThan(3)
  const seen = {
    rows,
    files: files.join("\n"),
    logs: service.said(),
    traces: collector.raw.join("\n"),
    metrics,
    webhooks: receiver.all.map(({ text }) => text).join("\n"),
    mails: mails.map(({ subject, text, html }) => `${subject} ${text} ${html}`).join("\n"),
    lists: lists.join("\n"),
    addresses: locations.join("\n")
  }
  for (const [where, text] of Object.entries(seen)) {
    const at = text.toLowerCase().indexOf("kanarie")
    expect(at < 0 ? "" : `${where}: …${text.slice(Math.max(0, at - 300), at + 100)}`).toBe("")
  }
})
