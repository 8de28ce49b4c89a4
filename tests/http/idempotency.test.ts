/** `Idempotency-Key` on every POST. Rules 2.6.1 to 2.6.4 and 2.6.8 to 2.6.10. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Clock, Deferred, Effect, Fiber, Queue, Schema } from "effect"
import { Idempotency } from "../../src/services/Idempotency.ts"
import { withoutOwner } from "../../src/services/tenancy/Tenancy.ts"
import { caldavStandIn } from "../support/caldavStandIn.ts"
import { eventually } from "../support/eventually.ts"
import { orderWithoutAnamnesis } from "../support/orderWithoutAnamnesis.ts"
import { place } from "../support/provisioned.ts"
import { isLong } from "../support/scale.ts"
import { type Ask, sandboxServer } from "../support/server.ts"
import { withKey } from "../support/withKey.ts"
import { inDays, makeWorld, random, type World } from "../support/world.ts"
import { keyKind, type Operation, operations } from "./matrix/operations.ts"
import { bodyFor, pathFor } from "./matrix/samples.ts"
import { kindsOf, makeTenant, type Tenant } from "./matrix/tenant.ts"
import { tenants } from "./matrix/tenants.ts"

const server = sandboxServer()
const takesKey = ({ parameters }: Operation) => parameters.some(({ name }) => name === "idempotency-key")
const keyed = operations.filter(takesKey)
/** Its credential is the console's cookie, for which staff sign in by mail: `capabilities/console/mailSignIn.test.ts`. */
const OF_CONSOLE = "/v1/staff/tokens"

test("every POST takes a key, except one that changes nothing and one with another identifier", () => {
  const without = operations.filter((one) => one.method === "POST" && !takesKey(one))
  expect(without.map(({ id }) => id)).toEqual([
    "POST /v1/scheduling/slots/search",
    "POST /v1/storefront/{shop_identifier}/webhooks",
    "POST /v1/scheduling/booking-sessions/{booking_launch_code}/waitlist-entry",
    "POST /v1/scheduling/waitlist-offers/{code}/accept",
    "POST /v1/scheduling/waitlist-offers/{code}/decline",
    // bodies that are files
    "POST /v1/scheduling/booking-sessions/{booking_launch_code}/entry/files",
    "POST /v1/scheduling/appointment-actions/{code}/intake/{form_uid}/files",
    "POST /v1/scheduling/booking-sessions/{booking_launch_code}/requests/files"
  ])
  expect(keyed.every(({ method }) => method === "POST")).toBeTrue()
})

const WAITING_ORDER = 5_123_456_789

