import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { SignJWT } from "jose"
import { OrganisationUid } from "../../src/schemas/ids.ts"
import { ApiKeys } from "../../src/services/access/ApiKeys.ts"
import { BookingTokenSecrets } from "../../src/services/access/BookingTokenSecrets.ts"
import { oidcProvider } from "../support/oidcProvider.ts"
import { startServer, type TestServer, testServer } from "../support/server.ts"
import { adminOf, doctorOf } from "../support/staff.ts"
import { HOUR, inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()
const request = (method: string, path: string, bearer?: string, body?: unknown) =>
  server.current.api(method, `/v1${path}`, {
    ...(bearer === undefined ? {} : { bearer }),
    ...(body === undefined ? {} : { body })
  })

describe("with a real identity provider", () => {
  const audience = "https://sprechstunde.example"
  let provider: Awaited<ReturnType<typeof oidcProvider>>
  let relying: TestServer
  let world: World
  beforeAll(async () => {
    provider = await oidcProvider()
    relying = await startServer({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: audience })
    world = await makeWorld(relying)
  })
  afterAll(async () => {
    await relying.stop()
    await provider.stop()
  })
  const status = async (path: string, claims: Record<string, unknown>, of = audience) => {
    const bearer = await provider.token({ audience: of, claims })
    return (await relying.api("GET", `/v1${path}`, { bearer })).status
  }

  test("its token opens the portal of its role", async () => {
    const { organisation_uid, doctor } = world
    const asDoctor = { organisation_uid, roles: ["doctor"], doctor_uid: doctor }
    const asAdmin = { organisation_uid, roles: ["admin"] }
    expect(await status("/doctor/appointments", asDoctor)).toBe(200)
    expect(await status("/admin/scheduling/appointments", asAdmin)).toBe(200)
    expect(await status("/admin/scheduling/appointments", asDoctor)).toBe(403)
    expect(await status("/doctor/appointments", asAdmin)).toBe(403)
    expect(await status("/doctor/appointments", { ...asDoctor, doctor_uid: "doc_nobody" })).toBe(403)
    expect(await status("/admin/scheduling/appointments", { ...asAdmin, organisation_uid: "org_nowhere" })).toBe(403)
    expect(await status("/admin/scheduling/appointments", asAdmin, "https://elsewhere.example")).toBe(401)
  })

  test("the development issuer's discovery document is not published", async () => {
    expect((await relying.api("GET", "/dev-idp/.well-known/openid-configuration")).status).toBe(404)
  })

  test("while it is unreachable, requests are refused and the answer says why", async () => {
    const bearer = await provider.token({
      audience,
      claims: { organisation_uid: world.organisation_uid, roles: ["admin"] }
    })
    provider.falter()
    const fresh = await startServer({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: audience }, relying.databaseUrl)
    expect(await fresh.api("GET", "/v1/admin/api-keys", { bearer })).toMatchObject({
      status: 503,
      body: { code: "unavailable" }
    })
    await provider.rotate()
    await fresh.stop()
  })
})

describe("the development issuer", () => {
  test("publishes the keys that verify its tokens", async () => {
    const found = await server.current.api("GET", "/dev-idp/.well-known/openid-configuration")
    expect(found.body.issuer).toBe(`${server.current.url}/dev-idp`)
    const keys = await fetch(found.body.jwks_uri)
    expect(await keys.json()).toMatchObject({ keys: [{ kty: "EC", alg: "ES256" }] })
  })
})

describe("the doctor's portal", () => {
  test("shows the doctor's own appointments", async () => {
    const world = await makeWorld(server.current)
    const [first = "", second = ""] = world.doctors
    const own = await world.booked(inDays(2, 9), "anna", { doctor_uid: first })
    await world.booked(inDays(2, 9), "berta", { doctor_uid: second })
    const bearer = await doctorOf(server.current, world)
    const list = await request("GET", "/doctor/appointments", bearer)
    expect(list.body.data.map(({ uid }: { uid: string }) => uid)).toEqual([own])
    const foreign = await request("GET", `/doctor/appointments?doctor_uid=${second}`, bearer)
    expect(foreign.body.data.map(({ uid }: { uid: string }) => uid)).toEqual([own])
    const wrong = await request("GET", "/doctor/appointments?limit=0&status=asleep", bearer)
    expect(wrong).toMatchObject({ status: 400, body: { error: [expect.any(String), expect.any(String)] } })
  })
})

describe("the administrators' portal", () => {
  test("makes API keys that work until they are revoked, and shows each once", async () => {
    const world = await makeWorld(server.current)
    const bearer = await adminOf(server.current, world)
    const made = await request("POST", "/admin/api-keys", bearer, { name: "partner", permissions: ["scheduling:read"] })
    expect(made).toMatchObject({ status: 201, body: { name: "partner", permissions: ["scheduling:read"] } })
    expect(made.body.key).toMatch(/^spr_[A-Za-z0-9_-]{43}$/)
    const types = () => server.current.api("GET", "/v1/management/scheduling/appointment-types", { key: made.body.key })
    expect((await types()).status).toBe(200)
    const list = await request("GET", "/admin/api-keys", bearer)
    expect(JSON.stringify(list.body)).not.toContain(made.body.key)
    expect(list.body.data[0]).toMatchObject({ uid: made.body.uid, revoked_at: null, last_used_at: expect.any(Number) })
    const stranger = await adminOf(server.current, await makeWorld(server.current))
    expect((await request("DELETE", `/admin/api-keys/${made.body.uid}`, stranger)).status).toBe(404)
    expect((await request("DELETE", `/admin/api-keys/${made.body.uid}`, bearer)).status).toBe(204)
    expect((await types()).status).toBe(401)
    expect((await request("DELETE", `/admin/api-keys/${made.body.uid}`, bearer)).status).toBe(404)
    const body = { name: "x", permissions: ["orders_read"] }
    expect((await request("POST", "/admin/api-keys", bearer, body)).body.error[0]).toStartWith("permissions[0]:")
  })
})

describe("booking-token secrets", () => {
  const paths = (world: World) => [
    "/admin/scheduling/booking-token-secrets",
    `/admin/scheduling/organisations/${world.organisation_uid}/booking-token-secrets`
  ]

  for (const index of [0, 1]) {
    test(`are provisioned, read back and revoked by ${index === 0 ? "their path" : "their old path"}`, async () => {
      const world = await makeWorld(server.current)
      const bearer = await adminOf(server.current, world)
      const path = paths(world)[index] ?? ""
      const made = await request("POST", path, bearer)
      expect(made.status).toBe(201)
      expect(Object.keys(made.body).sort()).toEqual(["key_id", "secret"])
      expect(Buffer.from(made.body.secret, "base64url")).toHaveLength(32)
      expect(await request("GET", `${path}/${made.body.key_id}`, bearer)).toMatchObject({
        status: 200,
        body: made.body
      })
      const list = await request("GET", path, bearer)
      expect(list.body.data).toContainEqual({
        key_id: made.body.key_id,
        created_at: expect.any(Number),
        revoked_at: null
      })
      const signed = { ...world, key_id: made.body.key_id, secret: made.body.secret }
      const open = async () =>
        server.current.api("POST", "/v1/scheduling/booking-sessions", {
          token: await mint(signed),
          body: { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
        })
      expect((await open()).status).toBe(200)
      expect((await request("DELETE", `${path}/${made.body.key_id}`, bearer)).status).toBe(204)
      expect((await open()).status).toBe(401)
      expect((await request("DELETE", `${path}/${made.body.key_id}`, bearer)).status).toBe(404)
    })
  }

  // Shows: a stolen booking token or code
  test("sign only for shops of their own organisation", async () => {
    const world = await makeWorld(server.current)
    const other = await makeWorld(server.current)
    const token = await mint({ ...world, shop_identifier: other.shop_identifier })
    const body = { mode: "booking", appointment_type_uid: other.type_uid, from: inDays(1), to: inDays(1) + HOUR }
    const answer = await server.current.api("POST", "/v1/scheduling/booking-sessions", { token, body })
    expect(answer.status).toBe(401)
  })
})

const mint = (signer: Pick<World, "shop_identifier" | "key_id" | "secret">) => {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({
    aud: "service-scheduling",
    iat: now,
    nbf: now,
    exp: now + 200,
    shop_identifier: signer.shop_identifier,
    shop_customer_id: "anna",
    patient_profile_fields: []
  })
    .setProtectedHeader({ alg: "HS256", kid: signer.key_id })
    .sign(new TextEncoder().encode(signer.secret))
}

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
  await server.current.sql`INSERT INTO booking_token_secrets (organisation_uid, key_id, secret_sealed, created_at)
    SELECT ${owner}, ${owner} || n, 'none.', to_timestamp(n) FROM generate_series(1, 998) n`
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
      yield* sql`INSERT INTO booking_token_secrets (organisation_uid, key_id, secret_sealed, created_at, revoked_at)
        SELECT ${owner}, ${owner} || n, 'none.', to_timestamp(n), CASE WHEN n > 1 THEN to_timestamp(n) END
        FROM generate_series(1, 1001) n`
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
