/** Audit entries of every change, every read of health data and of secrets, and every refusal. Sections 13.1 and 13.2. */
import { beforeAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Client } from "pg"
import { Api } from "../../../script/generate/wholeApi.ts"
import { AuditQuery } from "../../../src/capabilities/audit/schemas/AuditEntry.ts"
import { AuditChain } from "../../../src/capabilities/audit/services/AuditChain.ts"
import { AuditReader } from "../../../src/capabilities/audit/services/AuditReader.ts"
import { recordedOf } from "../../../src/http/annotations.ts"
import { endpointsOf } from "../../../src/http/endpoints.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { sqlStateOf } from "../../../src/services/database/SqlErrors.ts"
import { acrossTenants, asLogin, onlyOwner } from "../../../src/services/tenancy/Tenancy.ts"
import { citusNodes, seeingAll } from "../../support/citus.ts"
import { testServer } from "../../support/server.ts"
import { accessToken, adminOf, doctorOf } from "../../support/staff.ts"
import { CONSULTATION, inDays, makeWorld, type World } from "../../support/world.ts"

const server = testServer()
let world: World
let auditor: string

interface Entry {
  readonly id: string
  readonly action: string
  readonly actor: { readonly kind: string; readonly uid: string }
  readonly subject: string | null
  readonly purpose: string | null
  readonly trace_id: string
  readonly address: string | null
}

const list = async (query = ""): Promise<ReadonlyArray<Entry>> => {
  const { status, body } = await server.current.api("GET", `/v1/management/audit-log?limit=500&${query}`, {
    key: auditor
  })
  expect(status).toBe(200)
  return body.data
}
const since = async <A>(work: () => Promise<A>): Promise<readonly [A, ReadonlyArray<Entry>]> => {
  const before = (await list()).at(-1)?.id ?? "aud_1"
  const done = await work()
  return [done, (await list(`after=${before}`)).filter(({ action }) => action !== "management.audit.list")]
}

const newType = { name: "Check", ...CONSULTATION }
const call = (method: string, path: string, body: unknown) => world.api(method, path, body)

beforeAll(async () => {
  world = await makeWorld(server.current)
  auditor = await world.keyWith("audit:read", "scheduling:read")
})

test("every read of the API is recorded or has a stated exemption", () => {
  const reads = endpointsOf(Api).filter(({ endpoint }) => endpoint.method === "GET")
  expect(reads.filter((one) => recordedOf(one) === undefined).map(({ endpoint }) => endpoint.path)).toEqual([])
})

test("a reader that pages on misses no entry of a transaction that commits late", async () => {
  const last = (await list()).at(-1)?.id ?? "aud_1"
  const slow = new Client(seeingAll(server.current.databaseUrl))
  await slow.connect()
  const request = { action: "slow", actor_kind: "system", actor_uid: "system", trace_id: "" }
  await slow.query("BEGIN")
  // So it reaches a cluster's nodes, too
  await slow.query(`SET LOCAL sprechstunde.request = ${slow.escapeLiteral(JSON.stringify(request))}`)
  await slow.query("UPDATE doctors SET display_name = display_name WHERE organisation_uid = $1", [
    world.organisation_uid
  ])
  expect((await call("POST", "/v1/management/scheduling/appointment-types", newType)).status).toBe(201)
  expect(await list(`after=${last}&action=management.appointment_types.create`)).toEqual([])
  await slow.query("COMMIT")
  await slow.end()
  const actions = (await list(`after=${last}`)).map(({ action }) => action)
  expect(actions.filter((action) => !action.startsWith("management.audit"))).toEqual([
    "slow",
    "management.appointment_types.create"
  ])
})

