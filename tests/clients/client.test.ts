/** The TypeScript client against a running service: retries, lists, versions, errors, webhooks. */
import { afterAll, describe, expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import {
  ApiError,
  ConnectionError,
  isApiError,
  mintBookingToken,
  signWebhook,
  sprechstunde,
  verifyWebhook,
  WebhookVerificationError
} from "../../clients/typescript/src/index.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const server = testServer()

type Interference = (pass: () => Promise<Response>) => Promise<Response> | Response

/** A proxy in front of the service: applies `interferences` to the next requests and forwards the others. */
const interferences: Array<Interference> = []
const seen: Array<Headers> = []
const between = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    const { pathname, search } = new URL(request.url)
    const headers = new Headers(request.headers)
    headers.set("accept-encoding", "identity") // Bun's fetch would decode the body and keep its header
    const { method } = request
    const body = method === "GET" ? null : await request.text()
    seen.push(request.headers)
    const pass = async () => {
      const answer = await fetch(server.current.url + pathname + search, { method, headers, body })
      return new Response(await answer.arrayBuffer(), answer)
    }
    const interference = interferences.shift()
    return interference === undefined ? pass() : interference(pass)
  }
})
afterAll(() => between.stop(true))

const refused =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ error: code, code, trace_id: "t" }, { status, headers })

/** Forwards the request and drops the response. */
const lost: Interference = async (pass) => {
  await pass()
  return new Response("<html>Bad gateway</html>", { status: 502, headers: { "content-type": "text/html" } })
}

const start = async (settings = {}) => {
  const world = await makeWorld(server.current)
  const client = sprechstunde({ baseUrl: between.url.origin, apiKey: world.key, ...settings })
  seen.length = 0
  return { world, client }
}

/** What a call is rejected with. */
const failure = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => undefined,
    (caught: unknown) => caught
  )

const booking = (world: Awaited<ReturnType<typeof makeWorld>>, hour: number) => ({
  shop_uid: world.shop_uid,
  shop_customer_id: random("customer"),
  appointment_type_uid: world.type_uid,
  doctor_uid: world.doctor,
  start_date: inDays(3, hour)
})

describe("retries", () => {
  test("happen after 429 once Retry-After has passed, also for a POST without a key", async () => {
    const { client, world } = await start()
    interferences.push(refused(429, "too_many_requests", { "retry-after": "0" }))
    const range = { from: inDays(1), to: inDays(2), limit: 1 }
    const body = { shop_uid: world.shop_uid, appointment_type_uid: world.type_uid, ...range }
    expect((await client.searchSlots({ body })).slots).toHaveLength(1)
    expect(seen).toHaveLength(2)
  })

  test("repeat a booking whose answer was lost under the same key, so that it is made once; the next call has its own", async () => {
    const { client, world } = await start()
    interferences.push(lost)
    const { body, replayed } = await client.bookAppointment({ body: booking(world, 8) }).answer()
    expect([body.status, replayed]).toEqual(["confirmed", true])
    await client.bookAppointment({ body: booking(world, 9) })
    const [first, again, next] = seen.map((headers) => headers.get("idempotency-key"))
    expect([seen.length, again === first, next === first]).toEqual([3, true, false])
    expect(await client.listAppointments({ status: "all", from: 0 }).all()).toHaveLength(2)
  })

  test("do not happen for a request that may have been executed and is not repeatable", async () => {
    const { client } = await start()
    const { uid } = await client.createDoctor({ body: { display_name: "Dr. A" } })
    seen.length = 0
    interferences.push(lost)
    const error = await failure(client.deleteDoctor({ doctor_uid: uid }))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 502, code: "unknown" })
    expect(seen).toHaveLength(1)
  })

  test("leave a Retry-After beyond the caller's limit to the caller", async () => {
    const { client } = await start()
    interferences.push(refused(503, "unavailable", { "retry-after": "120" }))
    expect(await failure(client.listAppointments())).toMatchObject({
      code: "unavailable",
      retryAfterSeconds: 120,
      operation: "listAppointments"
    })
    expect(seen).toHaveLength(1)
  })

  test("happen no more often than configured", async () => {
    const { client } = await start({ retries: 1 })
    interferences.push(...Array.from({ length: 2 }, () => refused(503, "overloaded", { "retry-after": "0" })))
    expect(isApiError(await failure(client.listAppointments()), "overloaded")).toBeTrue()
    expect(seen).toHaveLength(2)
  })
})

test("a missing answer is a ConnectionError, and a caller's signal aborts the call with its own reason", async () => {
  const nowhere = sprechstunde({ baseUrl: "http://127.0.0.1:1", apiKey: "spr_x", retries: 0 })
  expect(await failure(nowhere.listAppointments())).toBeInstanceOf(ConnectionError)
  const { client } = await start()
  const reason = new Error("not needed any more")
  interferences.push(() => new Promise<Response>(() => {}))
  const controller = new AbortController()
  const call = failure(client.listAppointments({}, { signal: controller.signal }))
  controller.abort(reason)
  expect(await call).toBe(reason)
  interferences.length = 0
})