/** Bodies with dependencies between fields that their schemas do not express. */
const fitting = (operation: Operation, { world, named }: Tenant): object | undefined => {
  if (operation.path === "/v1/management/notification-subscriptions")
    return { notification_type: "REBOOKED", url: "http://127.0.0.1:9/hook" }
  if (operation.path.endsWith("/close")) return { outcome: "done" }
  if (operation.path.endsWith("/consents")) return { purpose: "video", version: "1" }
  if (operation.path === "/v1/doctor/calendar-connections")
    return { provider: "caldav", url: caldavStandIn(), username: "ada", password: "secret" }
  if (operation.path === "/v1/management/shops") return { shop_identifier: random("shop") }
  if (operation.path === "/v1/admin/fhir-clients") return { ...Object(operation.example), client_id: random("client") }
  if (operation.path === "/v1/scheduling/booking-sessions")
    return { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
  if (operation.path.startsWith("/v2/public-api/prescriptions"))
    return {
      patient_data: { first_name: "Ada", last_name: "Patient", date_of_birth: 0, gender: "female" },
      lines: [{ sku_uid: named.sku_uid, quantity: 1 }]
    }
  if (operation.path.endsWith("/waiting-orders/release"))
    return { shop_identifier: world.shop_identifier, order_id: String(WAITING_ORDER) }
  if (operation.path === "/v1/operator/provisioning") return { file: {}, dry_run: true }
  if (operation.path === "/v1/sandbox/clock") return { advance_seconds: 1 }
  return undefined
}

/** Preconditions of an operation. */
const prepare = async (operation: Operation, tenant: Tenant): Promise<Tenant> => {
  const { world, named } = tenant
  if (/\/(join|complete|no-show)$/.test(operation.path)) {
    const start_date = Math.floor(Date.now() / 1000) - 60
    const uid = await place(world, named.patient_uid ?? "", { status: "confirmed", start_date })
    const links = `/v1/management/scheduling/appointments/${uid}/action-links`
    const code = await world.api("POST", links, { action: "join" })
    const valueOf = async (path: string, name: string) => {
      if (name === "code") return String(code.body.code)
      return name === "appointment_uid" || name === "meeting_uid" ? uid : tenant.valueOf(path, name)
    }
    return { ...tenant, valueOf }
  }
  if (operation.path.endsWith("/external-sign")) {
    const prescription = `/v1/management/prescriptions/${named.prescription_uid}`
    await world.api("POST", `${prescription}/render`)
    await eventually(
      () => world.api("GET", prescription),
      ({ body }) => body.rendered
    )
  }
  if (operation.path.endsWith("/waiting-orders/release")) {
    const { shop_uid, shop_identifier } = world
    const sku_uid = named.sku_uid ?? ""
    await world.api("PATCH", `/v1/management/shops/${shop_uid}`, { anamnesis_sku_uids: [sku_uid] })
    await orderWithoutAnamnesis(server.current, shop_identifier, sku_uid, WAITING_ORDER)
  }
  return tenant
}

const tenantFor = tenants()
const set = async (operation: Operation) => {
  const tenant = await prepare(operation, await tenantFor(server.current, operation))
  const opens = operation.parameters.some(({ name }) => name === "x-service-booking-token")
  const [kind] = kindsOf(operation, keyKind(operation))
  const as: Ask = opens
    ? await tenant.credentials.patient()
    : kind === undefined
      ? {}
      : await tenant.credentials[kind]()
  const path = await pathFor(operation, tenant)
  const body = fitting(operation, tenant) ?? (await bodyFor(operation, tenant))
  const send = (key: string, credential = as, sent: unknown = body) =>
    server.current.api("POST", path, {
      ...credential,
      ...(operation.body !== undefined && { body: sent }),
      headers: { "idempotency-key": key }
    })
  return { tenant, kind, as, path, body, send }
}

const reused = { status: 409, body: { code: "idempotency_key_reused" } }

/** In the short run those that book, the one that answers nothing, and every eighth of the others. */
const some = keyed.filter(
  ({ path }, index) =>
    path !== OF_CONSOLE &&
    (isLong || index % 8 === 0 || /(holds|sessions.*appointments|scheduling.appointments|rebook|release)$/.test(path))
)
test.each(some)("$id runs once per key, whether it is repeated later or concurrently", async (operation) => {
  const { send, tenant, as, body, path } = await set(operation)
  const key = random("key")
  const answers = await Promise.all([send(key), send(key), send(key)])
  const done = answers.filter(({ status }) => status < 300)
  for (const { status, body } of answers.filter((one) => one.status >= 300))
    expect([status, body.code]).toEqual([409, "in_progress"])
  const again = await send(key)
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([done[0]?.status ?? 0, "true"])
  if (!operation.description.includes("A repeated request runs again"))
    for (const { body } of done) expect(body).toEqual(again.body)
  expect(done.filter(({ headers }) => headers.get("idempotency-replayed") !== "true")).toHaveLength(1)

  const other = ["visit_reason", "reason"].find((name) => operation.body?.properties?.[name] !== undefined)
  if (other !== undefined) expect(await send(key, as, { ...(body as object), [other]: "other" })).toMatchObject(reused)
  if (as.key === undefined || path.includes("external_pharmacy_api")) return
  const stranger = { key: await tenant.world.keyWith(...operation.permissions) }
  expect((await send(key, stranger)).headers.get("idempotency-replayed")).toBeNull()
})

/** Requests of the practice with this idempotency key. */
const keyedBy =
  ({ key }: World, idempotency: string) =>
  (path: string, body: object) =>
    server.current.api("POST", `/v1/management/${path}`, { key, body, headers: { "idempotency-key": idempotency } })

test("a key is valid for one operation and body: anything else is 409", async () => {
  const world = await makeWorld(server.current)
  const post = keyedBy(world, random("key"))
  const doctor = { display_name: "Dr. A" }
  expect((await post("doctors", doctor)).status).toBe(201)
  expect(await post("doctors", { display_name: "Dr. B" })).toMatchObject(reused)
  expect(await post("shops", { shop_identifier: random("shop") })).toMatchObject(reused)
  expect((await post("doctors", { ...doctor, ignored: 1 })).headers.get("idempotency-replayed")).toBe("true")
})

test("a failure leaves the key unused, and a bad key is named", async () => {
  const world = await makeWorld(server.current)
  const post = keyedBy(world, random("key"))
  expect((await post("patients", { shop_uid: "none" })).status).toBe(404)
  expect((await post("patients", { shop_uid: world.shop_uid })).status).toBe(201)
  const bad = await keyedBy(world, "x".repeat(256))("patients", { shop_uid: world.shop_uid })
  expect([bad.status, bad.body.error[0]]).toEqual([400, expect.stringContaining("idempotency-key")])
})

test("answers are stored sealed: the database does not contain a new API key's text", async () => {
  const { credentials } = await makeTenant(server.current)
  const made = await server.current.api("POST", "/v1/admin/api-keys/", {
    ...(await credentials.admin()),
    body: { name: "new", permissions: [] },
    headers: { "idempotency-key": random("key") }
  })
  expect(made.status).toBe(201)
  const rows = await server.current.sql`SELECT to_jsonb(k)::text AS row FROM idempotency_keys k`
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain(made.body.key)
})

const statement = (text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text, values as Array<string>))