describe("an entry", () => {
  test("names the operation, the key, the record, the purpose, the trace and the network", async () => {
    const uid = await world.booked(inDays(1, 9), "anna")
    const purpose = Buffer.from(" Prüfung   für Ärztekammer ").toString("latin1")
    const [answer, entries] = await since(() =>
      server.current.api("GET", `/v1/management/scheduling/appointments/${uid}`, {
        key: world.key,
        headers: { "x-purpose": purpose }
      })
    )
    expect(answer.status).toBe(200)
    expect(entries).toMatchObject([
      {
        action: "management.appointments.one",
        actor: { kind: "api_key" },
        subject: uid,
        purpose: "Prüfung   für Ärztekammer",
        trace_id: answer.headers.get("x-request-id"),
        address: "127.0.0.0/24"
      }
    ])
  })

  test("is written once for a list, whatever its length", async () => {
    const [, entries] = await since(() => world.api("GET", "/v1/management/patients"))
    expect(entries.map(({ action, subject }) => ({ action, subject }))).toEqual([
      { action: "organisation.patients.list", subject: null }
    ])
  })

  // Shows: repudiation of a change or a read
  test("is written once in the transaction of a change, and not when nothing changes", async () => {
    const path = "/v1/management/scheduling/appointment-types"
    const [made, entries] = await since(() => call("POST", path, newType))
    expect(made.status).toBe(201)
    expect(entries).toMatchObject([{ action: "management.appointment_types.create", subject: made.body.uid }])
    const [refused, none] = await since(() => call("PATCH", `${path}/aty_missing`, { name: "Other" }))
    expect(refused.status).toBe(404)
    expect(none).toEqual([])
  })

  test("names the patient who booked, and contains no code", async () => {
    const [{ code, statuses }, entries] = await since(async () => {
      const body = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
      const token = await world.token("berta")
      const opened = await server.current.api("POST", "/v1/scheduling/booking-sessions", { token, body })
      const code = opened.body.booking_launch_code
      const shown = await server.current.api("GET", `/v1/scheduling/booking-sessions/${code}`)
      return { code, statuses: [shown.status, (await world.hold(code, inDays(1, 10))).status] }
    })
    expect(statuses).toEqual([200, 200])
    expect(entries.map(({ action }) => action)).toContain("patient.booking.hold")
    expect(new Set(entries.map(({ actor }) => actor.kind))).toEqual(new Set(["patient", "anonymous"]))
    expect(JSON.stringify(entries)).not.toContain(code)
  })

  test("has an action ending in .denied for a refusal", async () => {
    const [, entries] = await since(() => server.current.api("GET", "/v1/management/patients", { key: auditor }))
    expect(entries).toMatchObject([{ action: "organisation.patients.list.denied", actor: { kind: "api_key" } }])
  })

  test("names the person whose role is refused, in the log of their organisation; Rule 13.1.9", async () => {
    const { organisation_uid } = world
    const person = { organisation_uid, role: "pharmacy", pharmacy_uid: "pha_none", ttlSeconds: 300 } as const
    const doctor = await doctorOf(server.current, world)
    const admin = await adminOf(server.current, world)
    for (const [bearer, path, action, kind] of [
      [doctor, "/v1/admin/api-keys", "admin.api_keys.list", "doctor"],
      [admin, "/v1/doctor/appointments", "doctor.appointments", "admin"],
      [doctor, "/v1/operator/status", "operator.status", "doctor"],
      [await accessToken(server.current, person), "/v1/admin/api-keys", "admin.api_keys.list", "pharmacy"]
    ] as const) {
      const [{ status }, entries] = await since(() => server.current.api("GET", path, { bearer }))
      const denied = { action: `${action}.denied`, actor: { kind } }
      expect([status, entries]).toMatchObject([403, [denied]])
    }
  })

  test("is written once for the first reading of the feed, which assigns positions; Rule 13.1.7", async () => {
    await world.booked(inDays(2, 9), "feed")
    const [, entries] = await since(() => world.api("GET", "/v1/management/events"))
    expect(entries.map(({ action }) => action)).toEqual(["management.events.feed"])
  })

  test("of a read does not wait for the disk, and every other transaction of its connection does; Rule 13.1.13", async () => {
    const twenty = <A>(work: () => Promise<A>) => Promise.all(Array.from({ length: 20 }, work))
    await twenty(() => world.api("GET", "/v1/management/events"))
    const left = await twenty(
      () => server.current.sql`SELECT FROM pg_settings WHERE name = 'synchronous_commit' AND source = 'session'`
    )
    expect(left.flat()).toEqual([])
  })

  test("is written for a refusal whatever the path contains, and its subject is an identifier or null", async () => {
    const key = await world.keyWith("scheduling:read")
    for (const uid of ["%00", "x%0aFORGED", "a".repeat(3_000)]) {
      const [answer, entries] = await since(() => server.current.api("GET", `/v1/management/patients/${uid}`, { key }))
      expect([answer.status, entries.map(({ action, subject }) => [action, subject])]).toEqual([
        403,
        [["organisation.patients.one.denied", null]]
      ])
    }
  })

  test("is written whatever the purpose is, and never splits a character", async () => {
    const sent = Buffer.from(`${"a".repeat(254)}😀b`).toString("latin1")
    const headers = { "x-purpose": sent }
    const [answers, entries] = await since(() =>
      Promise.all(
        [world.key, auditor].map((key) => server.current.api("GET", "/v1/management/patients", { key, headers }))
      )
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 403])
    expect(entries.map(({ purpose }) => purpose)).toEqual(Array(2).fill(`${"a".repeat(254)}😀`))
  })

  test("names the key of a secret that was read", async () => {
    const bearer = await adminOf(server.current, world)
    const { body } = await server.current.api("POST", "/v1/admin/scheduling/booking-token-secrets", { bearer })
    const [, entries] = await since(() =>
      server.current.api("GET", `/v1/admin/scheduling/booking-token-secrets/${body.key_id}`, { bearer })
    )
    expect(entries).toMatchObject([{ action: "admin.secrets.reveal", actor: { kind: "admin" }, subject: body.key_id }])
  })

  test("names the link that opened an appointment's page, not its code", async () => {
    const uid = await world.booked(inDays(1, 12), "dora")
    const path = `/v1/management/scheduling/appointments/${uid}/action-links`
    const { code, url } = (await call("POST", path, { action: "cancel" })).body
    const { pathname } = new URL(url)
    const [page, entries] = await since(() => fetch(server.current.url + pathname))
    expect(page.status).toBe(200)
    expect(entries).toMatchObject([
      { action: `page ${pathname.replace(code, ":code")}`, actor: { kind: "action_link" } }
    ])
    expect(JSON.stringify(entries)).not.toContain(code)
  })

  test("is written again for a replayed answer", async () => {
    const make = () =>
      server.current.api("POST", "/v1/management/scheduling/appointment-types", {
        key: world.key,
        body: newType,
        headers: { "idempotency-key": "kept" }
      })
    const [again, entries] = await since(async () => [await make(), await make()])
    expect(again.map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, "true"])
    expect(entries.map(({ action }) => action)).toEqual(Array(2).fill("management.appointment_types.create"))
  })
})

