import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { MasterKeyRotation } from "../../src/services/operation/MasterKeyRotation.ts"
import { ownServer, startServer } from "../support/server.ts"
import { adminOf } from "../support/staff.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = ownServer()
const oldKey = Buffer.alloc(32, 7).toString("base64")
const newKey = Buffer.alloc(32, 8).toString("base64")

test("a new master key opens what the old one sealed, and no longer needs the old one after the rotation", async () => {
  const world = await makeWorld(server.current)
  const code = await world.session("anna")
  await server.current.stop()

  const database = server.current.databaseUrl
  const rotating = await startServer({ MASTER_KEY: newKey, MASTER_KEY_PREVIOUS: oldKey }, database)
  const rotate = () => rotating.run(Effect.flatMap(MasterKeyRotation, ({ resealAll }) => resealAll()))
  expect(await rotate()).toBeGreaterThanOrEqual(3)
  expect(await rotate()).toBe(0)
  await rotating.stop()

  const after = await startServer({ MASTER_KEY: newKey }, database)
  const bearer = await adminOf(after, world)
  const path = `/v1/admin/scheduling/booking-token-secrets/${world.key_id}`
  expect(await after.api("GET", path, { bearer })).toMatchObject({ status: 200, body: { secret: world.secret } })
  const session = await after.api("GET", `/v1/scheduling/booking-sessions/${code}`)
  expect(session.status).toBe(200)
  const opened = await after.api("POST", "/v1/scheduling/booking-sessions", {
    token: await world.token("anna"),
    body: { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
  })
  expect(opened.status).toBe(200)
  await after.stop()
})

test("no secret is stored in clear text", async () => {
  const plain = await startServer()
  const world = await makeWorld(plain)
  const code = await world.session("anna")
  const tables = await plain.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* Effect.forEach(
        ["booking_token_secrets", "booking_sessions", "api_keys", "shops"],
        (table) => sql`SELECT to_jsonb(t)::text AS row FROM ${sql(table)} t`
      )
    })
  )
  for (const secret of [world.secret, world.key, code]) expect(JSON.stringify(tables)).not.toContain(secret)
  await plain.stop()
})
