/** People of a practice, and the keys and secrets that its administrators make. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { OrganisationUid } from "../../src/schemas/ids.ts"
import { ApiKeys } from "../../src/services/access/ApiKeys.ts"
import { BookingTokenSecrets } from "../../src/services/access/BookingTokenSecrets.ts"
import { oidcProvider } from "../support/oidcProvider.ts"
import { startServer, testServer } from "../support/server.ts"
import { adminOf, doctorOf } from "../support/staff.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const request = (method: string, path: string, bearer: string, body?: unknown) =>
  server.current.api(method, `/v1${path}`, { bearer, ...(body === undefined ? {} : { body }) })

test("a token of a real identity provider opens the portal of its role; while it is unreachable, requests are 503", async () => {
  const audience = "https://sprechstunde.example"
  const provider = await oidcProvider()
  const settings = { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: audience, ROLE: "http" }
  const relying = await startServer(settings)
  const { organisation_uid, doctor: doctor_uid } = await makeWorld(relying)
  const doctor = { organisation_uid, roles: ["doctor"], doctor_uid }
  const admin = { organisation_uid, roles: ["admin"] }
  const [DOCTOR, ADMIN] = ["/v1/doctor/appointments", "/v1/admin/scheduling/appointments"]
  const answers: ReadonlyArray<readonly [path: string, claims: Record<string, unknown>, status: number, of?: string]> =
    [
      [DOCTOR, doctor, 200],
      [ADMIN, admin, 200],
      [ADMIN, doctor, 403],
      [DOCTOR, admin, 403],
      [DOCTOR, { ...doctor, doctor_uid: "doc_nobody" }, 403],
      [ADMIN, { ...admin, organisation_uid: "org_nowhere" }, 403],
      [ADMIN, admin, 401, "https://elsewhere.example"]
    ]
  for (const [path, claims, status, of = audience] of answers) {
    const bearer = await provider.token({ audience: of, claims })
    expect([path, claims, (await relying.api("GET", path, { bearer })).status]).toEqual([path, claims, status])
  }
  const published = await relying.api("GET", "/dev-idp/.well-known/openid-configuration")
  expect(published.status).toBe(404)

  const bearer = await provider.token({ audience, claims: admin })
  provider.falter()
  const fresh = await startServer(settings, relying.databaseUrl)
  const answer = await fresh.api("GET", ADMIN, { bearer })
  expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } })
  for (const one of [fresh, relying, provider]) await one.stop()
})

test("the development issuer publishes the keys that verify its tokens", async () => {
  const found = await server.current.api("GET", "/dev-idp/.well-known/openid-configuration")
  expect(found.body.issuer).toBe(`${server.current.url}/dev-idp`)
  const keys = await fetch(found.body.jwks_uri)
  expect(await keys.json()).toMatchObject({ keys: [{ kty: "EC", alg: "ES256" }] })
})

test("the doctor's portal shows the doctor's own appointments", async () => {
  const world = await makeWorld(server.current)
  const [first = "", second = ""] = world.doctors
  const own = await world.booked(inDays(2, 9), "anna", { doctor_uid: first })
  await world.booked(inDays(2, 9), "berta", { doctor_uid: second })
  const bearer = await doctorOf(server.current, world)
  for (const query of ["", `?doctor_uid=${second}`]) {
    const { body } = await request("GET", `/doctor/appointments${query}`, bearer)
    expect(body.data.map(({ uid }: { uid: string }) => uid)).toEqual([own])
  }
  const wrong = await request("GET", "/doctor/appointments?limit=0&status=asleep", bearer)
  expect(wrong).toMatchObject({ status: 400, body: { error: [expect.any(String), expect.any(String)] } })
})

test("administrators make API keys that work until they are revoked, and are shown each once", async () => {
  const world = await makeWorld(server.current)
  const bearer = await adminOf(server.current, world)
  const made = await request("POST", "/admin/api-keys", bearer, { name: "partner", permissions: ["scheduling:read"] })
  expect(made).toMatchObject({ status: 201, body: { name: "partner", permissions: ["scheduling:read"] } })
  const { key, uid } = made.body
  expect(key).toMatch(/^spr_[A-Za-z0-9_-]{43}$/)
  const types = async () =>
    (await server.current.api("GET", "/v1/management/scheduling/appointment-types", { key })).status
  expect(await types()).toBe(200)
  const list = await request("GET", "/admin/api-keys", bearer)
  expect(list.text).not.toContain(key)
  expect(list.body.data[0]).toMatchObject({ uid, revoked_at: null, last_used_at: expect.any(Number) })
  const stranger = await adminOf(server.current, await makeWorld(server.current))
  const revoke = async (as: string) => (await request("DELETE", `/admin/api-keys/${uid}`, as)).status
  expect([await revoke(stranger), await revoke(bearer), await types(), await revoke(bearer)]).toEqual([
    404, 204, 401, 404
  ])
  const body = { name: "x", permissions: ["orders_read"] }
  expect((await request("POST", "/admin/api-keys", bearer, body)).body.error[0]).toStartWith("permissions[0]:")
})

test.each(["", "/organisations/OWN"])(
  "booking-token secrets are made, read and revoked below /scheduling%s",
  async (at) => {
    const world = await makeWorld(server.current)
    const bearer = await adminOf(server.current, world)
    const path = `/admin/scheduling${at.replace("OWN", world.organisation_uid)}/booking-token-secrets`
    const made = await request("POST", path, bearer)
    const { key_id, secret } = made.body
    expect([made.status, made.body]).toEqual([201, { key_id, secret }])
    expect(Buffer.from(secret, "base64url")).toHaveLength(32)
    expect(await request("GET", `${path}/${key_id}`, bearer)).toMatchObject({ status: 200, body: made.body })
    const { body } = await request("GET", path, bearer)
    expect(body.data).toContainEqual({ key_id, created_at: expect.any(Number), revoked_at: null })
    const open = async () => {
      const session = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
      const token = await world.token("anna", {}, { key_id, secret })
      return (await server.current.api("POST", "/v1/scheduling/booking-sessions", { token, body: session })).status
    }
    const revoke = async () => (await request("DELETE", `${path}/${key_id}`, bearer)).status
    expect([await open(), await revoke(), await open(), await revoke()]).toEqual([200, 204, 401, 404])
  }
)

/** Rows, not a query: Citus inserts a query's rows by COPY, which row-level security refuses. */
const oldSecrets = (organisation_uid: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    organisation_uid,
    key_id: `${organisation_uid}${i + 1}`,
    secret_sealed: "none.",
    created_at: new Date((i + 1) * 1000)
  }))