describe("lists", () => {
  test("by page give one page when awaited and all entries when iterated", async () => {
    const { client, world } = await start()
    for (const hour of [1, 2, 3, 4, 5]) await client.bookAppointment({ body: booking(world, hour) })
    const page = await client.listAppointments({ limit: 2 })
    expect([page.data.length, page.totalRegistries, page.totalPages]).toEqual([2, 5, 3])
    const starts: Array<number> = []
    for await (const { start_date } of client.listAppointments({ limit: 2 })) starts.push(start_date)
    expect(starts).toEqual([1, 2, 3, 4, 5].map((hour) => inDays(3, hour)))
    seen.length = 0
    expect(await client.listAppointments({ limit: 2 }).all(3)).toHaveLength(3)
    expect(seen).toHaveLength(2)
  })

  test("by cursor do the same", async () => {
    const { client, world } = await start()
    for (const hour of [1, 2, 3]) await client.bookAppointment({ body: booking(world, hour) })
    const list = () => client.listEvents({ type: "patient_doctor_meeting_updated", limit: 2 })
    const events = await list().all()
    expect(new Set(events.map(({ id }) => id)).size).toBe(3)
    expect((await list()).data.map(({ id }) => id)).toEqual(events.slice(0, 2).map(({ id }) => id))
  })
})

test("a record is changed only at the version that was read", async () => {
  const { client, world } = await start()
  const [type] = (await client.listAppointmentTypes()).data
  const path = { appointment_type_uid: type?.uid ?? world.type_uid }
  const first = await client.updateAppointmentType({ ...path, body: { name: "Talk" } }).answer()
  const ifMatch = first.etag ?? ""
  await client.updateAppointmentType({ ...path, body: { name: "Long talk" } }, { ifMatch })
  const late = client.updateAppointmentType({ ...path, body: { name: "Short" } }, { ifMatch })
  expect(isApiError(await failure(late), "precondition_failed")).toBeTrue()
})

test("a refusal has its code, every fault and the request's id", async () => {
  const { client } = await start()
  const error = await failure(client.bookAppointment({ body: JSON.parse("{}") }))
  const traceId = expect.stringMatching(/^[0-9a-f]{32}$/)
  expect(error).toMatchObject({ status: 400, code: "invalid_request", traceId })
  expect(error instanceof ApiError && error.faults.length).toBeGreaterThan(1)
  expect(isApiError(error, "slot_taken")).toBeFalse()
})

test("a token that is minted here opens a session for its customer", async () => {
  const { client, world } = await start()
  const bookingToken = await mintBookingToken(
    { keyId: world.key_id, secret: world.secret },
    {
      shopIdentifier: world.shop_identifier,
      customerId: "customer-9",
      profile: { first_name: "Zoë", last_name: "Müller" }
    }
  )
  const body = { mode: "booking" as const, appointment_type_uid: world.type_uid, from: inDays(0), to: inDays(9) }
  const { booking_launch_code } = await client.createBookingSession({ body }, { bookingToken })
  const held = { doctor_uid: world.doctor, start_date: inDays(4) }
  const { uid } = await client.bookSessionAppointment({ booking_launch_code, body: held })
  expect((await client.getAppointment({ appointment_uid: uid })).patient_display_name).toBe("Zoë Müller")
  const moved = { new_start_date: inDays(5), new_doctor_uid: world.doctor }
  const { status } = await client.rebookPatientAppointment({ appointment_uid: uid, body: moved }, { bookingToken })
  expect(status).toBe("confirmed")
})

describe("webhooks", () => {
  const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`
  const body = JSON.stringify({ id: "evt_1", type: "rebooked", timestamp: 1, data: { previous_meeting_uid: "apt_ü" } })
  const now = () => Math.floor(Date.now() / 1000)
  const other = `whsec_${Buffer.alloc(32, 4).toString("base64")}`

  test("are signed and verified as the Standard Webhooks library does, with one of several secrets, and as bytes", async () => {
    const theirs = new Webhook(secret)
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(now()),
      "webhook-signature": theirs.sign("evt_1", new Date(now() * 1000), body)
    }
    expect(await verifyWebhook({ headers, body }, secret)).toMatchObject({ data: { previous_meeting_uid: "apt_ü" } })
    const signed = await signWebhook("evt_1", body, secret)
    expect(theirs.verify(body, signed)).toMatchObject({ type: "rebooked" })
    const received = { headers: new Headers(signed), body: new TextEncoder().encode(body) }
    expect((await verifyWebhook(received, [other, secret])).type).toBe("rebooked")
  })

  test("fail verification when changed, too old or signed by others", async () => {
    const headers = await signWebhook("evt_1", body, secret)
    const late = await signWebhook("evt_1", body, secret, now() - 301)
    const refused = [
      verifyWebhook({ headers, body: `${body} ` }, secret),
      verifyWebhook({ headers: { ...headers, "webhook-id": "evt_2" }, body }, secret),
      verifyWebhook({ headers, body }, other),
      verifyWebhook({ headers: { ...headers, "webhook-signature": "v1,%%% v2,abc" }, body }, secret),
      verifyWebhook({ headers: {}, body }, secret),
      verifyWebhook({ headers: late, body }, secret)
    ].map(failure)
    for (const error of await Promise.all(refused)) expect(error).toBeInstanceOf(WebhookVerificationError)
    expect(await verifyWebhook({ headers: late, body }, secret, { toleranceSeconds: 400 })).toBeDefined()
  })
})