describe("the list", () => {
  test("is filtered by action, actor, subject and time, and paged from an id", async () => {
    const all = await list()
    const [first] = all
    if (first === undefined) throw new Error("no entries")
    const { action, actor } = first
    expect(new Set((await list(`action=${action}`)).map((one) => one.action))).toEqual(new Set([action]))
    expect(new Set((await list(`actor=${actor.uid}`)).map((one) => one.actor.uid))).toEqual(new Set([actor.uid]))
    expect(await list("subject=nothing")).toEqual([])
    expect(await list("to=1")).toEqual([])
    const { body } = await server.current.api("GET", "/v1/management/audit-log?limit=1", { key: auditor })
    expect(body.next).toBe(body.data[0].id)
  })

  // Shows: lists, exports and erasures that read all of a tenant's data cheaply for the caller
  test("scans a limited number of entries for an action, and returns a cursor to go on; Rule 13.2.1", async () => {
    const all = await list()
    const [, , third, fourth, , sixth] = all.map(({ id }) => id)
    const { action } = all[3] ?? {}
    const last = all.at(-1)?.id
    const owner = OrganisationUid.make(world.organisation_uid)
    /** The ids of a response's entries, and its next cursor. */
    const looked = async (query: object): Promise<ReadonlyArray<string | null | undefined>> => {
      const { data, next } = await server.current.run(
        Effect.flatMap(AuditReader, (log) =>
          onlyOwner({ organisation_uid: owner })(log.list(owner, Schema.decodeUnknownSync(AuditQuery)(query), 3))
        )
      )
      return [...data.map(({ id }) => id), next]
    }
    expect(await looked({ action: "nothing" })).toEqual([third])
    expect(await looked({ actor: "nobody", after: third })).toEqual([sixth])
    expect((await looked({ action, after: third, limit: "1" }))[0]).toBe(fourth)
    expect(await looked({ limit: "5" })).toHaveLength(6)
    expect(await looked({ action: "nothing", after: last })).toEqual([null])
  })
})

test("no role can update, delete from or truncate the log, not even the tables' owner", async () => {
  const attempts = [
    "UPDATE audit_entries SET action = 'other'",
    "DELETE FROM audit_entries",
    "TRUNCATE audit_entries",
    "UPDATE audit_chain SET number = 1",
    "DELETE FROM audit_chain",
    "TRUNCATE audit_chain"
  ]
  const state = (attempt: string, as: typeof acrossTenants) =>
    server.current.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(attempt)).pipe(
        as,
        Effect.flip,
        Effect.map((error) => sqlStateOf(error))
      )
    )
  await server.current.run(Effect.flatMap(AuditChain, ({ seal }) => seal()))
  // On a cluster the login sees no tenant's rows, so it changes none
  const asMost = citusNodes.length > 0 ? acrossTenants : asLogin
  for (const attempt of attempts)
    for (const as of [asMost, onlyOwner({ organisation_uid: world.organisation_uid })])
      expect({ attempt, state: await state(attempt, as) }).toEqual({ attempt, state: "42501" })
})