// Shows: unlimited idempotency keys, or keys visible without a tenant
test("a dry run is executed again, and its answer is not stored; Rule 2.6.9", async () => {
  const world = await makeWorld(server.current)
  const uid = await world.booked(inDays(3, 9))
  const range = { from: inDays(3), to: inDays(4), reason: "closed" }
  const post = keyedBy(world, random("key"))
  const cancel = (body: object) => post("scheduling/appointments/bulk-cancel", body)
  expect((await cancel({ ...range, dry_run: true })).body.cancelled).toEqual([uid])
  expect(await cancel(range)).toMatchObject(reused)
  await world.api("POST", `/v1/management/scheduling/appointments/${uid}/cancel`, { reason: "closed" })
  const again = await cancel({ ...range, dry_run: true })
  expect([again.body.cancelled, again.headers.get("idempotency-replayed")]).toEqual([[], "true"])
})

// Shows: guessing and flooding
// Shows: unlimited idempotency keys, or keys visible without a tenant
test("a patient's keys are limited, and known ones are still replayed and resumed; Rule 2.6.10", async () => {
  const world = await makeWorld(server.current)
  const token = await world.token(random("customer"))
  const body = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
  const open = (key?: string) =>
    server.current.api("POST", "/v1/scheduling/booking-sessions", {
      token,
      body,
      headers: key === undefined ? {} : { "idempotency-key": key }
    })
  expect((await open()).status).toBe(200)
  await server.current.sql`INSERT INTO idempotency_keys (owner_uid, scope, key, body_hash, response_sealed, created_at)
      SELECT organisation_uid, 'patient:' || patient_uid, 'known-' || n, '\\x00', '', now()
      FROM booking_sessions, generate_series(1, 1000) n WHERE organisation_uid = ${world.organisation_uid}`
  const refused = await open(random("key"))
  expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } })
  expect(refused.headers.get("retry-after")).toBe("3600")
  expect(await open("known-1")).toMatchObject(reused)
  // Its process ended during the work
  await server.current.sql`UPDATE idempotency_keys SET response_sealed = NULL, created_at = now() - interval '2 minutes'
      WHERE owner_uid = ${world.organisation_uid} AND key = 'known-2'`
  expect((await open("known-2")).status).toBe(200)
  expect((await open()).status).toBe(200)
})

// Shows: a shop that responds late or endlessly, or sends endless orders
test("a request keeps its key while it waits for a slow shop; Rule 2.6.8", async () => {
  const of = { owner_uid: random("org"), scope: "api_key:key_1", answer: Schema.String }
  let millis = 0
  const answers = await server.current.run(
    Effect.gen(function* () {
      const { onceOutsideTransaction } = yield* Idempotency
      const shop = yield* Deferred.make<string>()
      const suspended = yield* Queue.unbounded<Deferred.Deferred<void>>()
      const clock = Object.assign(Clock.make(), {
        currentTimeMillis: Effect.sync(() => millis),
        sleep: () =>
          Effect.flatMap(Deferred.make<void>(), (end) => Effect.zipRight(suspended.offer(end), Deferred.await(end)))
      })
      return yield* Effect.withClock(
        Effect.gen(function* () {
          const first = yield* Effect.fork(onceOutsideTransaction(of, Deferred.await(shop)))
          const waiting = yield* suspended.take
          millis = 50_000
          yield* Deferred.succeed(waiting, undefined)
          yield* Effect.asVoid(suspended.take)
          millis = 100_000
          const second = yield* Effect.flip(onceOutsideTransaction(of, Effect.succeed("a second draft")))
          yield* Deferred.succeed(shop, "the draft")
          return [second._tag, yield* Fiber.join(first), yield* onceOutsideTransaction(of, Effect.succeed("a third"))]
        }),
        clock
      )
    }).pipe(withKey("slow"), Effect.provide(Idempotency.Default))
  )
  expect(answers).toEqual(["InProgress", "the draft", "the draft"])
})

// Shows: unlimited idempotency keys, or keys visible without a tenant
test("operators' keys belong to the installation, so that they are invisible without a tenant", async () => {
  const { credentials } = await makeTenant(server.current)
  const sent = await server.current.api("POST", "/v1/operator/provisioning", {
    ...(await credentials.operator()),
    body: { file: {} },
    headers: { "idempotency-key": "an-operator's" }
  })
  expect(sent.status).toBe(200)
  const owners = statement("SELECT owner_uid FROM idempotency_keys WHERE key = $1", ["an-operator's"])
  expect(await server.current.run(owners)).toEqual([{ owner_uid: "installation" }])
  expect(await server.current.run(withoutOwner(owners))).toEqual([])
  const ownerless = statement(
    "INSERT INTO idempotency_keys (owner_uid, scope, key, body_hash, created_at) VALUES ('', 's', 'k', '', now())"
  )
  expect(await server.current.run(Effect.exit(ownerless))).toMatchObject({ _tag: "Failure" })
})