// Shows: lists, exports and erasures that read all of a tenant's data cheaply for the caller
test("an organisation has at most 1,000 active keys and secrets; Rule 3.8.7", async () => {
  const world = await makeWorld(server.current)
  const { organisation_uid: owner } = world
  const bearer = await adminOf(server.current, world)
  const make = async () => {
    const body = { name: "new", permissions: ["audit:read"] }
    const key = await server.current.api("POST", "/v1/admin/api-keys", { bearer, body })
    return [key, await server.current.api("POST", "/v1/admin/scheduling/booking-token-secrets", { bearer })] as const
  }
  await server.current.sql`INSERT INTO api_keys (uid, key_hash, name, permissions, organisation_uid, created_at)
    SELECT ${owner} || n, sha256((${owner} || n)::bytea), 'old', '{audit:read}', ${owner}, to_timestamp(n)
    FROM generate_series(1, 998) n`
  await server.current.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`INSERT INTO booking_token_secrets ${sql.insert(oldSecrets(owner, 998))}`
    )
  )
  const [last, refused] = [await make(), await make()]
  await server.current
    .sql`DELETE FROM booking_token_secrets WHERE organisation_uid = ${owner} AND secret_sealed = 'none.'`
  expect(last.map(({ status }) => status)).toEqual([201, 201])
  expect(refused.map(({ status, body }) => [status, body.error])).toEqual([
    [400, ["name: there are 1000 API keys already: revoke some first"]],
    [400, ["key_id: there are 1000 secrets already: revoke some first"]]
  ])
})

test("lists of keys and secrets contain all active ones and the newest thousand; Rules 8.3.5 and 8.3.9", async () => {
  const { organisation_uid: owner } = await makeWorld(server.current)
  const uid = OrganisationUid.make(owner)
  const lists = await server.current.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [keys, secrets] = [yield* ApiKeys, yield* BookingTokenSecrets]
      yield* sql`INSERT INTO api_keys (uid, key_hash, name, permissions, organisation_uid, created_at, revoked_at)
        SELECT ${owner} || n, sha256((${owner} || n)::bytea), 'old', '{audit:read}', ${owner}, to_timestamp(n),
          CASE WHEN n > 1 THEN to_timestamp(n) END FROM generate_series(1, 1001) n`
      const old = oldSecrets(owner, 1_001).map((one, i) => ({ ...one, revoked_at: i > 0 ? one.created_at : null }))
      yield* sql`INSERT INTO booking_token_secrets ${sql.insert(old)}`
      const listed = [yield* keys.listOwn(uid), yield* secrets.list(uid)] as const
      yield* sql`DELETE FROM booking_token_secrets WHERE organisation_uid = ${owner} AND secret_sealed = 'none.'`
      return listed
    }).pipe(Effect.provide([ApiKeys.Default, BookingTokenSecrets.Default]))
  )
  expect(lists.map(({ length }) => length)).toEqual([1_001, 1_001])
  // the oldest one, but in use
  expect(lists.map((list) => Number(list.at(-1)?.created_at))).toEqual([1, 1])
  // the world's own records are the newest
  expect(lists.map(([newest]) => (newest?.created_at ?? 0) > 1_000)).toEqual([true, true])
})
